import { expect, test } from 'vitest';
import { addSchema } from '#contract/fields.ts';
import { sectionNamed, sectionNames } from '#contract/sections/index.ts';
import { firstContent } from '#deploy/first-content.ts';
import { demoContent, demoName } from './demo-content.ts';

test('Only the brand of the demo names its company, and a new site does not name it', () => {
  const { brand, ...others } = demoContent;
  expect(brand).toMatchObject([{ name: expect.stringMatching(/\w/) as unknown }]);
  expect(JSON.stringify([others, firstContent]).toLowerCase()).not.toContain(demoName.toLowerCase());
});

test('Every record of the demo has what its section requires, and nothing else', () => {
  for (const name of sectionNames)
    for (const record of demoContent[name] ?? []) addSchema(sectionNamed(name)).parse(record);
});
