/** A point in time as the reader's clock shows it, or as long ago as it is. */
import { useSyncExternalStore } from 'react';

const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** The same with the name of the time zone, which no style of a date has. */
const formatIn = (zone: string) =>
  new Intl.DateTimeFormat('en-US', {
    ...{ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: 'numeric' },
    timeZoneName: 'short',
    ...(zone !== 'local' && { timeZone: zone }),
  });

interface MomentProps {
  /** ISO 8601. */
  readonly at: string;
  readonly className?: string | undefined;
}

interface ZonedProps extends MomentProps {
  /** An IANA time zone, or `local` for the reader's own; it is named where people of several zones agree on a time. */
  readonly zone?: string;
}

export function Moment({ at, zone, className }: ZonedProps) {
  return (
    <time dateTime={at} className={className}>
      {(zone === undefined ? format : formatIn(zone)).format(new Date(at))}
    </time>
  );
}

const ago = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });
/** Thirty days ago need not be 'last month'. */
const months = new Intl.RelativeTimeFormat('en-US', { numeric: 'always' });
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long ago something was, in its largest unit. @param now time in ms */
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

/** The clock to the minute, so that what is shown grows old by itself. */
const thisMinute = () => Math.floor(Date.now() / minuteMs) * minuteMs;
function onMinute(onTick: () => void) {
  const timer = setInterval(onTick, minuteMs);
  return () => clearInterval(timer);
}

/** How long ago something was; a pointer that rests on it reads when. */
export function Age({ at, className }: MomentProps) {
  const now = useSyncExternalStore(onMinute, thisMinute, thisMinute);
  return (
    <time dateTime={at} title={format.format(new Date(at))} className={className}>
      {displayAge(at, now)}
    </time>
  );
}
