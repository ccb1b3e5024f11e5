import { createClient } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { expect, test } from 'vitest';
import { answerDay, dueDay } from './due-day.ts';

const db = drizzle(createClient({ url: ':memory:' }));

test.each([
  ['Monday', '2027-03-01', 0, '2027-03-01'],
  ['Monday', '2027-03-01', 4, '2027-03-05'],
  ['Monday', '2027-03-01', 5, '2027-03-08'],
  ['Wednesday', '2027-03-03', 13, '2027-03-22'],
  ['Friday', '2027-03-05', 0, '2027-03-05'],
  ['Friday', '2027-03-05', 1, '2027-03-08'],
  ['Saturday', '2027-03-06', 0, '2027-03-08'],
  ['Saturday', '2027-03-06', 1, '2027-03-08'],
  ['Sunday', '2027-03-07', 5, '2027-03-12'],
  ['Sunday', '2027-03-07', 11, '2027-03-22'],
])('From %s, %s, %i working days skip weekends', async (_, from, days, due) => {
  const column = dueDay(from, sql`CAST(${String(days)} AS INTEGER)`, true);
  expect(await db.all(sql`SELECT ${column} AS "due"`)).toEqual([{ due }]);
});

test('A customer has three working days to answer, counted in the business’s time zone', () => {
  const env = { PLAN_DAYS: 'working', SITE_TIMEZONE: 'America/Los_Angeles' } as const;
  // Friday evening in Los Angeles, Saturday in UTC.
  const doneAt = Date.parse('2026-03-07T02:00:00Z');
  expect(answerDay(env, { dueDay: '2026-03-02', doneAt })).toBe('2026-03-11');
  expect(answerDay(env, { dueDay: '2026-03-20', doneAt })).toBe('2026-03-20');
});
