/** What a customer sees at the address of an order that is not theirs, or of none. */
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#components/button.tsx';
import { EmptyState } from '#components/empty-state.tsx';

export const isNotTheirs = (status: number | undefined) => status === 403 || status === 404;

export function NoSuchOrder() {
  return (
    <EmptyState
      title="There is no such order"
      action={<LinkButton href={linkTo('myOrders')}>To your orders</LinkButton>}
    >
      The address may be misspelled, or the order belongs to another account.
    </EmptyState>
  );
}
