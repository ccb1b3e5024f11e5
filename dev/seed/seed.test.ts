import { expect, test } from 'vitest';
import { firstContent } from '#deploy/first-content.ts';
import { demoContent, demoName } from './demo-content.ts';

test('Only the brand of the demo names its company, and a new site does not name it', () => {
  const { brand, ...others } = demoContent;
  expect(brand).toMatchObject([{ name: expect.stringMatching(/\w/) as unknown }]);
  expect(JSON.stringify([others, firstContent]).toLowerCase()).not.toContain(demoName.toLowerCase());
});
