/** The most common actions of an order, and a menu with the others. */
import { useEffect, useRef, useState } from 'react';
import { firstNameIn, isPaidFor } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { mailtoHref } from '#site/ui/safe-link.tsx';
import { Button } from '#site/ui/button.tsx';
import { Dialog, DialogActions } from '#site/ui/dialog.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { api } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { ActionButton } from '#site/app/action-button.tsx';
import { useMutation } from '#site/app/use-mutation.ts';
import { orderForms, linkToNewOrder } from './order-links.ts';
import { DeliveryFields, useDelivery, deliveryDisabledReason } from './delivery-fields.tsx';
import type { WorkPanelProps } from './order-panel.ts';
import { refundLabel } from './refund-panel.tsx';
import { useEscape } from '#site/ui/use-escape.ts';
import { stack, surface, target } from '#site/ui/layout.ts';
import button from '#site/ui/button.module.css';
import css from './order-actions.module.css';

/** Leaves out a name that would not fit on a button. */
function firstNameOf({ customerName }: Order): string {
  const name = firstNameIn(customerName);
  return name !== '' && name.length <= 30 ? name : 'the customer';
}

interface OrderActionsProps extends WorkPanelProps {
  /** Opens the refund dialog; undefined if there is nothing to refund. */
  readonly onRefund: (() => void) | undefined;
}

export function OrderActions({ order, work, onRefund }: OrderActionsProps) {
  const { paymentStatus, customerEmail } = order;
  const unpaid =
    paymentStatus === 'UnPaid' ? 'This order is not paid. You can deliver it under “Status”.' : undefined;
  return (
    <>
      <Deliver order={order} work={work} closedReason={deliveryDisabledReason(order) ?? unpaid} />
      {paymentStatus === 'UnPaid' && (
        <ActionButton
          action={() =>
            navigator.clipboard.writeText(new URL(linkTo('pay', order._id), location.origin).href)
          }
          done="Payment link copied"
          changesNothing
        >
          Copy payment link
        </ActionButton>
      )}
      {paymentStatus === 'UnPaid' && customerEmail !== '' && (
        <ActionButton
          variant="secondary"
          action={() => api('POST /order/:id/pay-link', { id: order._id })}
          done="Payment link sent to the customer"
        >
          Send the link again
        </ActionButton>
      )}
      <More order={order} onRefund={onRefund} />
    </>
  );
}

/** The menu with the other actions. Escape closes it, and so does a click elsewhere. */
function More({ order, onRefund }: Pick<OrderActionsProps, 'order' | 'onRefund'>) {
  const { customerEmail } = order;
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      // A dialog opened from the menu returns the focus to the menu.
      if (!(target instanceof Element) || menu.current?.contains(target) || target.closest('dialog')) return;
      menu.current?.removeAttribute('open');
    };
    // Runs before the click closes a dialog, which removes the target from the page.
    document.addEventListener('click', onClick, true);
    return () => document.removeEventListener('click', onClick, true);
  }, []);
  useEscape(() => {
    if (!menu.current?.contains(document.activeElement)) return;
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus();
  });
  return (
    <details ref={menu} className={css['menu']}>
      <summary className={target(button['button'])} data-variant="secondary">
        More
      </summary>
      <ul className={surface(css['ways'])}>
        {customerEmail !== '' && (
          <li>
            <a href={mailtoHref(customerEmail)}>Write an email to {firstNameOf(order)}</a>
          </li>
        )}
        {isPaidFor(order) && (
          <li>
            <a href={linkTo('receipt', order._id)}>See the receipt</a>
          </li>
        )}
        {onRefund && (
          <li>
            <button type="button" onClick={onRefund}>
              {refundLabel}
            </button>
          </li>
        )}
        <li>
          {customerEmail === '' ? (
            <a href={linkTo('newOrder')}>New order for a customer</a>
          ) : (
            <a href={linkToNewOrder(customerEmail)}>New order for this customer</a>
          )}
        </li>
      </ul>
    </details>
  );
}

interface DeliverProps extends WorkPanelProps {
  /** Why the order cannot be delivered; undefined if it can. */
  readonly closedReason: string | undefined;
}

/** Keeps the typed note and the files while the dialog is closed, even if the order is delivered in the meantime. */
function Deliver({ order, work, closedReason }: DeliverProps) {
  const [isOpen, setIsOpen] = useState(location.hash === orderForms.deliver);
  const delivery = useDelivery(work, 'delivery-note-now', closedReason);
  const { disabledReason, isBegun } = delivery;
  const close = () => setIsOpen(false);
  const deliver = useMutation({
    mutationFn: delivery.deliver,
    done: 'OrderStatus is Updated',
    onSuccess: close,
    onError(error) {
      // Without a note or files, the dialog has nothing to show.
      if (error.status === 409 && !isBegun) showToast(error.message, 'danger');
      // If the dialog was closed in the meantime, it reopens to show the error.
      setIsOpen(true);
    },
  });
  if (disabledReason !== undefined && !isBegun) {
    if (isOpen) close();
    return null;
  }
  const isPossible = disabledReason === undefined;
  const label = isPossible ? `Mark delivered and tell ${firstNameOf(order)}` : 'See what was not sent';
  return (
    <>
      <Button variant={isPossible ? 'primary' : 'secondary'} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Dialog open={isOpen} onClose={close} title={label}>
        <Form className={stack(4)} onSend={() => deliver.mutate()}>
          <DeliveryFields delivery={delivery} isBusy={deliver.isPending} />
          {isPossible && <Failure error={deliver.error} />}
          <DialogActions>
            <Button variant="secondary" onClick={close}>
              {isPossible ? 'Not yet' : 'Close'}
            </Button>
            {isPossible && (
              <Button type="submit" busy={deliver.isPending}>
                Mark delivered
              </Button>
            )}
          </DialogActions>
        </Form>
      </Dialog>
    </>
  );
}
