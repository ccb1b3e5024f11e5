/** Converts between instants and local times, which are values of an `<input type="datetime-local">`. */
import { addDays } from './days.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A cache, because creating a formatter takes longer than everything else when formatting an order's day. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  // The Swedish format is ISO-like: 2026-11-21 09:00.
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(timeZone, format);
  return format;
}

/** The local time of an instant. @param at time in ms @returns such as `2027-01-31T09:00` */
export const toWallTime = (at: number, timeZone: string): string =>
  formatIn(timeZone).format(at).replace(' ', 'T');

/** The local day of an instant. @param at time in ms @returns such as `2027-01-31` */
export const dayIn = (timeZone: string, at: number): string => toWallTime(at, timeZone).slice(0, 10);

/** A cache, because long lists show many times. */
const timeFormats = new Map<string | undefined, Intl.DateTimeFormat>();

/**
 * Formats a date and time with the name of the time zone, because readers may be in another zone.
 * @param at ISO 8601, or ms
 * @param timeZone undefined for the reader's own
 */
export function displayTimeIn(at: string | number, timeZone: string | undefined): string {
  const format =
    timeFormats.get(timeZone) ??
    // None of the date and time styles includes the time zone's name.
    new Intl.DateTimeFormat('en-US', {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      timeZoneName: 'short',
      timeZone,
    });
  timeFormats.set(timeZone, format);
  return format.format(new Date(at));
}

/** The name of a time zone in any season, such as 'Central Time'. A zone that is only an offset keeps its name. */
export function zoneName(timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' });
  const name = format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return name.startsWith('GMT') ? timeZone : name;
}

/** How far local time is ahead of UTC, in ms. */
const offsetAt = (at: number, timeZone: string): number =>
  Date.parse(`${toWallTime(at, timeZone)}Z`) - Math.floor(at / minuteMs) * minuteMs;

/**
 * The instant of a local time. If clocks go back and the time occurs twice, it is the earlier instant. If clocks go
 * forward and skip the time, it is the instant as if the clocks had not changed.
 * @param text in the format of `toWallTime`
 * @returns ISO 8601, UTC; undefined if the text is not a time
 */
export function fromWallTime(text: string, timeZone: string): string | undefined {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // The offset may change within the day, so this tries the offsets of the day before and the day after.
  const candidates = [-dayMs, dayMs].map((aside) => asUtc - offsetAt(asUtc + aside, timeZone));
  const matching = candidates.filter((at) => at + offsetAt(at, timeZone) === asUtc);
  return new Date(matching.length > 0 ? Math.min(...matching) : (candidates[0] ?? asUtc)).toISOString();
}

/**
 * A month in local time.
 * @param month such as `2027-01`
 * @returns the first moment of the month and of the next month, in ms
 */
export function monthIn(timeZone: string, month: string): { readonly from: number; readonly to: number } {
  const startOf = (text: string) => Date.parse(fromWallTime(`${text}-01T00:00`, timeZone) ?? '');
  return { from: startOf(month), to: startOf(addDays(`${month}-01`, 31).slice(0, 7)) };
}
