/** The customer's orders with what each of them costs; an order that has just been placed is shown here first. */
import { OrderDateLink, OrderList, orderStatusColumn } from '../order-list.tsx';
import { PaymentCell } from '../payment-cell.tsx';

export default function PendingOrders() {
  return (
    <OrderList
      title="Your Pending Orders"
      intro="We start on an order as soon as you pay for it. You can cancel an order until it is paid."
      columns={() => [
        { key: 'date', header: 'Date', cell: (order) => <OrderDateLink order={order} /> },
        { key: 'name', header: 'Your Name', cell: ({ customerName }) => customerName },
        { key: 'amount', header: 'Amount', cell: ({ packagePrice }) => `${packagePrice} USD` },
        orderStatusColumn,
        {
          key: 'payment',
          header: 'Payment Status',
          wide: true,
          cell: (order) => <PaymentCell order={order} />,
        },
      ]}
    />
  );
}
