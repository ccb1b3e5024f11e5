/** A time, shown in the site's time zone or relative to now. */
import { useSyncExternalStore } from 'react';
import { displayTimeIn } from '#contract/zoned-time.ts';

/** The site's time zone, which the Worker writes into the page; undefined uses the reader's own. */
export const siteZone = (): string | undefined =>
  typeof document === 'undefined' ? undefined : document.documentElement.dataset['timeZone'];

/** A date and time in the site's zone. */
export const displayTime = (at: string): string => displayTimeIn(at, siteZone());

interface DateTimeProps {
  /** ISO 8601. */
  readonly at: string;
  readonly className?: string | undefined;
}

export const DateTime = ({ at, className }: DateTimeProps) => (
  <time dateTime={at} className={className}>
    {displayTime(at)}
  </time>
);

const ago = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });
/** Thirty days ago is not always 'last month'. */
const months = new Intl.RelativeTimeFormat('en-US', { numeric: 'always' });
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long ago a time was, in its largest unit. @param now time in ms */
export function displayAge(at: string, now: number): string {
  const passed = now - Date.parse(at);
  // The reader's clock may be behind.
  if (passed < minuteMs) return 'just now';
  if (passed < hourMs) return ago.format(-Math.floor(passed / minuteMs), 'minute');
  if (passed < dayMs) return ago.format(-Math.floor(passed / hourMs), 'hour');
  if (passed < 30 * dayMs) return ago.format(-Math.floor(passed / dayMs), 'day');
  if (passed < 365 * dayMs) return months.format(-Math.floor(passed / (30 * dayMs)), 'month');
  return months.format(-Math.floor(passed / (365 * dayMs)), 'year');
}

/** The current minute, so that displayed ages update by themselves. */
const thisMinute = () => Math.floor(Date.now() / minuteMs) * minuteMs;
function onMinute(onTick: () => void) {
  const timer = setInterval(onTick, minuteMs);
  return () => clearInterval(timer);
}

/** Shows how long ago a time was. Hovering shows the exact time. */
export function RelativeTime({ at, className }: DateTimeProps) {
  const now = useSyncExternalStore(onMinute, thisMinute, thisMinute);
  return (
    <time dateTime={at} title={displayTime(at)} className={className}>
      {displayAge(at, now)}
    </time>
  );
}
