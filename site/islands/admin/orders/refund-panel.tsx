/** What was returned of an order, and the form that returns more: a paid order is cancelled by it. */
import { displayPriceText } from '#contract/money.ts';
import { isPaidFor } from '#contract/orders.ts';
import type { OrderRefunds } from '#contract/payments.ts';
import { RefundList } from '#site/islands/shared/refund-list.tsx';
import { offers } from '../role.ts';
import { Panel } from '../screen.tsx';
import type { OrderPanelProps } from './order-panel.ts';
import { RefundForm } from './refund-form.tsx';
import css from './refund-panel.module.css';

export interface RefundPanelProps extends OrderPanelProps {
  readonly refunds: OrderRefunds;
}

export function RefundPanel({ order, refunds: { refunds, leftAmount }, onChange }: RefundPanelProps) {
  const canRefund = offers('administrator') && isPaidFor(order) && leftAmount !== '0';
  if (!canRefund && refunds.length === 0) return null;
  return (
    <Panel
      title="Refunds"
      aside={canRefund && <span className={css['left']}>{displayPriceText(leftAmount)} can go back</span>}
    >
      <div className={css['content']}>
        {refunds.length > 0 && <RefundList refunds={refunds} />}
        {canRefund && (
          <RefundForm key={leftAmount} order={order} leftAmount={leftAmount} onChange={onChange} />
        )}
      </div>
    </Panel>
  );
}
