/** Work that the answer does not wait for. */
import type { Context } from 'hono';
import type { AppEnv } from './app.ts';
import { describeError } from './log.ts';

/**
 * Does work after the answer is sent; the Worker stays alive until it is done.
 * @param onFailure logs what went wrong
 */
export function runInBackground(
  c: Context<AppEnv>,
  work: () => PromiseLike<unknown>,
  onFailure: (failure: ReturnType<typeof describeError>) => void,
): void {
  const done = async () => {
    try {
      await work();
    } catch (error) {
      onFailure(describeError(error));
    }
  };
  c.executionCtx.waitUntil(done());
}
