import { expect, test } from 'vitest';
import { addDays } from '#contract/days.ts';
import { dayOf, displayDay } from './dates.ts';

const newYear = Date.UTC(2026, 0, 1, 3);

test('A day is the day in the site’s time zone', () => {
  expect(dayOf({}, newYear)).toBe('2026-01-01');
  expect(dayOf({ SITE_TIMEZONE: 'America/New_York' }, newYear)).toBe('2025-12-31');
  expect(dayOf({ SITE_TIMEZONE: 'Asia/Tokyo' }, Date.UTC(2025, 11, 31, 20))).toBe('2026-01-01');
  expect(displayDay('2026-01-31')).toBe('01/31/2026');
});

test('Days are counted over months, years and leap days', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
});
