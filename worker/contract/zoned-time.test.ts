import { expect, test } from 'vitest';
import { displayTimeIn, fromWallTime, monthIn, toWallTime, zoneName } from './zoned-time.ts';

test('A local time is the right instant in its time zone, even when daylight saving time begins or ends', () => {
  for (const [text, timeZone, instant] of [
    ['2027-01-31T09:00', 'UTC', '2027-01-31T09:00:00.000Z'],
    ['2027-01-31T09:00', 'America/New_York', '2027-01-31T14:00:00.000Z'],
    ['2027-07-31T09:00', 'America/New_York', '2027-07-31T13:00:00.000Z'],
    ['2027-01-01T00:30', 'Asia/Kolkata', '2026-12-31T19:00:00.000Z'],
    // Clocks go forward on March 14, at 2:00, and back on November 7, at 2:00.
    ['2027-03-14T01:30', 'America/New_York', '2027-03-14T06:30:00.000Z'],
    ['2027-03-14T03:30', 'America/New_York', '2027-03-14T07:30:00.000Z'],
    ['2027-11-07T01:30', 'America/New_York', '2027-11-07T05:30:00.000Z'],
    ['2027-11-07T02:30', 'America/New_York', '2027-11-07T07:30:00.000Z'],
  ] as const) {
    expect(fromWallTime(text, timeZone), `${text} ${timeZone}`).toBe(instant);
    expect(toWallTime(Date.parse(instant), timeZone)).toBe(text);
  }
  expect(fromWallTime('2027-03-14T02:30', 'America/New_York')).toBe('2027-03-14T07:30:00.000Z');
  expect(fromWallTime('', 'UTC')).toBeUndefined();
});

test('A month begins and ends at local midnight, even if daylight saving time begins or ends within it', () => {
  const inIso = ({ from, to }: ReturnType<typeof monthIn>) =>
    [from, to].map((at) => new Date(at).toISOString());
  expect(inIso(monthIn('UTC', '2026-12'))).toEqual(['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']);
  expect(inIso(monthIn('America/Chicago', '2027-03'))).toEqual([
    '2027-03-01T06:00:00.000Z',
    '2027-04-01T05:00:00.000Z',
  ]);
});

test('A time zone has the name that Americans use', () => {
  expect(['America/Chicago', 'America/Phoenix', 'UTC'].map(zoneName)).toEqual([
    'Central Time',
    'Mountain Standard Time',
    'UTC',
  ]);
});

test('A time is shown in its zone, with the name of the zone', () => {
  expect(displayTimeIn('2026-11-24T15:00:00Z', 'America/Chicago')).toBe('Nov 24, 2026, 9:00 AM CST');
  // When it is late in the evening in Chicago, it is already the next day in London.
  expect(displayTimeIn('2026-11-25T04:48:00Z', 'America/Chicago')).toBe('Nov 24, 2026, 10:48 PM CST');
});
