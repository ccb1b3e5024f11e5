/** Work that the answer does not wait for. */
import type { RequestDeps } from './app.ts';
import { describeError } from './log.ts';

/**
 * Does work after the answer is sent; the Worker stays alive until it is done.
 * @param onFailure logs what went wrong
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
