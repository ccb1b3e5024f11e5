/** The overview's panels about money: total sales, the monthly revenue, and sales by source. */
import { useQuery } from '@tanstack/react-query';
import { counted } from '#contract/counted.ts';
import { displayPrice } from '#contract/money.ts';
import { linkTo } from '#contract/screens.ts';
import { displaySource } from '#contract/source.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useCall } from '#site/app/query.ts';
import { openDisputesQuery } from '../orders/open-disputes.ts';
import { linkToOrders } from '../orders/order-links.ts';
import css from './overview.module.css';
import { Card } from '#site/ui/card.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { monthFacts } from '../money/subscriptions.tsx';
import { Facts } from '../shell/facts.tsx';
import { Table } from '#site/ui/table.tsx';

export function TotalSales() {
  const { data: disputes } = useQuery(openDisputesQuery);
  const loaded = useCall('GET /order-totals');
  return (
    <Card title="Total Sales" tone="deep">
      <QueryBoundary query={loaded} lines={2}>
        {({ paidCents, afterRefundsCents, unpaidCents, byPaymentStatus, orders }) => (
          <>
            <p className={css['sales']}>{displayPrice(paidCents, { withCents: true })}</p>
            {afterRefundsCents !== paidCents && (
              <p className="muted">{displayPrice(afterRefundsCents)} after refunds.</p>
            )}
            <p className="muted">
              {byPaymentStatus.Paid} of {counted(orders, 'order')} paid.
            </p>
            {unpaidCents > 0 && (
              <p className={css['unpaid']}>
                <a href={linkToOrders({ paymentStatus: 'UnPaid' })}>
                  <strong className="figure">{displayPrice(unpaidCents)}</strong> awaiting payment (
                  {counted(byPaymentStatus.UnPaid, 'order')})
                </a>
              </p>
            )}
          </>
        )}
      </QueryBoundary>
      {disputes !== undefined && disputes.lostCents > 0 && (
        <p className="muted">Disputes have taken back {displayPrice(disputes.lostCents)} of these sales.</p>
      )}
      {disputes !== undefined && disputes.payments > 0 && (
        <p className="muted">
          <a href={linkTo('needsAttention')}>
            {displayPrice(disputes.cents)} in dispute ({counted(disputes.payments, 'payment')}).
          </a>
        </p>
      )}
    </Card>
  );
}

/** The monthly recurring revenue; hidden if there are no subscriptions. */
export function MonthlyRevenue() {
  const { data } = useCall('GET /subscription-totals');
  const { renewing = 0, newThisMonth = 0, lostThisMonth = 0, failedThisMonth = 0 } = data ?? {};
  if (!data || renewing + newThisMonth + lostThisMonth + failedThisMonth === 0) return null;
  return (
    <Card
      title="Monthly packages"
      aside={<TextLink href={linkTo('subscriptions')}>All subscriptions</TextLink>}
    >
      <Facts facts={monthFacts(data)} />
    </Card>
  );
}

export function Sources() {
  const loaded = useCall('GET /sources');
  return (
    <Card title="Where customers come from">
      <QueryBoundary query={loaded} lines={3}>
        {(sources) => (
          <Table
            caption="Messages, orders and sales by source"
            rows={sources.map((one) => ({ ...one, _id: one.source }))}
            columns={[
              { header: 'Source', wide: true, phone: 'lead', cell: ({ source }) => displaySource(source) },
              { header: 'Messages', align: 'end', phone: 'named', cell: ({ messages }) => messages },
              { header: 'Orders', align: 'end', phone: 'named', cell: ({ orders }) => orders },
              { header: 'Paid', align: 'end', phone: 'named', cell: ({ paidOrders }) => paidOrders },
              {
                header: 'Sales after refunds',
                align: 'end',
                phone: 'end',
                cell: ({ cents }) => displayPrice(cents),
              },
            ]}
            empty={<p>The sources of messages and orders will be listed here.</p>}
          />
        )}
      </QueryBoundary>
    </Card>
  );
}
