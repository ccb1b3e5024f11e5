/**
 * The day on which a step is due, computed in SQL in the batch of the payment, and the day by which its customer should
 * answer.
 */
import { sql, type SQL } from 'drizzle-orm';
import { addDays } from '#contract/days.ts';
import { dayOf, type Env } from '../env.ts';

const friday = 4;

/** Days since Monday. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/**
 * The day that is a number of days after another. Working days are Monday to Friday: from a weekend they count from the
 * Friday before, and 0 days from a weekend is Monday.
 * @param from YYYY-MM-DD
 * @param days a whole number, from 0
 */
export function dueDay(from: string, days: SQL, isWorkingDays: boolean): SQL<string> {
  if (!isWorkingDays) return sql<string>`date(${from}, '+' || ${days} || ' days')`;
  const afterFriday = Math.max(0, weekdayOf(from) - friday);
  const count = afterFriday > 0 ? sql`max(${days}, 1)` : days;
  // As a bound parameter the number would be a float, and the division would not be an integer one.
  const weekday = sql.raw(String(weekdayOf(from) - afterFriday));
  return sql<string>`date(${addDays(from, -afterFriday)}, '+' || (${count} + 2 * ((${weekday} + ${count}) / 5)) || ' days')`;
}

/**
 * How many days a customer has to answer a step, and we to make a change that they ask for; working days where plans
 * count those.
 */
const answerDays = 3;

/** The day that ends the time for an answer, or for a change that is asked for. @param day YYYY-MM-DD on which it begins */
export function answerDayFrom(env: Pick<Env, 'PLAN_DAYS'>, day: string): string {
  let end = day;
  for (let left = answerDays; left > 0;) {
    end = addDays(end, 1);
    if (env.PLAN_DAYS !== 'working' || weekdayOf(end) <= friday) left -= 1;
  }
  return end;
}

/**
 * The day by which the answer to a step is expected: the day the step is due, or later if we were late. @param doneAt
 * when we ticked it off, in ms
 */
export function answerDay(
  env: Pick<Env, 'PLAN_DAYS' | 'SITE_TIMEZONE'>,
  step: { readonly dueDay: string; readonly doneAt: number },
): string {
  const end = answerDayFrom(env, dayOf(env, step.doneAt));
  return end > step.dueDay ? end : step.dueDay;
}
