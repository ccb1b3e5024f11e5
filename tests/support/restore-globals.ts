/** Restores the real clock and mocked methods after each test, and replaced globals after each file. */
import { afterAll, afterEach, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(() => {
  vi.unstubAllGlobals();
});
