/** Days in the site's time zone. */
import type { Env } from '../env.ts';

/** The day of an instant in the site's time zone (UTC by default), YYYY-MM-DD. */
export function dayOf(env: Pick<Env, 'SITE_TIMEZONE'>, at: number): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: env.SITE_TIMEZONE ?? 'UTC',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((entry) => entry.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** YYYY-MM-DD as the orders show it, MM/DD/YYYY. */
export const displayDay = (day: string): string => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
