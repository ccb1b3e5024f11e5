/** Sales over time as a bar chart, and as a table for people who cannot see the chart or who prefer numbers. */
import { useState, type PointerEvent } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { counted } from '#contract/counted.ts';
import { addDays } from '#contract/days.ts';
import { displayPrice } from '#contract/money.ts';
import { Card } from '#site/ui/card.tsx';
import { Table } from '#site/ui/table.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { responseQuery } from '#site/app/query.ts';
import { compareSales, salesBars, scaleTop, todayAtSite, type SalesBar } from './sales-bars.ts';
import { cluster, row, spread, stack } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import summary from '#site/ui/summary.module.css';
import toggle from '#site/ui/toggle.module.css';
import css from './sales-chart.module.css';

const spans = [
  { days: 30, label: '30 days' },
  { days: 91, label: '3 months' },
  { days: 364, label: '12 months' },
] as const;

export function SalesChart() {
  const [span, setSpan] = useState<number>(30);
  const today = todayAtSite();
  // Reads a period twice as long, because the chart compares the period with the previous one.
  const { queryKey, queryFn } = responseQuery('GET /sales', { query: { from: addDays(today, -2 * span) } });
  const sales = useQuery({
    queryKey,
    queryFn: async (context) => ({ days: (await queryFn(context)).data, span }),
    placeholderData: keepPreviousData,
  });
  return (
    <Card
      title="Sales over time"
      aside={
        <div role="group" aria-label="Period shown" className={cluster(1)}>
          {spans.map(({ days, label }) => (
            <button
              key={days}
              type="button"
              className={classNames(toggle['toggle'], css['span'])}
              aria-pressed={days === span}
              onClick={() => setSpan(days)}
            >
              {label}
            </button>
          ))}
        </div>
      }
    >
      <QueryBoundary query={sales} lines={6}>
        {({ days, span: shown }) => {
          const bars = salesBars(days, today, shown);
          const before = salesBars(days, addDays(bars[0]?.from ?? today, -1), shown);
          return <Chart bars={bars} before={before} span={shown} />;
        }}
      </QueryBoundary>
    </Card>
  );
}

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayText = (day: string) => dayFormat.format(new Date(day));
const barText = ({ from, to }: SalesBar) =>
  from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`;

/** The size of the SVG drawing in its own units. */
const size = { width: 720, height: 200 } as const;

const totalOf = (bars: readonly SalesBar[]) =>
  bars.reduce((sum, { afterRefundsCents }) => sum + afterRefundsCents, 0);

interface ChartProps {
  readonly bars: readonly SalesBar[];
  /** The same number of bars for the previous period. */
  readonly before: readonly SalesBar[];
  /** The days in the chart. */
  readonly span: number;
}

function Chart({ bars, before, span }: ChartProps) {
  const [pointed, setPointed] = useState<number>();
  const all = [...bars, ...before];
  const top = scaleTop(Math.max(...all.map(({ afterRefundsCents }) => afterRefundsCents)));
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <figure className={stack(4)}>
      <figcaption>
        <strong className="heading">{displayPrice(totalOf(bars))}</strong> from paid orders placed in this
        period, after refunds. {compareSales(totalOf(bars), totalOf(before), span)}
      </figcaption>
      <Reading
        bar={pointed === undefined ? undefined : bars[pointed]}
        earlier={before[pointed ?? -1]}
        span={span}
      />
      <div className={stack(1, 'note', css['plot'])}>
        <span aria-hidden="true">{displayPrice(top)}</span>
        <Plot bars={bars} before={before} top={top} pointed={pointed} onPoint={setPointed} />
        <span className={spread(2)} aria-hidden="true">
          <span>{first && dayText(first.from)}</span>
          <span>{last && dayText(last.to)}</span>
        </span>
      </div>
      <details>
        <summary className={classNames(summary['summary'], summary['small'])}>Show the figures</summary>
        <Table
          caption="Sales over time"
          rows={bars.filter(({ orders }) => orders > 0).map((bar) => ({ ...bar, _id: bar.from }))}
          columns={[
            { header: 'Time', cell: barText },
            { header: 'Orders', align: 'end', cell: ({ orders }) => orders },
            { header: 'Paid', align: 'end', cell: ({ paidOrders }) => paidOrders },
            {
              header: 'Sales',
              align: 'end',
              cell: ({ afterRefundsCents }) => displayPrice(afterRefundsCents),
            },
          ]}
          empty={<p>No orders in this period.</p>}
        />
      </details>
    </figure>
  );
}

interface PlotProps extends Pick<ChartProps, 'bars' | 'before'> {
  /** The top of the scale, in cents. */
  readonly top: number;
  /** The selected bar. */
  readonly pointed: number | undefined;
  readonly onPoint: (index: number | undefined) => void;
}

/** The drawing. Bars are selected by moving the pointer over it, or with the arrow keys through a slider. */
function Plot({ bars, before, top, pointed, onPoint }: PlotProps) {
  const pointAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * bars.length);
    onPoint(Math.min(Math.max(index, 0), bars.length - 1));
  };
  const value = pointed ?? bars.length - 1;
  return (
    <div
      role="presentation"
      className={css['area']}
      onPointerDown={pointAt}
      onPointerMove={pointAt}
      onPointerLeave={() => onPoint(undefined)}
    >
      <input
        type="range"
        className={css['slider']}
        aria-label="Sales by period"
        aria-valuetext={readingOf(bars[value], before[value])}
        min={0}
        max={bars.length - 1}
        value={value}
        onFocus={() => onPoint(value)}
        onBlur={() => onPoint(undefined)}
        onChange={({ target }) => onPoint(target.valueAsNumber)}
      />
      <Bars bars={bars} before={before} top={top} pointed={pointed} />
    </div>
  );
}

function Bars({ bars, before, top, pointed }: Omit<PlotProps, 'onPoint'>) {
  const step = size.width / bars.length;
  return (
    <svg
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      className={css['bars']}
      aria-hidden="true"
    >
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
      {bars.map((bar, index) => (
        <g key={bar.from} data-pointed={index === pointed || undefined}>
          <rect className={css['ground']} x={index * step} width={step} height={size.height} />
          <Bar
            className={css['before']}
            x={index * step + step * 0.04}
            width={step * 0.92}
            bar={before[index]}
            top={top}
          />
          <Bar className={css['bar']} x={index * step + step * 0.2} width={step * 0.6} bar={bar} top={top} />
        </g>
      ))}
    </svg>
  );
}

interface BarProps {
  readonly className: string | undefined;
  readonly x: number;
  readonly width: number;
  readonly bar: SalesBar | undefined;
  /** The top of the scale, in cents. */
  readonly top: number;
}

function Bar({ bar, top, ...place }: BarProps) {
  const height = ((bar?.afterRefundsCents ?? 0) / top) * size.height;
  return <rect {...place} y={size.height - height} height={height} />;
}

const salesText = (bar: SalesBar) => `${barText(bar)}, ${displayPrice(bar.afterRefundsCents)}`;

/** The text for a bar and for the corresponding bar of the previous period. */
const readingOf = (bar: SalesBar | undefined, earlier: SalesBar | undefined): string =>
  bar
    ? `${salesText(bar)}, ${counted(bar.paidOrders, 'paid order')}${earlier ? `; before: ${salesText(earlier)}` : ''}`
    : '';

interface ReadingProps {
  /** The selected bar. Without one, the legend explains the colors. */
  readonly bar: SalesBar | undefined;
  readonly earlier: SalesBar | undefined;
  readonly span: number;
}

/** The numbers of the selected bar. Screen readers get them from the slider. */
const Reading = ({ bar, earlier, span }: ReadingProps) => (
  <p className={cluster([1, 5], 'note', css['reading'])} aria-hidden="true">
    <span className={row(2)}>
      {bar ? (
        <>
          {barText(bar)} <strong>{displayPrice(bar.afterRefundsCents)}</strong>
        </>
      ) : (
        `These ${span} days`
      )}
    </span>
    <span className={row(2, css['then'])}>
      {bar && earlier ? (
        <>
          {barText(earlier)} <strong>{displayPrice(earlier.afterRefundsCents)}</strong>
        </>
      ) : (
        `The ${span} days before`
      )}
    </span>
  </p>
);
