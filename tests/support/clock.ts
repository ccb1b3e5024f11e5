/** Stops the clock until a test moves it, so that no test depends on how long its own steps take. */
import { beforeEach, vi } from 'vitest';

/**
 * Stops the clock in every test of the file.
 * @param ago how far the clock is behind at first, in ms. A database that reads its own clock then considers rows old
 *   that were written some time before the test's
 */
export function holdClock(ago = 0): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - ago });
  });
}

export const moveClock = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms);
};
