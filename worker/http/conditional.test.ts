import { expect, test } from 'vitest';
import { versionOf } from '#contract/etag.ts';
import { checkVersion, matchesEtag } from './conditional.ts';
import { ApiError } from './errors.ts';

const check = (ifMatch: string | undefined) => () => checkVersion(ifMatch, { version: 3 }, { title: 'Now' });

test('A change of the current version is accepted, even if a proxy weakened its ETag', () => {
  for (const ifMatch of [undefined, '*', '"3"', 'W/"3"']) expect(check(ifMatch), ifMatch).not.toThrow();
  for (const ifMatch of ['"2"', 'W/"2"', '3', '']) expect(check(ifMatch), ifMatch).toThrow(ApiError);
});

test('A weak ETag matches the same version and the same bytes', () => {
  expect([versionOf('"3"'), versionOf('W/"3"'), versionOf(undefined)]).toEqual([3, 3, Number.NaN]);
  expect(matchesEtag('W/"one", "two"', '"one"')).toBe(true);
  expect(matchesEtag('"one"', 'W/"one"')).toBe(true);
  expect(matchesEtag('W/"two"', '"one"')).toBe(false);
});
