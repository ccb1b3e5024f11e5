/**
 * Cancels an order. In a list, it first asks for confirmation and shows which order. On a pay page, it cancels
 * immediately.
 */
import type { MouseEvent, ReactNode } from 'react';
import { displayPackagePrice } from '#contract/packages.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { markCancellation } from './cancel-mark.ts';

interface CancelLinkProps {
  readonly order: Pick<Order, '_id' | 'number' | 'displayName' | 'packagePrice' | 'billing' | 'couponCode'>;
  readonly children: ReactNode;
  /** Whether it cancels without confirmation. */
  readonly isAtOnce?: boolean;
}

export function CancelLink({ order, children, isAtOnce = false }: CancelLinkProps) {
  const href = linkTo('cancelOrder', order._id);

  const isSure = () =>
    confirm({
      title: `Cancel order ${displayOrderNumber(order.number)}?`,
      text: `The ${order.displayName} package (${displayPackagePrice(order)}) has not been paid for, and nothing will be charged.`,
      confirm: 'Cancel the order',
      decline: 'Keep the order',
      variant: 'danger',
    });

  async function cancel(event: MouseEvent) {
    event.preventDefault();
    if (!isAtOnce && !(await isSure())) return;
    markCancellation(order._id);
    location.assign(href);
  }

  return (
    <LinkButton variant="quiet" size="small" href={href} onClick={(event) => void cancel(event)}>
      {children}
    </LinkButton>
  );
}
