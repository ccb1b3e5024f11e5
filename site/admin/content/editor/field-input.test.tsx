import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { FieldInput } from './field-input.tsx';

test('A link to a redirected path is not reported as broken', () => {
  const field = { label: 'Button link', kind: 'link' } as const;
  const input = { form: 'banner', name: 'buttonLink', field, onChange: () => undefined };
  const text = renderToStaticMarkup(<FieldInput {...input} value="/old-prices" />).replace(/<[^>]*>/g, ' ');
  expect(text).toContain('This site has no page at this address.');
  expect(text).toContain('The link works only if there is a redirect');
});
