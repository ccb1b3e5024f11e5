/**
 * Tables of the orders. An order is a snapshot of what was bought and at what price; every change of it is an event
 * whose primary key makes concurrent writers take turns; running totals are kept in the same batch as the change, so
 * that a count or a sum costs the same for a thousand orders as for a million.
 */
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Source } from '#contract/source.ts';
import { orderEventKinds, orderStatuses, paymentStatuses } from '#contract/orders.ts';

const paymentStatus = () => text({ enum: paymentStatuses }).notNull();
const orderStatus = () => text({ enum: orderStatuses }).notNull();

export const orders = sqliteTable(
  'orders',
  {
    _id: text().primaryKey(),
    /**
     * The number by which people refer to it: 1001, 1002, … without a gap, never reused. A trigger assigns it
     * (docs/decisions/assertions.md) in the batch that writes the order; rows are inserted without one.
     */
    number: integer().notNull().default(0),
    /**
     * Whose order it is; empty once that account was deleted, and for an order placed for a customer who has no account
     * of a verified email yet.
     */
    accountId: text().notNull(),
    packageName: text().notNull(),
    /** Decimal string as the package had it, and the same in cents. */
    packagePrice: text().notNull(),
    priceCents: integer().notNull(),
    /** The package's points, blank ones left out. */
    packagePoints: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    customerEmail: text().notNull(),
    customerName: text().notNull(),
    customerAddress: text().notNull(),
    customerCountry: text().notNull(),
    /** What a receipt names beside the customer; empty where there is none. */
    customerCompany: text().notNull().default(''),
    customerTaxNumber: text().notNull().default(''),
    paymentStatus: paymentStatus(),
    orderStatus: orderStatus(),
    /** The day it was placed in the site's time zone, YYYY-MM-DD. */
    orderDay: text().notNull(),
    /** How it was paid; says nothing while the order is not Paid. */
    paymentMethod: text({ enum: ['Card', 'PayPal'] })
      .notNull()
      .default('PayPal'),
    /** The wallet of a payment by card, such as 'Apple Pay'; empty for a card alone, and where Stripe did not say. */
    wallet: text().notNull().default(''),
    /** The PaymentIntent that settled the order; empty when none did. */
    transactionId: text().notNull().default(''),
    /** How much of its payment has been returned, in cents: refunds that have succeeded. */
    refundedCents: integer().notNull().default(0),
    /** The order's one live PaymentIntent, or the last one there was; empty before payment begins. */
    paymentIntentId: text().notNull().default(''),
    /** When its customer was reminded to pay, in ms; null while they were not. */
    remindedAt: integer(),
    /** Makes a repeated submit one order; null for a submit without a key. */
    idempotencyKey: text(),
    /** Where its customer came from, and the name under which that is counted. */
    source: text({ mode: 'json' }).$type<Source>(),
    sourceName: text().notNull().default('unknown'),
    /** Counts the order's events, from 1. */
    version: integer().notNull().default(1),
  },
  (table) => [
    uniqueIndex('orders_number').on(table.number),
    uniqueIndex('orders_idempotency').on(table.accountId, table.idempotencyKey),
    // Each list is read off one index, newest or highest first, without touching rows it does not show.
    index('orders_account').on(table.accountId, table._id, table.paymentStatus, table.orderStatus),
    index('orders_payment').on(table.paymentStatus, table._id),
    index('orders_status').on(table.orderStatus, table._id),
    index('orders_statuses').on(table.paymentStatus, table.orderStatus, table._id),
    // SQLite prefers it to `orders_account` because two of its columns are compared.
    index('orders_unclaimed')
      .on(table.customerEmail, table.accountId, table._id)
      .where(sql`${table.accountId} = '' AND ${table.customerEmail} <> ''`),
    index('orders_to_remind')
      .on(table._id)
      .where(sql`${table.paymentStatus} = 'UnPaid' AND ${table.remindedAt} IS NULL`),
    index('orders_day').on(table.orderDay, table._id),
    index('orders_price').on(table.priceCents, table._id, table.paymentStatus, table.orderStatus),
    index('orders_customer').on(
      sql`${table.customerName} COLLATE NOCASE`,
      table._id,
      table.paymentStatus,
      table.orderStatus,
    ),
  ],
);

export type OrderRecord = typeof orders.$inferSelect;
/** An order that has no number yet. */
export type NewOrderRecord = Omit<OrderRecord, 'number'>;

/**
 * Every change of every order: who, when, and the values before and after. Of two changes made from the same version
 * the second finds its primary key taken, and its whole batch fails.
 */
export const orderEvents = sqliteTable(
  'order_events',
  {
    orderId: text().notNull(),
    version: integer().notNull(),
    kind: text({ enum: orderEventKinds }).notNull(),
    /** Time in ms. */
    at: integer().notNull(),
    role: text({ enum: ['customer', 'administrator', 'payer', 'stripe', 'system'] }).notNull(),
    /** The account of the person who did it; empty for Stripe, for a payer with the link, and for a deleted account. */
    accountId: text().notNull(),
    before: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
    after: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.version] }),
    index('order_events_account').on(table.accountId),
  ],
);

/**
 * Until when new unpaid orders were reported to the business: one row, the hour of the last digest. Its primary key
 * lets only one of several concurrent runs send a digest.
 */
export const orderDigests = sqliteTable('order_digests', {
  /** Time in ms; orders placed before it are told. */
  until: integer().primaryKey(),
});

/** Counts and sales by source, kept in the batch of the change. */
export const sourceTotals = sqliteTable('source_totals', {
  source: text().primaryKey(),
  messages: integer().notNull(),
  orders: integer().notNull(),
  paidOrders: integer().notNull(),
  /** Sales after refunds. */
  cents: integer().notNull(),
});

/**
 * Everybody for whom an order was placed (`customers.ts`). Triggers count them and keep the full-text index
 * `customer_search` over name and email (docs/decisions/customers.md).
 */
export const customers = sqliteTable(
  'customers',
  {
    /** Counts up: the newest customer has the highest. The full-text index names a row by it. */
    sequence: integer().primaryKey(),
    /** The id of their account; of somebody who has none, `firstOrderId`. */
    _id: text().notNull().unique(),
    hasAccount: integer({ mode: 'boolean' }).notNull(),
    firstOrderId: text().notNull(),
    email: text().notNull(),
    /** As their last order gives it. */
    name: text().notNull(),
  },
  (table) => [
    // Much smaller than the rows: a page far down the list skips entries of this index.
    index('customers_sequence').on(table.sequence),
    index('customers_email').on(table.email),
  ],
);

/** How many customers there are; kept by the triggers of `customers`. */
export const customerCounts = sqliteTable('customer_counts', {
  scope: text({ enum: ['all'] }).primaryKey(),
  count: integer().notNull(),
});

/** Scope of the totals over everybody's orders; every other scope is an account's id. */
export const everybody = 'all';

/** How many orders there are in each pair of statuses, and what they cost together. */
export const orderTotals = sqliteTable(
  'order_totals',
  {
    /** `all`, or an account's id. */
    scope: text().notNull(),
    /** The day on which the orders were placed, YYYY-MM-DD; empty: of all days. */
    day: text().notNull(),
    paymentStatus: paymentStatus(),
    orderStatus: orderStatus(),
    orders: integer().notNull(),
    cents: integer().notNull(),
    /** How much of `cents` was returned. */
    refundedCents: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.scope, table.day, table.paymentStatus, table.orderStatus] })],
);
