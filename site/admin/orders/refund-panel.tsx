/** What was returned of an order, and the form that returns more: a paid order is cancelled by it. */
import { displayPriceText } from '#contract/money.ts';
import { isPaidFor } from '#contract/orders.ts';
import type { OrderRefunds } from '#contract/refunds.calls.ts';
import { RefundList } from '#site/features/orders/refund-list.tsx';
import { offers } from '../shell/role.ts';
import { Panel } from '../shell/screen.tsx';
import type { WorkPanelProps } from './order-panel.ts';
import { RefundForm } from './refund-form.tsx';
import css from './refund-panel.module.css';

export interface RefundPanelProps extends WorkPanelProps {
  readonly refunds: OrderRefunds;
}

export function RefundPanel({ order, work, refunds }: RefundPanelProps) {
  const { leftAmount, obstacle } = refunds;
  const isOffered = offers('administrator') && isPaidFor(order) && leftAmount !== '0';
  const canRefund = isOffered && obstacle === '';
  if (!isOffered && refunds.refunds.length === 0) return null;
  return (
    <Panel
      title="Refunds"
      aside={canRefund && <span className={css['left']}>{displayPriceText(leftAmount)} can go back</span>}
    >
      <div className={css['content']}>
        {refunds.refunds.length > 0 && <RefundList refunds={refunds.refunds} />}
        {isOffered && obstacle !== '' && <p>{obstacle}</p>}
        {canRefund && <RefundForm key={leftAmount} order={order} work={work} leftAmount={leftAmount} />}
      </div>
    </Panel>
  );
}
