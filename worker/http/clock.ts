/** Spans of time by a clock that may be set right meanwhile. */

/**
 * How much is left of a span, in ms; 0 where it is over. One that begins further ahead than it is long was noted before the
 * clock was set back: it is over too, so that nobody waits until that time comes.
 */
export const remainingMs = (since: number, lengthMs: number, now: number = Date.now()): number =>
  Math.abs(now - since) < lengthMs ? Math.min(lengthMs, since + lengthMs - now) : 0;
