/** Reading one order, and who may see how much of it. */
import { asc, eq, sql, type SQL } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import { toPriceText } from '#contract/money.ts';
import { isPaidFor } from '#contract/orders.ts';
import type { Order, OrderEvent, OrderSummary } from '#contract/orders.calls.ts';
import { displayDate } from '#contract/days.ts';
import { accounts } from '../accounts/schema.ts';
import { readTogether, type Database } from '../db/client.ts';
import { notFound } from '../http/errors.ts';
import { orderEvents, orders, type OrderRecord } from './schema.ts';

/** The order with this id, if there is one. */
export async function lookUpOrder(db: Database, id: string): Promise<OrderRecord | undefined> {
  const [order] = await orderQuery(db, id);
  return order;
}

/** The query for the order with this id. */
export const orderQuery = (db: Database, id: string) => db.select().from(orders).where(eq(orders._id, id));

export const noSuchOrder = () => notFound('There is no such order.');

/** @throws ApiError 404 */
export async function findOrder(db: Database, id: string): Promise<OrderRecord> {
  const order = await lookUpOrder(db, id);
  if (!order) throw noSuchOrder();
  return order;
}

/** Whether somebody may see all of an order. */
export const maySeeAll = (account: Account | undefined, order: Pick<OrderRecord, 'accountId'>): boolean =>
  may(account, 'orders') || account?.id === order.accountId;

/** An order that was looked up, if the caller may see all of it. @throws ApiError 404 */
export function visibleTo<O extends Pick<OrderRecord, 'accountId'>>(
  account: Account,
  order: O | undefined,
): O {
  if (!order || !maySeeAll(account, order)) throw noSuchOrder();
  return order;
}

/** An order as its owner and administrators see it. */
export const wholeOrder = (order: OrderRecord): Order => ({
  _id: order._id,
  number: order.number,
  packageName: order.packageName,
  packagePrice: order.packagePrice,
  customerEmail: order.customerEmail,
  customerName: order.customerName,
  customerAddress: order.customerAddress,
  customerCountry: order.customerCountry,
  customerCompany: order.customerCompany,
  customerTaxNumber: order.customerTaxNumber,
  paymentStatus: order.paymentStatus,
  orderStatus: order.orderStatus,
  orderDate: displayDate(order.orderDay),
  packagePoints: order.packagePoints,
  paymentMethod: isPaidFor(order) ? order.paymentMethod : '',
  wallet: isPaidFor(order) && order.paymentMethod === 'Card' ? order.wallet : '',
  transactionId: order.transactionId,
  refundedAmount: toPriceText(order.refundedCents),
  source: order.source,
});

/** An order as the caller may see it: whole, or just what paying needs. */
export function orderFor(account: Account | undefined, order: OrderRecord): Order | OrderSummary {
  if (maySeeAll(account, order)) return wholeOrder(order);
  const { _id, packageName, packagePrice, paymentStatus } = order;
  return { _id, packageName, packagePrice, paymentStatus };
}

const roleNames = {
  customer: 'Customer',
  administrator: 'Administrator',
  payer: 'Payer',
  stripe: 'Stripe',
  system: 'The site',
} as const;

/** An event as the API answers it. @param email of its actor, where the caller may know it */
export const describeEvent = (
  { kind, at, role, before, after }: typeof orderEvents.$inferSelect,
  email?: string | null,
): OrderEvent => ({
  kind,
  at: new Date(at).toISOString(),
  by: email ?? roleNames[role],
  before,
  after,
});

/**
 * What happened to an order, oldest first; emails are for administrators.
 * @throws ApiError 404 when the caller may not see all of it
 */
export async function readTimeline(db: Database, orderId: string, caller: Account): Promise<OrderEvent[]> {
  const [[order], events] = await readTogether(db, [
    orderQuery(db, orderId),
    db
      .select({ event: orderEvents, email: accounts.email })
      .from(orderEvents)
      .leftJoin(accounts, eq(accounts.id, orderEvents.accountId))
      .where(eq(orderEvents.orderId, orderId))
      .orderBy(asc(orderEvents.version)),
  ]);
  visibleTo(caller, order);
  return events.map(({ event, email }) => describeEvent(event, may(caller, 'orders') ? email : null));
}

/** An order's number, within a statement. */
export const numberOf = (orderId: string): SQL<number> =>
  sql`(SELECT ${orders.number} FROM ${orders} WHERE ${orders._id} = ${orderId})`;
