import { expect, test } from 'vitest';
import { firstContent } from '#deploy/first-content.ts';
import { demoContent } from './demo-content.ts';

test('A new site does not call itself by the name of the demo', () => {
  const name = demoContent.footerAbout[0].aboutFooterText;
  expect(JSON.stringify(demoContent.searchText)).toContain(name);
  expect(JSON.stringify(firstContent)).not.toContain(name);
});
