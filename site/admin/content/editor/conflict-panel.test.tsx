import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { mediaPath } from '#contract/media.ts';
import { ConflictPanel } from './conflict-panel.tsx';

test('A choice in the conflict of one picture does not change the conflict of another picture on the screen', () => {
  const alt = {
    field: 'alt',
    label: 'Description',
    theirs: 'A desk',
    mine: 'An office',
    changedByBoth: true,
  };
  const draft = { values: { alt: 'An office' }, setValue: () => undefined };
  const markup = renderToStaticMarkup(
    <>
      <ConflictPanel conflict={[alt]} draft={draft} />
      <ConflictPanel conflict={[alt]} draft={draft} />
    </>,
  );
  const [theirs, mine, ...ofOther] = Array.from(markup.matchAll(/ name="([^"]*)"/g), ([, name]) => name);
  expect(mine).toBe(theirs);
  expect(ofOther).toHaveLength(2);
  expect(ofOther).not.toContain(mine);
});

test('A conflict shows the titles of options', () => {
  const billing = {
    field: 'billing',
    label: 'Billing',
    theirs: 'monthly',
    mine: 'once',
    changedByBoth: true,
  };
  const draft = { values: { billing: 'once' }, setValue: () => undefined };
  const markup = renderToStaticMarkup(
    <ConflictPanel section="pricingPackage" conflict={[billing]} draft={draft} />,
  );
  expect(markup).toContain('>Every month, until the customer cancels</span>');
  expect(markup).not.toContain('>monthly<');
});

test('A conflict shows pictures by their file names', () => {
  const icon = {
    field: 'icon',
    label: 'Icon',
    theirs: mediaPath('01a22b77-7802-70fd-abea-123eec9be79c', 'photo.jpg', 'a'.repeat(24), 'webp'),
    mine: '',
    changedByBoth: true,
  };
  const draft = { values: { icon: '' }, setValue: () => undefined };
  const markup = renderToStaticMarkup(<ConflictPanel section="brand" conflict={[icon]} draft={draft} />);
  expect(markup).toContain('>photo.webp<');
  expect(markup).toContain('<em>empty</em>');
});
