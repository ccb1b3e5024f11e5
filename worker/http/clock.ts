/** Spans of time by a clock that may be set right meanwhile. */

/**
 * How much is left of a span, in ms; 0 where it is over. One that begins further ahead than it is long was noted before the
 * clock was set back: it is over too, so that nobody waits until that time comes.
 */
export const remainingMs = (since: number, lengthMs: number, now: number = Date.now()): number =>
  Math.abs(now - since) < lengthMs ? Math.min(lengthMs, since + lengthMs - now) : 0;

/**
 * How long one kind of work of the cron goes on, in ms, before what is left waits for the next minute: a service that hangs
 * answers each of its calls after many seconds, and a run that outlasts five minutes counts as a stopped cron.
 */
export const runMs = 60_000;
