/** Cloudflare's rate limit, a first filter before the rate limits in the database (`limits/rate-limits.ts`). */
import type { RequestDeps } from './app.ts';
import { tooManyRequests } from './errors.ts';
import { describeError } from './log.ts';
import { clientAddress } from './network-address.ts';

/** Whether Cloudflare's rate limit lets a caller through. If the limiter fails, it does. */
async function isWithinFlood(deps: RequestDeps): Promise<boolean> {
  try {
    return (await deps.env.FLOOD_LIMIT.limit({ key: clientAddress(deps) })).success;
  } catch (error) {
    deps.log('flood-limit.failed', describeError(error));
    return true;
  }
}

/**
 * Rejects most of a flood before we query the database. `mount` runs this for each call that lists 429.
 * @throws ApiError 429 with Retry-After
 */
export async function checkFlood(deps: RequestDeps): Promise<void> {
  if (!(await isWithinFlood(deps)))
    throw tooManyRequests('You have tried this too many times. Please wait 1 minute and try again.', 60);
}
