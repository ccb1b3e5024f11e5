/** Groups sales into bars of days, weeks or months for a chart. Periods without orders count too. */
import { addDays } from '#contract/days.ts';
import { displayPrice } from '#contract/money.ts';
import type { SalesDay } from '#contract/orders.calls.ts';
import { dayIn } from '#contract/zoned-time.ts';
import { siteZone } from '#site/ui/date-time.tsx';

/** The last day of the chart. Sales are counted by the site's days, which may differ from the reader's. */
export const todayAtSite = (): string => dayIn(siteZone() ?? 'UTC', Date.now());

export interface SalesBar {
  /** The first and last day, as YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly afterRefundsCents: number;
  readonly paidOrders: number;
  readonly orders: number;
}

/** The number of days per bar for a period of this many days, so that the chart has at most about thirty bars. */
const daysPerBar = (days: number): number => (days <= 31 ? 1 : Math.ceil(days / 30 / 7) * 7);

/** @param to the last day; bars are counted backward from it @param days their number, including the last one */
export function salesBars(sales: readonly SalesDay[], to: string, days: number): readonly SalesBar[] {
  const width = daysPerBar(days);
  return Array.from({ length: Math.ceil(days / width) }, (_, index) => {
    const last = addDays(to, -index * width);
    const first = addDays(last, 1 - width);
    const inside = sales.filter(({ day }) => day >= first && day <= last);
    const sum = (value: (day: SalesDay) => number) => inside.reduce((total, day) => total + value(day), 0);
    return {
      from: first,
      to: last,
      afterRefundsCents: sum(({ afterRefundsCents }) => afterRefundsCents),
      paidOrders: sum(({ paidOrders }) => paidOrders),
      orders: sum(({ orders }) => orders),
    };
  }).reverse();
}

/** A round number of cents at or above the tallest bar, for the top of the scale. */
export function scaleTop(cents: number): number {
  if (cents <= 0) return 10_000;
  const magnitude = 10 ** Math.floor(Math.log10(cents));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= cents) ?? 10;
  return step * magnitude;
}

export function compareSales(cents: number, before: number, days: number): string {
  const earlier = `the ${days} days before (${displayPrice(before)})`;
  if (cents === 0 && before === 0) return `Nothing in the ${days} days before, either.`;
  if (cents === before) return `As much as in ${earlier}.`;
  if (before <= 0) return `More than in ${earlier}.`;
  const percent = Math.round((Math.abs(cents - before) / before) * 100);
  return `${percent === 0 ? 'About as much as' : `${percent.toLocaleString('en-US')}% ${cents > before ? 'more than' : 'less than'}`} in ${earlier}.`;
}
