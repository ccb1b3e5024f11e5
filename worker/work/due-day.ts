/** When a step is due, computed where the steps are copied: by SQL, in the batch of the payment. */
import { sql, type SQL } from 'drizzle-orm';
import { addDays } from '#contract/days.ts';

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
