import { expect, test } from 'vitest';
import { allCalls } from '#contract/all-calls.ts';
import { newId } from '#contract/ids.ts';
import { callPath } from '../support/calls.ts';
import { openCast, roles } from '../support/cast.ts';
import { expectedCalls, refusalOf } from '../support/expected-access.ts';
import { sharedSystem } from '../support/shared-system.ts';

const cast = await openCast(sharedSystem.url);

/** security-access.test.ts tries the calls as an anonymous visitor. */
test.each(roles.filter((role) => role !== 'an administrator' && role !== 'an anonymous visitor'))(
  'Every call that is not for %s is refused to them',
  async (role) => {
    let refused = 0;
    for (const { name, method, path } of allCalls) {
      const refusal = refusalOf(expectedCalls[name] ?? 'administrator', role);
      // Setting up the site is open to everyone; the setup token decides.
      if (refusal === undefined || expectedCalls[name] === 'first run') continue;
      const address = callPath(path, path.includes(':revision') ? '999999999' : newId());
      const { status } = await cast[role].send(method, address, method === 'GET' ? undefined : {});
      expect(status, name).toBe(refusal);
      refused += 1;
    }
    expect(refused).toBeGreaterThan(50);
  },
);
