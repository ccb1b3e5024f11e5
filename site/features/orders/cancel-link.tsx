/** Cancels an order, after a question that names it. */
import { useState, type MouseEvent, type ReactNode } from 'react';
import { displayPriceText } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { ConfirmDialog } from '#site/ui/confirm-dialog.tsx';
import { markCancellation } from './cancel-mark.ts';

export interface CancelLinkProps {
  readonly order: Pick<Order, '_id' | 'number' | 'packageName' | 'packagePrice'>;
  readonly children?: ReactNode;
}

export function CancelLink({ order, children = 'Cancel' }: CancelLinkProps) {
  const [isAsking, setAsking] = useState(false);
  const href = linkTo('cancelOrder', order._id);
  const name = displayOrderNumber(order.number);

  function ask(event: MouseEvent) {
    event.preventDefault();
    setAsking(true);
  }

  function cancel() {
    markCancellation(order._id);
    location.assign(href);
  }

  return (
    <>
      <LinkButton variant="quiet" size="small" href={href} onClick={ask}>
        {children}
      </LinkButton>
      <ConfirmDialog
        open={isAsking}
        title={`Cancel order ${name}?`}
        confirm="Cancel the order"
        decline="Keep the order"
        variant="danger"
        onConfirm={cancel}
        onClose={() => setAsking(false)}
      >
        The {order.packageName} package for {displayPriceText(order.packagePrice)} has not been paid, and
        nothing will be charged.
      </ConfirmDialog>
    </>
  );
}
