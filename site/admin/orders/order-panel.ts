import type { Order } from '#contract/orders.calls.ts';
import type { OrderWork } from '#contract/plans.calls.ts';

export interface OrderPanelProps {
  readonly order: Order;
}

/** The props of a panel whose change can include a note to the customer. */
export interface WorkPanelProps extends OrderPanelProps {
  readonly work: OrderWork;
}

/** Where the customer reads a note. @param places a sentence about where else it appears */
export const noteHelp = ({ isEmailVerified }: OrderWork, places: string): string =>
  isEmailVerified
    ? `The email includes this note. ${places}`
    : `The email does not include this note, because the customer has not verified their address. ${places}`;
