/** The newest orders and subscribers, a few per page. */
import { ReceiptText, Users } from 'lucide-react';
import { displayOrderNumber } from '#contract/orders.ts';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { Card } from '#site/ui/card.tsx';
import { RowLink } from '#site/ui/table.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { orderColumns } from '../lists/order-columns.tsx';
import { PagedTable, serialColumn } from '#site/app/paged-table.tsx';
import { usePage } from '#site/app/use-page.ts';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { EmailText } from '#site/ui/email-text.tsx';

export function NewestOrders() {
  const list = usePage('GET /orders', { pageSize: pageSizes.adminOrders });
  return (
    <Card title="Orders" aside={<TextLink href={linkTo('orders')}>All orders</TextLink>}>
      <PagedTable
        caption="Orders"
        list={list}
        columns={[
          orderColumns.number,
          orderColumns.date,
          orderColumns.customer,
          orderColumns.package,
          orderColumns.price,
          orderColumns.payment,
          orderColumns.status,
          {
            header: 'Update',
            phone: 'way',
            cell: ({ _id, number }) => (
              <RowLink href={linkTo('order', _id)}>
                Update Order<span className="visually-hidden"> {displayOrderNumber(number)}</span>
              </RowLink>
            ),
          },
        ]}
        empty={
          <EmptyState title="No orders yet" icon={<ReceiptText />}>
            Orders will be listed here.
          </EmptyState>
        }
      />
    </Card>
  );
}

export function NewestSubscribers() {
  const list = usePage('GET /subscribers', { pageSize: pageSizes.adminSubscribers });
  return (
    <Card title="Subscribers" aside={<TextLink href={linkTo('subscribers')}>All subscribers</TextLink>}>
      <PagedTable
        caption="Subscribers"
        list={list}
        columns={[
          serialColumn(list),
          {
            header: 'Email',
            wide: true,
            phone: 'lead',
            cell: ({ subemail }) => <EmailText email={subemail} />,
          },
        ]}
        empty={
          <EmptyState title="No subscribers yet" icon={<Users />}>
            Everyone who subscribes in the footer of the site will be listed here.
          </EmptyState>
        }
      />
    </Card>
  );
}
