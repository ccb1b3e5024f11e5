/** Shows an open order of the same package, so that nobody orders twice by mistake. */
import { displayPackagePrice } from '#contract/packages.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Dialog } from '#site/ui/dialog.tsx';

const sentence = (order: Order) =>
  `You ordered the ${order.displayName} package for ${displayPackagePrice(order)} on ${order.orderDate}. ` +
  (order.paymentStatus === 'Paid'
    ? `That order, ${displayOrderNumber(order.number)}, is paid, and we are working on it.`
    : `That order, ${displayOrderNumber(order.number)}, is waiting for your payment.`);

const ToThatOrder = ({ order }: { readonly order: Order }) =>
  order.paymentStatus === 'Paid' ? (
    <LinkButton href={linkTo('myOrder', order._id)}>See that order</LinkButton>
  ) : (
    <LinkButton href={linkTo('pay', order._id)}>Pay for that order</LinkButton>
  );

/** Shown above the form from the start. */
export const OpenOrderNotice = ({ order }: { readonly order: Order }) => (
  <Alert tone="info" title="You have an open order for this package" action={<ToThatOrder order={order} />}>
    {sentence(order)}
  </Alert>
);

export interface OpenOrderQuestionProps {
  readonly order: Order;
  readonly isOpen: boolean;
  readonly onOrder: () => void;
  readonly onClose: () => void;
}

/** Asks when the form is sent anyway. */
export const OpenOrderQuestion = ({ order, isOpen, onOrder, onClose }: OpenOrderQuestionProps) => (
  <Dialog
    open={isOpen}
    onClose={onClose}
    title="Do you want a second order?"
    actions={
      <>
        <Button variant="quiet" onClick={onClose}>
          Not now
        </Button>
        <Button variant="secondary" onClick={onOrder}>
          Place a second order
        </Button>
        <ToThatOrder order={order} />
      </>
    }
  >
    <p>{sentence(order)} Nothing new has been ordered yet.</p>
  </Dialog>
);
