import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { FieldInput } from './field-input.tsx';

test('Who types a link to an old address is not told that it leads nowhere, since a redirect may lead on from it', () => {
  const field = { label: 'Button link', kind: 'link' } as const;
  const input = { form: 'banner', name: 'buttonLink', field, error: undefined, onChange: () => undefined };
  const text = renderToStaticMarkup(<FieldInput {...input} value="/old-prices" />).replace(/<[^>]*>/g, ' ');
  expect(text).toContain('There is no page at this address on this site.');
  expect(text).toContain('It works only if a redirect leads on from it.');
});
