/** The calls on orders; those that move money are in payments/. */
import type { Context, Hono } from 'hono';
import type { Account } from '../contract/accounts.ts';
import { calls } from '../contract/calls.ts';
import {
  allOrdersQuery,
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  newOrder,
  orderStatusChange,
  orderTotalsQuery,
  ordersExportQuery,
  ownOrdersQuery,
  salesQuery,
  type Order,
} from '../contract/orders.ts';
import { totalCountHeader } from '../contract/paging.ts';
import type { AppEnv } from '../http/app.ts';
import { check, readBody } from '../http/body.ts';
import { csvResponse } from '../http/csv.ts';
import { badRequest, notFound, signInFirst } from '../http/errors.ts';
import { mount } from '../http/mount.ts';
import { deliverSoon } from '../mail/outbox.ts';
import { actorFor, changeOrder, untilUnrivalled } from './changes.ts';
import { addDays, dayOf } from './dates.ts';
import { deliverOrder } from './deliver.ts';
import { listOrders, readAllOrders } from './list.ts';
import { placeOrder } from './place.ts';
import { findOrder, maySeeAll, orderFor, readTimeline, wholeOrder } from './read.ts';
import { everybody } from './schema.ts';
import { readSales, readTotals } from './totals.ts';

/** Whoever is signed in; the guard has let nobody else through. */
function callerOf(c: Context<AppEnv>): Account {
  if (!c.var.account) throw signInFirst();
  return c.var.account;
}

/** Lists and totals are of everybody's orders for an administrator who does not ask for their own. */
const seesAll = (account: Account, own: string | undefined) => account.isAdmin && own === undefined;

function idempotencyKeyOf(c: Context<AppEnv>): string | undefined {
  const key = c.req.header(idempotencyKeyHeader);
  if (key !== undefined && !idempotencyKeyPattern.test(key))
    throw badRequest(`${idempotencyKeyHeader} takes 8 to 100 letters, digits, - or _.`);
  return key;
}

const exportColumns: readonly (readonly [string, (order: Order) => string])[] = [
  ['Order', (order) => order._id],
  ['Order Date', (order) => order.orderDate],
  ['Name', (order) => order.customerName],
  ['Email', (order) => order.customerEmail],
  ['Address', (order) => order.customerAddress],
  ['Country', (order) => order.customerCountry],
  ['Package', (order) => order.packageName],
  ['Price (USD)', (order) => order.packagePrice],
  ['Payment Status', (order) => order.paymentStatus],
  ['Payment Method', (order) => order.paymentMethod],
  ['Transaction', (order) => order.transactionId],
  ['Order Status', (order) => order.orderStatus],
];

export function mountOrders(app: Hono<AppEnv>): void {
  mount(app, calls.placeOrder, async (c) => {
    const input = await readBody(c, newOrder);
    const { db } = c.var;
    const order = await placeOrder({ db, env: c.env, account: callerOf(c) }, input, idempotencyKeyOf(c));
    deliverSoon(c);
    return c.json(wholeOrder(order), 201);
  });

  mount(app, calls.listOrders, async (c) => {
    const account = callerOf(c);
    const query = seesAll(account, c.req.query('own'))
      ? check(allOrdersQuery, c.req.query())
      : { ...check(ownOrdersQuery, c.req.query()), accountId: account.id, sort: 'newest' as const };
    const { total, orders } = await listOrders(c.var.db, query, query, query.sort);
    return c.json(orders.map(wholeOrder), 200, { [totalCountHeader]: String(total) });
  });

  mount(app, calls.readOrder, async (c, id) =>
    c.json(orderFor(c.var.account, await findOrder(c.var.db, id))),
  );

  mount(app, calls.orderTimeline, async (c, id) => {
    const account = callerOf(c);
    const order = await findOrder(c.var.db, id);
    if (!maySeeAll(account, order)) throw notFound('There is no such order.');
    return c.json(await readTimeline(c.var.db, id, account.isAdmin));
  });

  mount(app, calls.updateOrderStatus, async (c, id) => {
    const { orderStatus } = await readBody(c, orderStatusChange);
    const { db, account } = c.var;
    const changed = await untilUnrivalled(async () => {
      const order = await findOrder(db, id);
      if (order.orderStatus === orderStatus) return order;
      const by = { ...actorFor(account, order), role: 'administrator' } as const;
      return orderStatus === 'Delivered'
        ? deliverOrder({ db, env: c.env }, order, by)
        : changeOrder(db, order, { kind: 'reopened', by, set: { orderStatus } });
    });
    deliverSoon(c);
    return c.json(wholeOrder(changed));
  });

  mount(app, calls.orderTotals, async (c) => {
    const account = callerOf(c);
    const { own } = check(orderTotalsQuery, c.req.query());
    return c.json(await readTotals(c.var.db, seesAll(account, own) ? everybody : account.id));
  });

  mount(app, calls.salesByDay, async (c) => {
    const query = check(salesQuery, c.req.query());
    const to = query.to ?? dayOf(c.env, Date.now());
    return c.json(await readSales(c.var.db, query.from ?? addDays(to, -29), to));
  });

  mount(app, calls.exportOrders, (c) => {
    const filter = check(ordersExportQuery, c.req.query());
    async function* wholeOrders() {
      for await (const chunk of readAllOrders(c.var.db, filter)) yield chunk.map(wholeOrder);
    }
    return csvResponse(`orders-${dayOf(c.env, Date.now())}.csv`, exportColumns, wholeOrders());
  });
}
