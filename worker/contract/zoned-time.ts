/** Local times of a time zone: the value of an `<input type="datetime-local">`, and the instant that it means. */

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A cache of formats: creating one takes longer than everything else about the day of an order. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  // The Swedish format is ISO-like: 2026-11-21 09:00.
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(timeZone, format);
  return format;
}

/** @param at time in ms @returns such as `2027-01-31T09:00` */
export const toWallTime = (at: number, timeZone: string): string =>
  formatIn(timeZone).format(at).replace(' ', 'T');

/** The day on which a time falls. @param at time in ms @returns such as `2027-01-31` */
export const dayIn = (timeZone: string, at: number): string => toWallTime(at, timeZone).slice(0, 10);

/** How far the clock is ahead of UTC, in ms. */
const offsetAt = (at: number, timeZone: string): number =>
  Date.parse(`${toWallTime(at, timeZone)}Z`) - Math.floor(at / minuteMs) * minuteMs;

/**
 * The instant of a local time: the earlier of two when clocks go back; a time that is skipped when they go forward
 * counts as if they had not.
 * @param text as `toWallTime` gives it
 * @returns ISO 8601, UTC; undefined where the text is no time
 */
export function fromWallTime(text: string, timeZone: string): string | undefined {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // Clocks may change within the day, so the offsets before and after are tried.
  const candidates = [-dayMs, dayMs].map((aside) => asUtc - offsetAt(asUtc + aside, timeZone));
  const right = candidates.filter((at) => at + offsetAt(at, timeZone) === asUtc);
  return new Date(right.length > 0 ? Math.min(...right) : (candidates[0] ?? asUtc)).toISOString();
}
