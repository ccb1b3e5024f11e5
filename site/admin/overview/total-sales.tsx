/** Total sales, the most important number on the overview. */
import { useQuery } from '@tanstack/react-query';
import { counted } from '#contract/counted.ts';
import { displayPrice } from '#contract/money.ts';
import { linkTo } from '#contract/screens.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useCall } from '#site/app/query.ts';
import { openDisputesQuery } from '../orders/open-disputes.ts';
import { linkToOrders } from '../orders/order-links.ts';
import { Panel } from '../shell/screen.tsx';
import typography from '#site/ui/typography.module.css';
import css from './overview.module.css';

export function TotalSales() {
  const { data: disputes } = useQuery(openDisputesQuery);
  const loaded = useCall('GET /order-totals');
  return (
    <Panel title="Total Sales" tone="deep">
      <QueryBoundary query={loaded} lines={2}>
        {({ paidCents, afterRefundsCents, unpaidCents, byPaymentStatus, orders }) => (
          <>
            <p className={css['sales']}>{displayPrice(paidCents, { withCents: true })}</p>
            {afterRefundsCents !== paidCents && (
              <p className={typography['muted']}>
                {displayPrice(afterRefundsCents, { withCents: true })} after refunds.
              </p>
            )}
            <p className={typography['muted']}>
              {byPaymentStatus.Paid} of {counted(orders, 'order')} paid.
            </p>
            {unpaidCents > 0 && (
              <p className={css['unpaid']}>
                <a href={linkToOrders({ paymentStatus: 'UnPaid' })}>
                  <strong className={typography['figure']}>
                    {displayPrice(unpaidCents, { withCents: true })}
                  </strong>{' '}
                  awaiting payment ({counted(byPaymentStatus.UnPaid, 'order')})
                </a>
              </p>
            )}
          </>
        )}
      </QueryBoundary>
      {disputes !== undefined && disputes.payments > 0 && (
        <p className={typography['muted']}>
          <a href={linkTo('needsAttention')}>
            {displayPrice(disputes.cents)} in dispute ({counted(disputes.payments, 'payment')}).
          </a>
        </p>
      )}
    </Panel>
  );
}
