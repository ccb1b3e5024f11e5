/**
 * The staff's search for customers, orders and messages. Its queries run in one batch, and none of them reads a whole
 * table.
 */
import { and, desc, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import type { Account } from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import { minSearchLength } from '#contract/customers.ts';
import type { SearchResult } from '#contract/customers.calls.ts';
import { parsePriceCents, readTypedPrice } from '#contract/money.ts';
import { parseOrderNumber } from '#contract/orders.ts';
import { displayNameOf } from '#contract/packages.ts';
import { readTogether, type Database } from '../db/client.ts';
import { messages } from '../inbox/schema.ts';
import { orders } from '../orders/schema.ts';
import { disputes, payments, refunds } from '../payments/schema.ts';
import { customerOf, customerSearchQuery } from './read.ts';
import { isStripeId, phoneDigits, wordsOf } from './search-terms.ts';

/** The maximum number of results of each kind. */
const maxShown = 8;
const maxByAmount = 5;
const maxMessages = 5;
/** How many of the newest messages a search reads. */
const newestMessages = 1_000;

/** The condition that an order has a Stripe payment, refund, dispute or invoice with this id. */
function isOfStripeId(db: Database, id: string): SQL | undefined {
  const ofMoney = unionAll(
    db.select({ orderId: payments.orderId }).from(payments).where(eq(payments.paymentIntentId, id)),
    db.select({ orderId: refunds.orderId }).from(refunds).where(eq(refunds.refundId, id)),
    db.select({ orderId: disputes.orderId }).from(disputes).where(eq(disputes.disputeId, id)),
  );
  return or(inArray(orders._id, ofMoney), eq(orders.invoiceId, id));
}

const ordersQuery = (db: Database, condition: SQL | undefined) =>
  db
    .select({
      _id: orders._id,
      number: orders.number,
      packageName: orders.packageName,
      displayName: orders.displayName,
      customerName: orders.customerName,
      priceCents: orders.priceCents,
      paymentStatus: orders.paymentStatus,
      orderStatus: orders.orderStatus,
    })
    .from(orders)
    .where(condition)
    .orderBy(desc(orders._id))
    .limit(maxByAmount);

/** The query for the order with a number, an id or a Stripe id. It returns at most one row. */
function namedOrder(db: Database, q: string) {
  const number = parseOrderNumber(q);
  if (number !== undefined) return ordersQuery(db, eq(orders.number, number));
  return ordersQuery(db, isStripeId(q) ? isOfStripeId(db, q) : eq(orders._id, q.toLowerCase()));
}

/** The newest messages whose sender, phone number or subject contains each word. */
function messagesQuery(db: Database, q: string) {
  const { _id, name, email, number, subject } = messages;
  const newest = db
    .select({ _id, name, email, number, subject })
    .from(messages)
    .orderBy(desc(_id))
    .limit(newestMessages)
    .as('newest');
  const text =
    phoneDigits(q) === undefined
      ? sql`lower(${newest.name} || ' ' || ${newest.email} || ' ' || ${newest.subject})`
      : sql`replace(replace(replace(replace(replace(${newest.number}, ' ', ''), '-', ''), '(', ''), ')', ''), '.', '')`;
  return db
    .select({ _id: newest._id, name: newest.name, email: newest.email, subject: newest.subject })
    .from(newest)
    .where(and(...wordsOf(q).map((word) => sql`instr(${text}, ${word}) > 0`)))
    .orderBy(desc(newest._id))
    .limit(maxMessages);
}

/** @param account gets only results that it may also see on the screens of orders, messages and customers */
export async function search(
  db: Database,
  account: Pick<Account, 'role' | 'lacks'>,
  q: string,
): Promise<SearchResult> {
  if (q.length < minSearchLength) return { customers: [], orders: [], messages: [] };
  const [people, named, ofAmount, sent] = await readTogether(db, [
    customerSearchQuery(db, q, maxShown),
    namedOrder(db, q),
    ordersQuery(db, eq(orders.priceCents, parsePriceCents(readTypedPrice(q)) ?? -1)),
    messagesQuery(db, q),
  ]);
  const found = new Map([...named, ...ofAmount].map((order) => [order._id, order]));
  return {
    customers: may(account, 'customers') ? people.map(customerOf) : [],
    orders: may(account, 'orders')
      ? [...found.values()].map((order) => ({ ...order, displayName: displayNameOf(order) }))
      : [],
    messages: may(account, 'messages') ? sent : [],
  };
}
