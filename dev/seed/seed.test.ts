import { expect, test } from 'vitest';
import { firstContent } from '#deploy/first-content.ts';
import { demoContent } from './demo-content.ts';

test('The name of the demo company does not appear on a new site', () => {
  const name = demoContent.footerAbout[0].aboutFooterText;
  expect(JSON.stringify(demoContent.searchText)).toContain(name);
  expect(JSON.stringify(firstContent)).not.toContain(name);
});
