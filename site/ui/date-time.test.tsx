import { expect, test } from 'vitest';
import { displayAge } from './date-time.tsx';

test('Readers see how long ago a time was, in the largest unit', () => {
  const now = Date.UTC(2026, 5, 15, 12);
  const age = (ms: number) => displayAge(new Date(now - ms).toISOString(), now);
  const hourMs = 3_600_000;
  expect([age(-hourMs), age(59_999)]).toEqual(['just now', 'just now']);
  expect([age(60_000), age(59 * 60_000)]).toEqual(['1 minute ago', '59 minutes ago']);
  expect([age(hourMs), age(23 * hourMs)]).toEqual(['1 hour ago', '23 hours ago']);
  expect([age(24 * hourMs), age(29 * 24 * hourMs)]).toEqual(['yesterday', '29 days ago']);
  expect([age(31 * 24 * hourMs), age(364 * 24 * hourMs)]).toEqual(['1 month ago', '12 months ago']);
  expect(age(800 * 24 * hourMs)).toBe('2 years ago');
});
