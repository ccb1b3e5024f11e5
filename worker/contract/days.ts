/** Days as text, YYYY-MM-DD. */

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  new Date(`${text}T00:00:00Z`).getTime() > 0 &&
  addDays(text, 0) === text;

/** Adds days to a day, or subtracts them if negative. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Formats a day as MM/DD/YYYY, for orders, emails and receipts. */
export const displayDate = (day: string): string => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;

/** The inverse of `displayDate`. */
export const dayOfDate = (date: string): string => `${date.slice(6)}-${date.slice(0, 2)}-${date.slice(3, 5)}`;

const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats a day as `April 9, 2027`, for articles. Returns any other text unchanged. */
export const longDate = (day: string): string =>
  isDay(day) ? longDay.format(new Date(`${day}T00:00:00Z`)) : day;
