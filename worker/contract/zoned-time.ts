/** Times as a clock in a time zone shows them: what an `<input type="datetime-local">` holds, and the instant that is meant. */

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Formats that were made before: making one takes longer than all else that an order's day needs. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  // Written so in Sweden: 2026-11-21 09:00.
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
 * The instant at which the clock shows a time; the earlier of two where it is put back, and one that it leaves out as if
 * it had not been put forward.
 * @param text as `toWallTime` gives it
 * @returns ISO 8601, UTC; undefined where the text is no time
 */
export function fromWallTime(text: string, timeZone: string): string | undefined {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // The clock may be changed within the day: its offsets before and after are tried.
  const candidates = [-dayMs, dayMs].map((aside) => asUtc - offsetAt(asUtc + aside, timeZone));
  const right = candidates.filter((at) => at + offsetAt(at, timeZone) === asUtc);
  return new Date(right.length > 0 ? Math.min(...right) : (candidates[0] ?? asUtc)).toISOString();
}
