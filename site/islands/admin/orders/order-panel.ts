/** What a panel that changes an order is given. */
import type { Order } from '#contract/orders.ts';

export interface OrderPanelProps {
  readonly order: Order;
  /** Called when the order has changed, by this panel or before it. */
  readonly onChange: () => void;
}
