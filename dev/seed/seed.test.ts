import { expect, test } from 'vitest';
import { firstContent } from '#deploy/first-content.ts';
import { demoContent } from './demo-content.ts';

test('The name of the demo company stands in its brand alone, and not on a new site', () => {
  const [{ name }] = demoContent.brand;
  const { brand, ...others } = demoContent;
  expect(JSON.stringify(brand)).toContain(name);
  expect(JSON.stringify([others, firstContent]).toLowerCase()).not.toContain(name.toLowerCase());
});
