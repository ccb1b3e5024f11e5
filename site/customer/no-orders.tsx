/** For customers who see no order: it is someone else's, it does not exist, or they have not ordered yet. */
import { ShoppingBag } from 'lucide-react';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { QueryBoundary } from '../app/query-boundary.tsx';
import { useCall } from '../app/query.ts';
import { ScreenFrame } from '../ui/screen-frame.tsx';
import { SendLink } from './verify-first.tsx';

export const isNotTheirs = (status: number | undefined) => status === 403 || status === 404;

export function NoSuchOrder() {
  return (
    <ScreenFrame title="Your order">
      <QueryBoundary query={useCall('GET /auth/session')} lines={3}>
        {({ account }) => {
          const isUnverified = account?.emailVerified === false;
          return (
            <EmptyState
              title={isUnverified ? 'We cannot show this order yet' : 'We could not find this order'}
              action={
                isUnverified ? (
                  <SendLink />
                ) : (
                  <LinkButton href={linkTo('myOrders')}>Go to your orders</LinkButton>
                )
              }
            >
              {isUnverified
                ? `Verify your email first: open the link that we emailed to ${account.email}. If the order was placed for that address, it will then appear here.`
                : 'The address may be misspelled, or the order belongs to another account.'}
            </EmptyState>
          );
        }}
      </QueryBoundary>
    </ScreenFrame>
  );
}

export const NoOrders = () => (
  <EmptyState
    title="No orders yet"
    icon={<ShoppingBag size="1.5rem" />}
    action={<LinkButton href={linkTo('pricing')}>See the packages</LinkButton>}
  >
    Your orders will appear here, with what each one is waiting for. Choose a package to place your first
    order.
  </EmptyState>
);
