import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
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
