/** Times in ms, and time spans that stay correct if the clock is changed. */

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** A time in ms as the API sends it (ISO 8601); null if there is none. */
export const momentOf = (at: number | null | undefined): string | null =>
  at == null ? null : new Date(at).toISOString();

/**
 * How much of a span is left, in ms; 0 when it is over. If a span begins further in the future than its own length, it
 * was recorded before the clock was set back. It counts as over, so that no one waits that long.
 */
export const remainingMs = (since: number, lengthMs: number, now: number = Date.now()): number =>
  Math.abs(now - since) < lengthMs ? Math.min(lengthMs, since + lengthMs - now) : 0;

/**
 * How long one cron job may run, in ms. The next run does the rest of its work. A slow service may take many seconds
 * per call, and a run of more than five minutes looks like a stopped cron trigger.
 */
export const jobLimitMs = 60_000;
