/** When a step is due, as SQL that runs in the payment's batch, and by when its customer should answer. */
import { sql, type SQL } from 'drizzle-orm';
import { addDays } from '#contract/days.ts';
import { dayOf, type Env } from '../env.ts';

const friday = 4;

/** Days since Monday: 0 to 6. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/**
 * The day a number of days after `from`. Working days are Monday to Friday. From a weekend, they count from the
 * Friday before, so 0 days from a weekend is Monday.
 * @param from YYYY-MM-DD
 * @param days a whole number, 0 or more
 */
export function dueDay(from: string, days: SQL, isWorkingDays: boolean): SQL<string> {
  if (!isWorkingDays) return sql<string>`date(${from}, '+' || ${days} || ' days')`;
  const afterFriday = Math.max(0, weekdayOf(from) - friday);
  const count = afterFriday > 0 ? sql`max(${days}, 1)` : days;
  // A bound parameter would be a float, and SQLite would not divide as integers.
  const weekday = sql.raw(String(weekdayOf(from) - afterFriday));
  return sql<string>`date(${addDays(from, -afterFriday)}, '+' || (${count} + 2 * ((${weekday} + ${count}) / 5)) || ' days')`;
}

/**
 * How many days a customer has to answer a step, and how many we have to make a change they ask for. Working days
 * if `PLAN_DAYS` says so.
 */
const answerDays = 3;

/**
 * The last day for an answer or a requested change.
 * @param day YYYY-MM-DD, the day the time starts
 */
export function answerDayFrom(env: Pick<Env, 'PLAN_DAYS'>, day: string): string {
  let end = day;
  for (let left = answerDays; left > 0;) {
    end = addDays(end, 1);
    if (env.PLAN_DAYS !== 'working' || weekdayOf(end) <= friday) left -= 1;
  }
  return end;
}

/**
 * The day by which we expect the answer to a step: the day the step is due, or later if we finished it late.
 * @param step `doneAt` is when we completed it, in ms
 */
export function answerDay(
  env: Pick<Env, 'PLAN_DAYS' | 'SITE_TIMEZONE'>,
  step: { readonly dueDay: string; readonly doneAt: number },
): string {
  const end = answerDayFrom(env, dayOf(env, step.doneAt));
  return end > step.dueDay ? end : step.dueDay;
}
