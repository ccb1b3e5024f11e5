import { expect, test } from 'vitest';
import { firstContent } from '#deploy/first-content.ts';
import { demoContent } from './demo-content.ts';

test('Only the brand of the demo names its company, and a new site does not name it', () => {
  const [{ name }] = demoContent.brand;
  const { brand, ...others } = demoContent;
  expect(JSON.stringify(brand)).toContain(name);
  expect(JSON.stringify([others, firstContent]).toLowerCase()).not.toContain(name.toLowerCase());
});
