/** Sales over time as bars, and the same figures as a table for people who cannot see or would rather read them. */
import { useState } from 'react';
import { addDays } from '#contract/days.ts';
import { displayPrice } from '#contract/money.ts';
import type { SalesDay } from '#contract/orders.ts';
import { Table } from '#components/table.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { WhenLoaded } from '#site/islands/shared/failure.tsx';
import { Panel } from '../screen.tsx';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { salesBars, scaleTop, type SalesBar } from './sales-bars.ts';
import css from './sales-chart.module.css';

const spans = [
  { days: 30, label: '30 days' },
  { days: 91, label: '3 months' },
  { days: 364, label: '12 months' },
] as const;

interface Sales {
  readonly days: readonly SalesDay[];
  /** Last day of the chart: today, or the site's today where that is ahead of this clock. */
  readonly to: string;
  readonly span: number;
}

async function readSales(span: number, signal: AbortSignal): Promise<Sales> {
  const today = new Date().toISOString().slice(0, 10);
  const { data } = await makeCall('GET /sales', {
    query: { from: addDays(today, -span) },
    signal,
  });
  const to = data.reduce((latest, { day }) => (day > latest ? day : latest), today);
  return { days: data, to, span };
}

export function SalesChart() {
  const [span, setSpan] = useState<number>(30);
  const loaded = useLoaded(String(span), (signal) => readSales(span, signal));
  return (
    <Panel
      title="Sales over time"
      aside={
        <div role="group" aria-label="Time shown" className={css['spans']}>
          {spans.map(({ days, label }) => (
            <button
              key={days}
              type="button"
              className={css['span']}
              aria-pressed={days === span}
              onClick={() => setSpan(days)}
            >
              {label}
            </button>
          ))}
        </div>
      }
    >
      <WhenLoaded loaded={loaded} lines={6}>
        {({ days, to, span: shown }) => <Chart bars={salesBars(days, to, shown)} />}
      </WhenLoaded>
    </Panel>
  );
}

const dayFormat = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayText = (day: string) => dayFormat.format(new Date(day));
const barText = ({ from, to }: SalesBar) =>
  from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`;

/** Size of the drawing in its own units. */
const size = { width: 720, height: 200 } as const;

function Chart({ bars }: { readonly bars: readonly SalesBar[] }) {
  const total = bars.reduce((sum, { afterRefundsCents }) => sum + afterRefundsCents, 0);
  const top = scaleTop(Math.max(...bars.map(({ afterRefundsCents }) => afterRefundsCents)));
  const step = size.width / bars.length;
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <figure className={css['figure']}>
      <figcaption>
        <strong className={css['total']}>{displayPrice(total)}</strong> from orders placed in this time and
        paid, after refunds
      </figcaption>
      <div className={css['plot']} aria-hidden="true">
        <span className={css['scale']}>{displayPrice(top)}</span>
        <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" className={css['bars']}>
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              className={css['line']}
              x1="0"
              x2={size.width}
              y1={size.height * share}
              y2={size.height * share}
            />
          ))}
          {bars.map((bar, index) => {
            const height = (bar.afterRefundsCents / top) * size.height;
            return (
              <rect
                key={bar.from}
                className={css['bar']}
                x={index * step + step * 0.14}
                y={size.height - height}
                width={step * 0.72}
                height={height}
              >
                <title>{`${barText(bar)}: ${displayPrice(bar.afterRefundsCents)}`}</title>
              </rect>
            );
          })}
        </svg>
        <span className={css['axis']}>
          <span>{first && dayText(first.from)}</span>
          <span>{last && dayText(last.to)}</span>
        </span>
      </div>
      <details>
        <summary className={css['summary']}>Show the figures</summary>
        <Table
          caption="Sales over time"
          rows={bars.filter(({ orders }) => orders > 0)}
          rowKey={({ from }) => from}
          columns={[
            { key: 'time', header: 'Time', cell: barText },
            { key: 'orders', header: 'Orders', align: 'end', cell: ({ orders }) => orders },
            { key: 'paid', header: 'Paid', align: 'end', cell: ({ paidOrders }) => paidOrders },
            {
              key: 'sales',
              header: 'Sales',
              align: 'end',
              cell: ({ afterRefundsCents }) => displayPrice(afterRefundsCents),
            },
          ]}
          empty={<p>No orders in this time.</p>}
        />
      </details>
    </figure>
  );
}
