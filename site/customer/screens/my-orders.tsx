import { serialColumn } from '#site/app/paged-table.tsx';
import {
  dateColumn,
  nameColumn,
  OrderList,
  orderStatusColumn,
  paymentColumn,
  standingColumn,
} from '../order-list.tsx';

export default function MyOrders() {
  return (
    <OrderList
      title="My Orders"
      intro="Everything you have ordered, newest first. Choose an order to see its status."
      columns={(list) => [
        serialColumn(list),
        dateColumn('Order Date'),
        nameColumn,
        orderStatusColumn,
        standingColumn,
        paymentColumn,
      ]}
    />
  );
}
