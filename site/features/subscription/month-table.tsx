/** The months of a subscription, each of which is an order. */
import { displayPriceText } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { RowLink, Table } from '#site/ui/table.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { OrderStatusBadge } from '../orders/order-status-badge.tsx';

interface MonthTableProps {
  readonly orders: readonly Order[];
  readonly orderScreen: 'myOrder' | 'order';
}

export const MonthTable = ({ orders, orderScreen }: MonthTableProps) => (
  <Table
    caption="Months"
    rows={orders}
    columns={[
      {
        header: 'Order',
        phone: 'lead',
        cell: ({ _id, number, orderDate }) => (
          <RowLink href={linkTo(orderScreen, _id)}>
            {displayOrderNumber(number)}, {orderDate}
          </RowLink>
        ),
      },
      {
        header: 'Amount',
        align: 'end',
        phone: 'end',
        cell: ({ packagePrice }) => displayPriceText(packagePrice),
      },
      { header: 'Progress', phone: 'mark', cell: (order) => <OrderStatusBadge order={order} /> },
      {
        header: 'Receipt',
        phone: 'plain',
        cell: ({ _id, number, transactionId }) =>
          transactionId ? (
            <TextLink href={linkTo('receipt', _id)}>
              Receipt<span className="visually-hidden"> {displayOrderNumber(number)}</span>
            </TextLink>
          ) : (
            'None yet'
          ),
      },
    ]}
  />
);
