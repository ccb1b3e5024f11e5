import { expect, test } from 'vitest';
import { maxTries, retryDelayMs } from './outbox.ts';

const hour = 3_600_000;
const dayMs = 24 * hour;

test('An email is tried for three days before it waits for a person', () => {
  const waits = Array.from({ length: maxTries - 1 }, (_, index) => retryDelayMs(index + 1));
  const all = waits.reduce((sum, wait) => sum + wait, 0);
  expect(all).toBeGreaterThanOrEqual(3 * dayMs);
  expect(all).toBeLessThan(3 * dayMs + 2 * hour);
});
