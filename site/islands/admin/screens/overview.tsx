/** The administrator's first screen: what needs action, the sales, the newest orders and subscribers, and the way on. */
import { BadgeDollarSign, Mail, ReceiptText, Settings, UserCog, Users, type LucideIcon } from 'lucide-react';
import type { MessageStatus } from '#contract/messages.ts';
import { displayPrice } from '#contract/money.ts';
import { pageSizes, totalCountHeader } from '#contract/paging.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import { linkTo } from '#contract/screens.ts';
import { Card } from '#components/card.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { TextLink } from '#components/text-link.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { counted } from '#contract/counted.ts';
import { WhenLoaded } from '#site/islands/shared/failure.tsx';
import { orderColumns } from '../lists/order-columns.tsx';
import { PagedTable, serialColumn } from '../lists/paged-table.tsx';
import { usePage } from '../lists/use-page.ts';
import { SalesChart } from '../sales/sales-chart.tsx';
import { Panel, ScreenFrame } from '../screen.tsx';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { readAttention } from './read-attention.ts';
import css from './overview.module.css';

export default function Overview() {
  return (
    <ScreenFrame title="Welcome to Admin Panel">
      <div className={css['first']}>
        <TotalSales />
        <ActionList />
      </div>
      <Ways />
      <SalesChart />
      <NewestOrders />
      <NewestSubscribers />
    </ScreenFrame>
  );
}

const readTotals = async (signal: AbortSignal) => (await makeCall('GET /order-totals', { signal })).data;

function TotalSales() {
  const loaded = useLoaded('totals', readTotals);
  return (
    <Panel title="Total Sales" tone="deep">
      <WhenLoaded loaded={loaded} lines={2}>
        {({ paidCents, byPaymentStatus, orders }) => (
          <>
            <p className={css['sales']}>{displayPrice(paidCents, { withCents: true })}</p>
            <p className={css['note']}>
              {byPaymentStatus.Paid} of {counted(orders, 'order')} paid.
            </p>
          </>
        )}
      </WhenLoaded>
    </Panel>
  );
}

interface Action {
  readonly count: number;
  /** What there is of it: one, and several. */
  readonly one: string;
  readonly several: string;
  readonly href: string;
}

async function countMessages(messageStatus: MessageStatus, signal: AbortSignal): Promise<number> {
  const { data, headers } = await makeCall('GET /messages', {
    query: { messageStatus, page: 1, pageSize: 1 },
    signal,
  });
  return Number(headers.get(totalCountHeader) ?? data.length);
}

/** What waits for somebody, the most pressing first. */
async function readActions(signal: AbortSignal): Promise<readonly Action[]> {
  const [attention, totals, unread] = await Promise.all([
    readAttention(signal),
    readTotals(signal),
    countMessages('UnRead', signal),
  ]);
  const actions: readonly Action[] = [
    {
      count: attention.length,
      one: 'payment or email needs a person',
      several: 'payments or emails need a person',
      href: linkTo('needsAttention'),
    },
    { count: unread, one: 'unread message', several: 'unread messages', href: linkTo('messages') },
    {
      count: totals.awaitingDelivery,
      one: 'paid order to deliver',
      several: 'paid orders to deliver',
      href: `${linkTo('orders')}?paymentStatus=Paid&orderStatus=Pending`,
    },
    {
      count: totals.byPaymentStatus.UnPaid,
      one: 'unpaid order',
      several: 'unpaid orders',
      href: `${linkTo('orders')}?paymentStatus=UnPaid`,
    },
  ];
  return actions.filter(({ count }) => count > 0);
}

function ActionList() {
  const loaded = useLoaded('actions', readActions);
  return (
    <Panel title="Needs action">
      <WhenLoaded loaded={loaded} lines={3}>
        {(actions) =>
          actions.length === 0 ? (
            <p className={css['note']}>Nothing waits for you.</p>
          ) : (
            <ul className={css['actions']}>
              {actions.map(({ count, one, several, href }) => (
                <li key={href}>
                  <a href={href}>
                    <strong>{count}</strong> {count === 1 ? one : several}
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Panel>
  );
}

const ways: readonly { readonly href: string; readonly title: string; readonly icon: LucideIcon }[] = [
  { href: linkTo('settings'), title: 'Setting', icon: Settings },
  { href: linkTo('orders'), title: 'Total Orders', icon: ReceiptText },
  { href: linkTo('messages'), title: 'All Messages', icon: Mail },
  { href: linkTo('subscribers'), title: 'All Subscriber', icon: Users },
  { href: linkTo('members'), title: 'Admin Email', icon: UserCog },
];

const way = css['way'] ?? '';

const readKeys = async (signal: AbortSignal) => (await makeCall('GET /stripe-keys', { signal })).data;

function Ways() {
  const keys = useLoaded('keys', readKeys);
  return (
    <div className={css['ways']}>
      {ways.map(({ href, title, icon: WayIcon }) => (
        <Card
          key={href}
          className={way}
          href={withoutSlash(href)}
          title={title}
          icon={<WayIcon size={20} aria-hidden="true" />}
        />
      ))}
      {keys.data?.map(({ _id }) => (
        <Card
          key={_id}
          className={way}
          href={linkTo('paymentKey', _id)}
          title="Payment"
          icon={<BadgeDollarSign size={20} aria-hidden="true" />}
        />
      ))}
      {keys.data?.length === 0 && (
        <Card
          className={way}
          href={linkTo('addPaymentKey')}
          title="Add Payment Key"
          icon={<BadgeDollarSign size={20} aria-hidden="true" />}
        />
      )}
    </div>
  );
}

function NewestOrders() {
  const list = usePage(pageSizes.adminOrders, {}, (query, signal) =>
    makeCall('GET /orders', { query, signal }),
  );
  return (
    <Panel title="Orders" aside={<TextLink href={linkTo('orders')}>All orders</TextLink>}>
      <PagedTable
        caption="Orders"
        list={list}
        columns={[
          serialColumn(list),
          orderColumns.date,
          orderColumns.customer,
          orderColumns.package,
          orderColumns.price,
          orderColumns.payment,
          orderColumns.status,
          {
            key: 'update',
            header: 'Update',
            cell: ({ _id }) => <TextLink href={linkTo('order', _id)}>Update Order</TextLink>,
          },
        ]}
        empty={
          <EmptyState title="No orders yet" icon={<ReceiptText aria-hidden="true" />}>
            As soon as a customer orders a package, the order is listed here.
          </EmptyState>
        }
      />
    </Panel>
  );
}

function NewestSubscribers() {
  const list = usePage(pageSizes.adminSubscribers, {}, (query, signal) =>
    makeCall('GET /subscribers', { query, signal }),
  );
  return (
    <Panel title="Subscribers" aside={<TextLink href={linkTo('subscribers')}>All subscribers</TextLink>}>
      <PagedTable
        caption="Subscribers"
        list={list}
        columns={[
          serialColumn(list),
          { key: 'email', header: 'Email', wide: true, cell: ({ subemail }) => subemail },
        ]}
        empty={
          <EmptyState title="No subscribers yet" icon={<Users aria-hidden="true" />}>
            Everyone who leaves an address in the footer of the site will be listed here.
          </EmptyState>
        }
      />
    </Panel>
  );
}
