import { createClient } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { expect, test } from 'vitest';
import { answerDay, dueDay } from './due-day.ts';

const db = drizzle(createClient({ url: ':memory:' }));

async function dueAfter(env: Parameters<typeof dueDay>[0], from: string, days: number): Promise<unknown> {
  const column = dueDay(env, from, sql`CAST(${String(days)} AS INTEGER)`);
  const [row] = await db.all<{ due: unknown }>(sql`SELECT ${column} AS "due"`);
  return row?.due;
}

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
  expect(await dueAfter({ PLAN_DAYS: 'working' }, from, days)).toBe(due);
});

test.each([
  ['2026-12-23', 0, '2026-12-23'],
  ['2026-12-23', 2, '2026-12-29'],
  ['2026-12-25', 0, '2026-12-28'],
  ['2026-12-25', 1, '2026-12-28'],
  ['2027-12-24', 1, '2027-12-27'],
  ['2027-12-31', 1, '2028-01-04'],
])('From %s, %i working days skip holidays, each year or in one', async (from, days, due) => {
  const env = { PLAN_DAYS: 'working', PLAN_HOLIDAYS: '12-25, 2026-12-24,2028-01-03' };
  expect(await dueAfter(env, from, days)).toBe(due);
});

test('With calendar days, every day counts, up to a year', async () => {
  const env = { PLAN_HOLIDAYS: '12-25' };
  expect([await dueAfter(env, '2026-12-24', 1), await dueAfter(env, '2027-01-01', 365)]).toEqual([
    '2026-12-25',
    '2028-01-01',
  ]);
});

test('A customer has three working days to answer, counted in the business’s time zone', () => {
  const env = { PLAN_DAYS: 'working', SITE_TIMEZONE: 'America/Los_Angeles' } as const;
  // Friday evening in Los Angeles, Saturday in UTC.
  const doneAt = Date.parse('2026-03-07T02:00:00Z');
  expect(answerDay(env, { dueDay: '2026-03-02', doneAt })).toBe('2026-03-11');
  expect(answerDay(env, { dueDay: '2026-03-20', doneAt })).toBe('2026-03-20');
});
