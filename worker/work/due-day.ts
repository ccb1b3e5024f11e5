/** When a step is due, computed where the steps are copied: by SQL, in the batch of the payment; and when its customer's answer is. */
import { sql, type SQL } from 'drizzle-orm';
import { addDays } from '#contract/days.ts';
import { dayOf, type Env } from '../env.ts';

const friday = 4;

/** Days since Monday. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/**
 * The day so many days after another. Of working days, Monday to Friday, those of a weekend count from the Friday before it,
 * and what is due at once on a weekend is due on Monday.
 * @param from YYYY-MM-DD
 * @param days a whole number, from 0
 */
export function dueDay(from: string, days: SQL, isWorkingDays: boolean): SQL<string> {
  if (!isWorkingDays) return sql<string>`date(${from}, '+' || ${days} || ' days')`;
  const afterFriday = Math.max(0, weekdayOf(from) - friday);
  const count = afterFriday > 0 ? sql`max(${days}, 1)` : days;
  // The parameter of a driver would be a fraction, and divided as one.
  const weekday = sql.raw(String(weekdayOf(from) - afterFriday));
  return sql<string>`date(${addDays(from, -afterFriday)}, '+' || (${count} + 2 * ((${weekday} + ${count}) / 5)) || ' days')`;
}

/** So many days a customer has for their answer to a step, and we for a change that they ask for; working days where plans count those. */
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

/** By when the answer to a step is wanted: the day the step is due, or later where we were. @param doneAt when we ticked it off, in ms */
export function answerDay(
  env: Pick<Env, 'PLAN_DAYS' | 'SITE_TIMEZONE'>,
  step: { readonly dueDay: string; readonly doneAt: number },
): string {
  const end = answerDayFrom(env, dayOf(env, step.doneAt));
  return end > step.dueDay ? end : step.dueDay;
}
