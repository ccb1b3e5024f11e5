/** Computes when a step is due, as SQL that runs in the payment's batch, and when the customer should answer. */
import { sql, type SQL } from 'drizzle-orm';
import { addDays } from '#contract/days.ts';
import { dayOf, type Env } from '../env.ts';

type Calendar = Pick<Env, 'PLAN_DAYS' | 'PLAN_HOLIDAYS'>;

const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

/** Returns a function that says whether a day counts. Holidays are `MM-DD` for every year, or `YYYY-MM-DD`. */
function countedDays({ PLAN_DAYS, PLAN_HOLIDAYS = '' }: Calendar): (day: string) => boolean {
  if (PLAN_DAYS !== 'working') return () => true;
  const holidays = new Set(PLAN_HOLIDAYS.split(',').map((day) => day.trim()));
  return (day) => !isWeekend(day) && !holidays.has(day) && !holidays.has(day.slice('YYYY-'.length));
}

/** A step has 0 to 365 days. */
const maxDays = 366;

/**
 * The day that is a number of counted days after `from`. If `from` does not count, 0 and 1 both give the next day that
 * does.
 * @param from YYYY-MM-DD
 * @param days a whole number from 0 to 365
 */
export function dueDay(env: Calendar, from: string, days: SQL): SQL<string> {
  const counts = countedDays(env);
  const following: string[] = [];
  for (let day = from; following.length < maxDays; day = addDays(day, 1))
    if (counts(day)) following.push(day);
  const byCount = counts(from) ? following : [following[0], ...following];
  return sql<string>`json_extract(${JSON.stringify(byCount)}, '$[' || ${days} || ']')`;
}

/** How many days a customer has to answer a step, and how many we have to make a change that they ask for. */
const answerDays = 3;

/**
 * The last day for an answer or a requested change.
 * @param day YYYY-MM-DD, the start of the period
 */
export function answerDayFrom(env: Calendar, day: string): string {
  const counts = countedDays(env);
  let end = day;
  let left = answerDays;
  while (left > 0) {
    end = addDays(end, 1);
    if (counts(end)) left -= 1;
  }
  return end;
}

/**
 * The day by which we expect the answer to a step: the day the step is due, or later if we finished it late.
 * @param step `doneAt` is when we completed it, in ms
 */
export function answerDay(
  env: Calendar & Pick<Env, 'SITE_TIMEZONE'>,
  step: { readonly dueDay: string; readonly doneAt: number },
): string {
  const end = answerDayFrom(env, dayOf(env, step.doneAt));
  return end > step.dueDay ? end : step.dueDay;
}
