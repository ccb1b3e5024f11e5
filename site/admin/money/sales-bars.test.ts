import { describe, expect, test, vi } from 'vitest';
import { addDays } from '#contract/days.ts';
import { compareSales, salesBars, scaleTop, todayAtSite } from './sales-bars.ts';

const sale = (day: string, afterRefundsCents: number) => ({
  day,
  orders: 2,
  paidOrders: 1,
  paidCents: 1_000_000,
  afterRefundsCents,
});

describe('The bars of the sales chart', () => {
  test('show every day of a month, including days without orders', () => {
    const bars = salesBars([sale('2026-11-20', 49_900), sale('2026-11-21', 100)], '2026-11-21', 30);
    expect(bars).toHaveLength(30);
    expect(bars[0]?.from).toBe('2026-10-23');
    expect(bars.at(-1)).toEqual({
      from: '2026-11-21',
      to: '2026-11-21',
      afterRefundsCents: 100,
      paidOrders: 1,
      orders: 2,
    });
    expect(bars.reduce((total, { afterRefundsCents }) => total + afterRefundsCents, 0)).toBe(50_000);
  });

  test('show weeks for a longer period, without gaps or overlaps', () => {
    const bars = salesBars(
      [sale('2026-11-15', 1), sale('2026-11-21', 2), sale('2026-11-14', 4)],
      '2026-11-21',
      91,
    );
    expect(bars.map(({ afterRefundsCents }) => afterRefundsCents).slice(-2)).toEqual([4, 3]);
    for (const [index, bar] of bars.entries())
      if (index > 0) expect(bar.from).toBe(addDays(bars[index - 1]?.to ?? '', 1));
  });

  test('are never too many for a small window', () => {
    for (const days of [7, 30, 91, 365, 1_000])
      expect(salesBars([], '2026-11-21', days).length).toBeLessThan(32);
  });
});

test.each([
  [0, 10_000],
  [1, 1],
  [99, 100],
  [49_900, 50_000],
  [150_100, 200_000],
  [240_000, 250_000],
  [250_001, 500_000],
  [990_000, 1_000_000],
])('Sales of %i cents fit on a scale that ends at %i', (cents, top) => {
  expect(scaleTop(cents)).toBe(top);
});

test('Sales are compared with the same number of preceding days', () => {
  expect(compareSales(15_000, 10_000, 30)).toBe('50% more than in the 30 days before ($100).');
  expect(compareSales(1_000_000, 10_000, 30)).toBe('9,900% more than in the 30 days before ($100).');
  expect(compareSales(5_000, 10_000, 30)).toBe('50% less than in the 30 days before ($100).');
  expect(compareSales(0, 0, 30)).toBe('Nothing in the 30 days before, either.');
  expect(compareSales(100, 0, 30)).toBe('More than in the 30 days before ($0).');
  expect(compareSales(100_001, 100_000, 30)).toBe('About as much as in the 30 days before ($1,000).');
});

test("The chart ends on the site's current day, wherever its reader is", () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-28T02:51:00Z') });
  vi.stubGlobal('document', { documentElement: { dataset: { timeZone: 'America/Chicago' } } });
  expect(todayAtSite()).toBe('2026-11-27');
  vi.unstubAllGlobals();
});
