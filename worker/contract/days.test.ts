import { expect, test } from 'vitest';
import { addDays, displayDate } from './days.ts';
import { dayIn } from './zoned-time.ts';

const newYear = Date.UTC(2026, 0, 1, 3);

test('A day is the day in its time zone', () => {
  expect(dayIn('UTC', newYear)).toBe('2026-01-01');
  expect(dayIn('America/New_York', newYear)).toBe('2025-12-31');
  expect(dayIn('Asia/Tokyo', Date.UTC(2025, 11, 31, 20))).toBe('2026-01-01');
  expect(displayDate('2026-01-31')).toBe('01/31/2026');
});

test('Days are counted over months, years and leap days', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
});
