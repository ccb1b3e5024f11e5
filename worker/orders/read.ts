/** Reads one order, and decides how much of it the caller may see. */
import { asc, desc, eq, type SQL } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import { toPriceText } from '#contract/money.ts';
import { firstNameIn, isPaidFor } from '#contract/orders.ts';
import { displayNameOf } from '#contract/packages.ts';
import type { Order, OrderEvent, OrderSummary } from '#contract/orders.calls.ts';
import { displayDate } from '#contract/days.ts';
import { linkTo } from '#contract/screens.ts';
import { accounts } from '../accounts/schema.ts';
import { readTogether, type Database } from '../db/client.ts';
import { notFound } from '../http/errors.ts';
import { customerTextsOf, orderEvents, orders, type OrderRecord } from './schema.ts';

export const orderQuery = (db: Database, id: string) => db.select().from(orders).where(eq(orders._id, id));

export const lookUpOrder = (db: Database, id: string) => orderQuery(db, id).get();

export const orderNotFound = () => notFound('We could not find this order.');

/** @throws ApiError 404 */
export async function findOrder(db: Database, id: string): Promise<OrderRecord> {
  const order = await lookUpOrder(db, id);
  if (!order) throw orderNotFound();
  return order;
}

/** @returns its path for the customer; undefined if there is none */
export async function findNewestOrder(db: Database, condition: SQL): Promise<string | undefined> {
  const [newest] = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(condition)
    .orderBy(desc(orders._id))
    .limit(1);
  return newest && linkTo('myOrder', newest._id);
}

export const canSeeWholeOrder = (
  account: Account | undefined,
  order: Pick<OrderRecord, 'accountId'>,
): boolean => may(account, 'orders') || account?.id === order.accountId;

/** Returns the order if the caller may see all of it. @throws ApiError 404 */
export function visibleTo<O extends Pick<OrderRecord, 'accountId'>>(
  account: Account,
  order: O | undefined,
): O {
  if (!order || !canSeeWholeOrder(account, order)) throw orderNotFound();
  return order;
}

export const wholeOrder = (order: OrderRecord): Order => ({
  _id: order._id,
  number: order.number,
  packageName: order.packageName,
  displayName: displayNameOf(order),
  billing: order.billing,
  subscriptionId: order.subscriptionId,
  packagePrice: order.packagePrice,
  customerEmail: order.customerEmail,
  ...customerTextsOf(order),
  couponCode: order.couponCode,
  discount: toPriceText(order.discountCents),
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

/** The part of an order that the caller may see: the whole order, or only what a payer needs. */
export function orderFor(account: Account | undefined, order: OrderRecord): Order | OrderSummary {
  if (canSeeWholeOrder(account, order)) return wholeOrder(order);
  const { _id, number, packageName, billing, packagePrice, paymentStatus } = order;
  return {
    _id,
    number,
    packageName,
    billing,
    packagePrice,
    paymentStatus,
    displayName: displayNameOf(order),
    orderedFor: order.customerCompany || firstNameIn(order.customerName),
  };
}

const roleNames = {
  customer: 'Customer',
  administrator: 'Administrator',
  payer: 'Payer',
  stripe: 'Stripe',
  system: 'The site',
} as const;

/** An event in the format of the API. @param email the actor's email, if the caller may see it */
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
 * Reads the events of an order, oldest first. Only staff see emails.
 * @throws ApiError 404 if the caller may not see the whole order
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

/** The query for the number of an order, which the batch of a new order assigns. */
export const numberQuery = (db: Database, orderId: string) =>
  db.select({ number: orders.number }).from(orders).where(eq(orders._id, orderId));
