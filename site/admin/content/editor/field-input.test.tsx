import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { mediaPath } from '#contract/media.ts';
import { FieldInput } from './field-input.tsx';

test('A link to a redirected path is not reported as broken', () => {
  const field = { label: 'Button link', kind: 'link' } as const;
  const input = { form: 'banner', name: 'buttonLink', field, onChange: () => undefined };
  const text = renderToStaticMarkup(<FieldInput {...input} value="/old-prices" />).replace(/<[^>]*>/g, ' ');
  expect(text).toContain('This site has no page at this address.');
  expect(text).toContain('The link works only if there is a redirect');
});

test('A library picture has an input, so that the form finds the field that an error is about', () => {
  const field = { label: 'Icon', kind: 'image' } as const;
  const value = mediaPath('01a22b77-7802-70fd-abea-123eec9be79c', 'photo.jpg', 'a'.repeat(24), 'webp');
  const input = { form: 'brand', name: 'icon', field, value, onChange: () => undefined };
  expect(renderToStaticMarkup(<FieldInput {...input} />)).toContain('name="icon"');
});
