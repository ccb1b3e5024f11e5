import { describe, expect, test } from 'vitest';
import { ApiError } from '../http/errors.ts';
import { isCommonPassword } from './common-passwords.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

describe('A password', () => {
  test('matches its own hash and no other', async () => {
    const hash = await hashPassword('violet-harbor-91');
    expect(await verifyPassword('violet-harbor-91', hash)).toBe(true);
    expect(await verifyPassword('violet-harbor-92', hash)).toBe(false);
  });

  test('has its own salt, and its parameters are stored with the hash', async () => {
    const [one, other] = [await hashPassword('violet-harbor-91'), await hashPassword('violet-harbor-91')];
    expect(one).not.toBe(other);
    expect(one).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[\w-]{22}\$[\w-]{43}$/);
  });

  test('still matches a hash with other parameters', async () => {
    // RFC 7914, section 12: scrypt('pleaseletmein', 'SodiumChloride', N=16384, r=8, p=1), the first 32 bytes.
    const key = 'cCO9yzr9c0hGHAbNgf046_2o-7qQT44-qbVD9lRdofI';
    const hash = `$scrypt$ln=14,r=8,p=1$SodiumChloride$${key}`;
    expect(await verifyPassword('pleaseletmein', hash)).toBe(true);
  });

  test('never matches if there is no hash', async () => {
    expect(await verifyPassword('', undefined)).toBe(false);
    expect(await verifyPassword('violet-harbor-91', null)).toBe(false);
  });

  test('matches if its letters are typed as other code points', async () => {
    expect(await verifyPassword('cafe\u0301-violet', await hashPassword('caf\u00e9-violet'))).toBe(true);
  });

  test.each(['password', 'PASSWORD', '123456', 'Qwerty123', 'correcthorsebatterystaple'])(
    '%s is among the first guesses',
    (typed) => {
      expect(isCommonPassword(typed)).toBe(true);
    },
  );
});

/** Waits in the queue like any other hash, but computes almost instantly. */
const checkQuickly = (known?: string) =>
  verifyPassword('violet-harbor-91', '$scrypt$ln=1,r=1,p=1$salt$key', known);

test('Ten callers wait while one password is hashed. The others get a 503 and succeed once the queue moves on', async () => {
  const results = await Promise.allSettled(Array.from({ length: 30 }, () => checkQuickly()));
  const refused = results
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => reason as unknown);
  expect(refused).toHaveLength(19);
  for (const error of refused) {
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 503,
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) as string },
    });
  }
  await expect(checkQuickly()).resolves.toBe(false);
});

test('Strangers do not take the places of known callers, an account has at most two of these places, and everyone is served in order of arrival', async () => {
  const done: string[] = [];
  const hash = async (who: string, known?: string) => {
    await checkQuickly(known);
    done.push(who);
  };
  const before = Array.from({ length: 12 }, () => hash('stranger'));
  const known = ['ann', 'ann', 'ann', 'bob'].map((account) => hash(account, account));
  const after = hash('late stranger');
  const results = await Promise.allSettled([...before, ...known, after]);
  const refused = results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
  // The twelfth stranger, the third caller of one account, who counts as a stranger, and the late stranger.
  expect(refused).toEqual([11, 14, 16]);
  expect(done).toEqual([...Array.from({ length: 11 }, () => 'stranger'), 'ann', 'ann', 'bob']);
});

test('Other work runs between two hashes', async () => {
  let turns = 0;
  const other = setInterval(() => (turns += 1), 1);
  await Promise.all([1, 2, 3, 4].map(() => checkQuickly()));
  clearInterval(other);
  expect(turns).toBeGreaterThanOrEqual(4);
});
