/** What a customer sees where there is no order: at an address that is not theirs or of none, and before the first. */
import { ShoppingBag } from 'lucide-react';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#components/button.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { ScreenFrame } from '../shared/screen-frame.tsx';

export const isNotTheirs = (status: number | undefined) => status === 403 || status === 404;

export function NoSuchOrder() {
  return (
    <ScreenFrame title="Your order">
      <EmptyState
        title="There is no such order"
        action={<LinkButton href={linkTo('myOrders')}>To your orders</LinkButton>}
      >
        The address may be misspelled, or the order belongs to another account.
      </EmptyState>
    </ScreenFrame>
  );
}

/** What a customer without orders sees. */
export function NoOrders() {
  return (
    <EmptyState
      title="No orders yet"
      icon={<ShoppingBag size="2rem" aria-hidden="true" />}
      action={<LinkButton href={linkTo('pricing')}>See the packages</LinkButton>}
    >
      Your orders appear here, with what each of them is waiting for. Choose a package to place the first one.
    </EmptyState>
  );
}
