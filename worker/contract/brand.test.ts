import { expect, test } from 'vitest';
import { withFirmName } from './brand.ts';

test('The name replaces {name} in every text, but not in an address or the brand itself', () => {
  const written = {
    brand: [{ _id: 'b', name: 'Ann $& {name}' }],
    banner: [{ _id: 'x', bannerHeading: '{name} and {name}', buttonURL: '/{name}' }],
    legalPage: [{ _id: 'p', text: '**{name}**' }],
    faqItem: [{ _id: 'q', accodingTitle: 'Who are you?' }],
  };
  const named = withFirmName(written);
  expect(named.banner[0]).toMatchObject({
    bannerHeading: 'Ann $& {name} and Ann $& {name}',
    buttonURL: '/{name}',
  });
  expect(named.legalPage[0]?.text).toBe('**Ann $& {name}**');
  expect(named.brand).toBe(written.brand);
  // A list without the placeholder stays the same object.
  expect(named.faqItem).toBe(written.faqItem);
  const [unnamed] = withFirmName({ brand: [], banner: [{ bannerHeading: 'By {name}' }] }).banner;
  expect(unnamed?.bannerHeading).toBe('By ');
});
