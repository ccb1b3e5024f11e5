/** All orders of the customer. */
import { serialColumn } from '#site/islands/shared/paged-table.tsx';
import { OrderDateLink, OrderList, orderStatusColumn } from '../order-list.tsx';
import { PaymentCell } from '../payment-cell.tsx';

export default function MyOrders() {
  return (
    <OrderList
      title="My Orders"
      intro="Everything you have ordered, the newest first. Choose one to see where it stands."
      columns={(list) => [
        serialColumn(list),
        { key: 'date', header: 'Order Date', cell: (order) => <OrderDateLink order={order} /> },
        { key: 'name', header: 'Your Name', cell: ({ customerName }) => customerName },
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
