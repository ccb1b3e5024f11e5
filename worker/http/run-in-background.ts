import type { RequestDeps } from './app.ts';
import { describeError } from './log.ts';

/**
 * Runs work without delaying the response. The Worker stays alive until the work is done.
 * @param onFailure logs the error
 */
export function runInBackground(
  { waitUntil }: Pick<RequestDeps, 'waitUntil'>,
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
  waitUntil(done());
}
