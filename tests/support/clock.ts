/** Time that stands still until a test moves it, so that no test depends on how long its own steps take. */
import { afterEach, beforeEach, vi } from 'vitest';

/** Holds the clock in every test of the file. */
export function holdClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export const moveClock = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms);
};
