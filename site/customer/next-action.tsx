/** The button for the customer's next action on an order. */
import type { Order } from '#contract/orders.calls.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { OrderAgain } from '../features/orders/order-again.tsx';
import type { NextStep } from '#site/features/orders/order-progress.ts';

interface NextActionProps {
  readonly action: NonNullable<NextStep['action']>;
  readonly order: Order;
}

export const NextAction = ({ action, order: { packageName } }: NextActionProps) =>
  action === 'orderAgain' ? (
    <OrderAgain packageName={packageName} />
  ) : (
    <LinkButton href={action.href}>{action.label}</LinkButton>
  );
