/** The refunds of an order, and the dialog for another one. A refund is also the way to cancel a paid order. */
import { displayPriceText } from '#contract/money.ts';
import { isPaidFor } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import type { OrderRefunds } from '#contract/refunds.calls.ts';
import { RefundList } from '#site/features/orders/refund-list.tsx';
import { Button } from '#site/ui/button.tsx';
import { Dialog } from '#site/ui/dialog.tsx';
import { offers } from '../shell/role.ts';
import { Panel } from '../shell/screen.tsx';
import type { WorkPanelProps } from './order-panel.ts';
import { RefundForm } from './refund-form.tsx';
import typography from '#site/ui/typography.module.css';

/** The label of the button that opens the dialog, here and in the menu of the screen. */
export const refundLabel = 'Refund a part or all';

export interface RefundPanelProps extends WorkPanelProps {
  readonly refunds: OrderRefunds;
  readonly isRefunding: boolean;
  readonly onRefunding: (isRefunding: boolean) => void;
}

/** Whether there is money left to refund and the user may refund it. */
const offersRefund = (order: Order, { leftAmount }: OrderRefunds): boolean =>
  offers('administrator') && isPaidFor(order) && leftAmount !== '0';

export const canRefund = (order: Order, refunds: OrderRefunds): boolean =>
  offersRefund(order, refunds) && refunds.obstacle === '';

export function RefundPanel({ order, work, refunds, isRefunding, onRefunding }: RefundPanelProps) {
  const { leftAmount, obstacle } = refunds;
  const isOffered = offersRefund(order, refunds);
  const isPossible = canRefund(order, refunds);
  if (!isOffered && refunds.refunds.length === 0) return null;
  return (
    <Panel
      title="Refunds"
      aside={
        isPossible && <span className={typography['muted']}>{displayPriceText(leftAmount)} refundable</span>
      }
    >
      {refunds.refunds.length > 0 && <RefundList refunds={refunds.refunds} />}
      {isOffered && obstacle !== '' && <p>{obstacle}</p>}
      {isPossible && (
        <div>
          <Button variant="secondary" size="small" onClick={() => onRefunding(true)}>
            {refundLabel}
          </Button>
        </div>
      )}
      <Dialog open={isPossible && isRefunding} onClose={() => onRefunding(false)} title={refundLabel}>
        <RefundForm
          key={leftAmount}
          order={order}
          work={work}
          leftAmount={leftAmount}
          onClose={() => onRefunding(false)}
        />
      </Dialog>
    </Panel>
  );
}
