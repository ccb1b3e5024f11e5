import { expect, test } from 'vitest';
import { isShown, sectionNames } from '#contract/sections/index.ts';
import { findPreview } from './site-pages.tsx';

test('The editor shows every section that visitors see', () => {
  const withoutPreview = sectionNames.filter((name) => !findPreview(name, undefined));
  expect(withoutPreview).toEqual(sectionNames.filter((name) => !isShown(name)));
});
