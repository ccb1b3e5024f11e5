/** One customer: their details, orders, spending and messages, and the staff's notes. */
import { displayPrice } from '#contract/money.ts';
import type { CustomerRecord } from '#contract/customers.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge } from '#site/ui/badge.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { RowLink, Table } from '#site/ui/table.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { EmailLink } from '#site/ui/email-text.tsx';
import { RelativeTime, DateTime } from '#site/ui/date-time.tsx';
import { useCall } from '#site/app/query.ts';
import { Notes } from '../notes/notes.tsx';
import { Facts } from '../shell/facts.tsx';
import { orderColumns } from '../lists/order-columns.tsx';
import { linkToNewOrder, linkToOrders } from '../orders/order-links.ts';
import { useRefetchOnInboxChange } from '../shell/inbox-counts.ts';
import { LoadedScreen } from '../shell/screen.tsx';

const back = { href: linkTo('customers'), label: 'Customers' };

export default function CustomerScreen({ id }: { readonly id: string }) {
  const customer = useCall('GET /customer/:id', { id });
  const { data } = customer;
  return (
    <LoadedScreen
      title={data ? data.name || data.email : 'Customer'}
      actions={
        data && (
          <LinkButton variant="secondary" href={linkToNewOrder(data.email)}>
            New order for this customer
          </LinkButton>
        )
      }
      back={back}
      missing={{
        title: 'We could not find this customer',
        why: 'The account was deleted, or the address is misspelled.',
        wayOn: back,
      }}
      query={customer}
    >
      {(customer) => (
        <>
          <Who customer={customer} />
          <Orders customer={customer} />
          <Messages messages={customer.messages} isVerified={customer.emailVerified} />
          <Notes kind="customer" id={id} />
        </>
      )}
    </LoadedScreen>
  );
}

function Who({ customer }: { readonly customer: CustomerRecord }) {
  const { email, hasAccount, emailVerified, phone, website, since, orders, spentCents, newestOrders } =
    customer;
  const [last] = newestOrders;
  return (
    <Card
      title="Details"
      aside={
        !hasAccount ? (
          <Badge>No account</Badge>
        ) : emailVerified ? (
          <Badge tone="success">Email verified</Badge>
        ) : (
          <Badge tone="warning">Email not verified</Badge>
        )
      }
    >
      <Facts
        facts={[
          ['Email', <EmailLink email={email} />],
          ['Phone', phone || last?.customerPhone || 'None given'],
          ['Company', customer.company || last?.customerCompany || 'None given'],
          ['Website', website ? <TextLink href={website}>{website}</TextLink> : 'None given'],
          ['Customer since', <DateTime at={since} />],
          ['Orders', orders],
          ['Spent', displayPrice(spentCents)],
          ['Pays per month', customer.monthlyCents > 0 && displayPrice(customer.monthlyCents)],
          ['Address', last?.customerAddress],
          ['Country', last?.customerCountry],
        ]}
      />
    </Card>
  );
}

function Orders({
  customer: { _id, hasAccount, email, orders, newestOrders },
}: {
  readonly customer: CustomerRecord;
}) {
  useRefetchOnInboxChange();
  return (
    <Card
      title="Orders"
      aside={
        orders > newestOrders.length && (
          <TextLink href={linkToOrders(hasAccount ? { accountId: _id } : { q: email })}>
            All {orders} orders
          </TextLink>
        )
      }
    >
      <Table
        caption="Orders"
        rows={newestOrders}
        columns={[
          {
            header: 'Order',
            phone: 'lead',
            cell: (order) => (
              <RowLink href={linkTo('order', order._id)}>{orderColumns.number.cell(order)}</RowLink>
            ),
          },
          orderColumns.date,
          orderColumns.package,
          orderColumns.price,
          orderColumns.payment,
          orderColumns.status,
        ]}
        empty={<p>This customer has not ordered yet.</p>}
      />
    </Card>
  );
}

function Messages({
  messages,
  isVerified,
}: Pick<CustomerRecord, 'messages'> & { readonly isVerified: boolean }) {
  return (
    <Card title="Messages from the contact form">
      <Table
        caption="Messages"
        rows={messages}
        columns={[
          {
            header: 'Subject',
            wide: true,
            phone: 'whole',
            cell: ({ _id, subject }) => <RowLink href={linkTo('message', _id)}>{subject}</RowLink>,
          },
          { header: 'Received', phone: 'plain', cell: ({ receivedAt }) => <RelativeTime at={receivedAt} /> },
        ]}
        empty={
          <p>
            {isVerified
              ? 'There are no messages from this email address.'
              : 'Messages will appear here once the customer verifies this email address.'}
          </p>
        }
      />
    </Card>
  );
}
