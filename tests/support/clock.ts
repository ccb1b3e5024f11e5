/** Time that stands still until a test moves it, so that no test depends on how long its own steps take. */
import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Holds the clock in every test of the file.
 * @param ago by how much, in ms, it is behind at first: a database that looks at its own clock then finds old what was
 *   made some time before the test's
 */
export function holdClock(ago = 0): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - ago });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export const moveClock = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms);
};
