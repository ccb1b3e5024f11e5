/** Columns that the tables of orders share. */
import { useQuery } from '@tanstack/react-query';
import { timeOfId } from '#contract/ids.ts';
import { displayPriceText } from '#contract/money.ts';
import {
  displayOrderNumber,
  displayPaymentMethod,
  isCustomerDeleted,
  isOpen,
  wasRefunded,
} from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { Badge, Status } from '#site/ui/badge.tsx';
import type { Column } from '#site/ui/table.tsx';
import { EmailText } from '#site/ui/email-text.tsx';
import { RelativeTime } from '#site/ui/date-time.tsx';
import { AssigneeBadge } from '../notes/assignee.tsx';
import { openDisputesQuery } from '../orders/open-disputes.ts';
import { cluster, row, stack } from '#site/ui/layout.ts';
import css from './order-columns.module.css';

/** The displayed name of the customer. It is missing if staff placed the order without one. */
export const nameOfCustomer = (order: Pick<Order, 'customerName' | 'customerEmail'>): string =>
  isCustomerDeleted(order) ? 'Deleted account' : order.customerName;

/** The payment status of an order, its open or lost dispute and its refund. */
function PaymentStatus({ order }: { readonly order: Order }) {
  const { data: disputes } = useQuery(openDisputesQuery);
  return (
    <div className={row(1, css['payment'])}>
      <Status status={order.paymentStatus} />
      {disputes?.orderIds.includes(order._id) && <Badge tone="danger">In dispute</Badge>}
      {disputes?.lostOrderIds.includes(order._id) && <Badge tone="danger">Dispute lost</Badge>}
      {wasRefunded(order) && <small>Refunded {displayPriceText(order.refundedAmount)}</small>}
    </div>
  );
}

export const orderColumns = {
  number: {
    header: 'Order',
    phone: 'lead',
    cell: ({ number, assignee }) => (
      <span className={row([1, 2])}>
        <span className={css['whole']}>{displayOrderNumber(number)}</span>
        {assignee && <AssigneeBadge assignee={assignee} />}
      </span>
    ),
  },
  date: {
    header: 'Order Date',
    phone: 'plain',
    cell: ({ _id, orderDate }) => (
      <div className={cluster([0, 2], css['date'])}>
        <span className={css['whole']}>{orderDate}</span>
        <small>
          <RelativeTime at={new Date(timeOfId(_id)).toISOString()} />
        </small>
      </div>
    ),
  },
  customer: {
    header: 'Customer',
    wide: true,
    phone: 'whole',
    cell: (order) => (
      <div className={stack(0, css['wide'])}>
        {nameOfCustomer(order)}
        {order.customerEmail !== '' && (
          <small>
            <EmailText email={order.customerEmail} />
          </small>
        )}
      </div>
    ),
  },
  package: {
    header: 'Package',
    phone: 'plain',
    cell: ({ displayName }) => <span className="words">{displayName}</span>,
  },
  price: {
    header: 'Amount',
    align: 'end',
    phone: 'end',
    cell: ({ packagePrice }) => displayPriceText(packagePrice),
  },
  method: { header: 'Payment Method', phone: 'plain', cell: displayPaymentMethod },
  payment: {
    header: 'Payment Status',
    phone: 'plain',
    cell: (order) => <PaymentStatus order={order} />,
  },
  status: {
    header: 'Order Status',
    phone: 'plain',
    // Nothing is left to do on a cancelled or refunded order.
    cell: (order) =>
      order.orderStatus === 'Pending' && !isOpen(order) ? (
        <Badge>{order.orderStatus}</Badge>
      ) : (
        <Status status={order.orderStatus} />
      ),
  },
} as const satisfies Readonly<Record<string, Column<Order>>>;
