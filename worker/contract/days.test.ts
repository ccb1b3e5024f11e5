import { expect, test } from 'vitest';
import { addDays, dayOfDate, displayDate } from './days.ts';
import { dayIn } from './zoned-time.ts';

const newYear = Date.UTC(2026, 0, 1, 3);

test('A time falls on the day of its time zone', () => {
  expect(dayIn('UTC', newYear)).toBe('2026-01-01');
  expect(dayIn('America/New_York', newYear)).toBe('2025-12-31');
  expect(dayIn('Asia/Tokyo', Date.UTC(2025, 11, 31, 20))).toBe('2026-01-01');
  expect(displayDate('2026-01-31')).toBe('01/31/2026');
  expect(dayOfDate(displayDate('2026-01-31'))).toBe('2026-01-31');
});

test('Adding days crosses months, years and leap days', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
});

test('A day begins and ends at local midnight, even when daylight saving time begins or ends', () => {
  const ends = (at: number) => [at - 1, at].map((moment) => dayIn('America/Los_Angeles', moment));
  // March 14, 2027, has 23 hours there, and November 7 has 25.
  expect(ends(Date.UTC(2027, 2, 14, 8))).toEqual(['2027-03-13', '2027-03-14']);
  expect(ends(Date.UTC(2027, 2, 15, 7))).toEqual(['2027-03-14', '2027-03-15']);
  expect(ends(Date.UTC(2027, 10, 7, 7))).toEqual(['2027-11-06', '2027-11-07']);
  expect(ends(Date.UTC(2027, 10, 8, 8))).toEqual(['2027-11-07', '2027-11-08']);
});
