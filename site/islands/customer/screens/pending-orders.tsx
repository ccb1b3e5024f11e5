/** The customer's orders with what each of them costs; an order that has just been placed is shown here first. */
import { dateColumn, nameColumn, OrderList, orderStatusColumn, paymentColumn } from '../order-list.tsx';

export default function PendingOrders() {
  return (
    <OrderList
      title="Your Pending Orders"
      intro="We start on an order as soon as you pay for it. You can cancel an order until it is paid."
      columns={() => [
        dateColumn('Date'),
        nameColumn,
        {
          key: 'amount',
          header: 'Amount',
          phone: 'named',
          cell: ({ packagePrice }) => `${packagePrice} USD`,
        },
        orderStatusColumn,
        paymentColumn,
      ]}
    />
  );
}
