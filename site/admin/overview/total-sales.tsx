/** The one figure that the first screen is opened for. */
import { counted } from '#contract/counted.ts';
import { displayPrice } from '#contract/money.ts';
import type { OpenDisputes } from '#contract/payments.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { api } from '#site/app/call.ts';
import { WhenLoaded } from '#site/app/failure.tsx';
import { useLoaded } from '#site/app/use-loaded.ts';
import { Panel } from '../shell/screen.tsx';
import { useWaitingChange } from '../shell/inbox-counts.ts';
import css from './overview.module.css';

const unpaidOrders = `${linkTo('orders')}?paymentStatus=UnPaid`;

const readTotals = async (signal: AbortSignal) => (await api('GET /order-totals', { signal })).data;

/** @param disputes what the banks of payers hold back just now */
export function TotalSales({ disputes }: { readonly disputes: OpenDisputes | undefined }) {
  const loaded = useLoaded('totals', readTotals);
  useWaitingChange(loaded.reload);
  return (
    <Panel title="Total Sales" tone="deep">
      <WhenLoaded loaded={loaded} lines={2}>
        {({ paidCents, afterRefundsCents, unpaidCents, byPaymentStatus, orders }) => (
          <>
            <p className={css['sales']}>{displayPrice(paidCents, { withCents: true })}</p>
            {afterRefundsCents !== paidCents && (
              <p className={css['note']}>
                {displayPrice(afterRefundsCents, { withCents: true })} after refunds.
              </p>
            )}
            <p className={css['note']}>
              {byPaymentStatus.Paid} of {counted(orders, 'order')} paid.
            </p>
            {unpaidCents > 0 && (
              <p className={css['unpaid']}>
                <a href={unpaidOrders}>
                  <strong>{displayPrice(unpaidCents, { withCents: true })}</strong> awaiting payment (
                  {counted(byPaymentStatus.UnPaid, 'order')})
                </a>
              </p>
            )}
          </>
        )}
      </WhenLoaded>
      {disputes !== undefined && disputes.payments > 0 && (
        <p className={css['note']}>
          <a href={linkTo('needsAttention')}>
            {displayPrice(disputes.cents)} in dispute ({counted(disputes.payments, 'payment')}).
          </a>
        </p>
      )}
    </Panel>
  );
}
