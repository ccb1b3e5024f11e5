/** What a panel that changes an order is given. */
import type { Order } from '#contract/orders.calls.ts';
import type { OrderWork } from '#contract/plans.calls.ts';

export interface OrderPanelProps {
  readonly order: Order;
}

/** What a panel is given whose change may come with a note to the customer. */
export interface WorkPanelProps extends OrderPanelProps {
  readonly work: OrderWork;
}

/** Where a note to the customer is read. @param places where it is besides the email, as a sentence */
export const noteHelp = ({ isEmailVerified }: OrderWork, places: string): string =>
  isEmailVerified
    ? `It goes out with the email. ${places}`
    : `The email leaves it out, because the customer has not verified their address. ${places}`;
