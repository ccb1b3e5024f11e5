/** The table in `tests/api/access-table.ts` for every call, and the response to a person outside an audience. */
import { sectionCalls } from '#contract/section-calls.ts';
import { sectionNames } from '#contract/sections/index.ts';
import { belongsToo, callAudiences, sectionReaders, type ExpectedAudience } from '../api/access-table.ts';
import type { Role } from './cast.ts';

export const expectedCalls: Readonly<Record<string, ExpectedAudience>> = {
  ...Object.fromEntries(
    sectionNames.flatMap((name) =>
      Object.entries(sectionCalls(name)).map(([verb, call]) => [
        call,
        /^(list|read)$/.test(verb) ? sectionReaders[name] : 'content',
      ]),
    ),
  ),
  ...callAudiences,
};

/** The status that refuses a person outside an audience; undefined for a person who belongs to it. */
export function refusalOf(expected: ExpectedAudience, role: Role): 401 | 403 | undefined {
  if (expected === 'anyone' || role === 'an administrator') return undefined;
  if (role === 'an anonymous visitor') return 401;
  if (expected === 'account') return undefined;
  return belongsToo[expected].some((one) => one === role) ? undefined : 403;
}
