/**
 * Tables for orders. An order is a snapshot of what was bought, and at what price. Each change of an order is an event
 * whose primary key serializes concurrent writers. The batch of a change also updates running totals, so that counts
 * and sums cost the same for a thousand orders as for a million.
 */
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Source } from '#contract/schemas.ts';
import { orderEventKinds, orderStatuses, paymentStatuses, type PackageName } from '#contract/orders.ts';
import { billings } from '#contract/packages.ts';

const paymentStatus = () => text({ enum: paymentStatuses }).notNull();
const orderStatus = () => text({ enum: orderStatuses }).notNull();

export const orders = sqliteTable(
  'orders',
  {
    _id: text().primaryKey(),
    /**
     * The number that people use: 1001, 1002, … without gaps, never reused. Rows are inserted without a number. A
     * trigger assigns it in the same batch (docs/decisions/assertions.md).
     */
    number: integer().notNull().default(0),
    /**
     * The account that owns the order. Empty if that account was deleted, or if staff placed the order for a
     * customer who has no account with a verified email yet.
     */
    accountId: text().notNull(),
    packageName: text().notNull(),
    /** The display name of the package; empty if it is the package's name. */
    displayName: text().notNull().default(''),
    /** `monthly`: one month of a subscription. */
    billing: text({ enum: billings }).notNull().default('once'),
    /** The subscription that this month belongs to; null for an order that is paid once. */
    subscriptionId: text(),
    /** The Stripe invoice that the order is for; null until there is one, and for an order that is paid once. */
    invoiceId: text(),
    /**
     * The start of the month that the invoice covers, in ms; null until there is an invoice, and for an order that is
     * paid once.
     */
    periodStart: integer(),
    periodEnd: integer(),
    /** What the order costs as a decimal string, and the same price in cents. */
    packagePrice: text().notNull(),
    priceCents: integer().notNull(),
    /**
     * The discount on the package's price, in cents, and the coupon code; the code is empty if staff gave the
     * discount. Both prices include the discount.
     */
    couponCode: text().notNull().default(''),
    discountCents: integer().notNull().default(0),
    /** The package's points, without empty ones. */
    packagePoints: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    customerEmail: text().notNull(),
    customerName: text().notNull(),
    customerAddress: text().notNull(),
    customerCountry: text().notNull(),
    /** For the receipt; empty if the customer entered none. */
    customerCompany: text().notNull().default(''),
    customerTaxNumber: text().notNull().default(''),
    /** Where a copy of the receipt goes when the order is paid; empty if the customer wants none. */
    receiptCopyEmail: text().notNull().default(''),
    /** For the staff; empty if no phone was entered with the order. */
    customerPhone: text().notNull().default(''),
    paymentStatus: paymentStatus(),
    orderStatus: orderStatus(),
    /** The day it was placed, in the site's time zone, YYYY-MM-DD. */
    orderDay: text().notNull(),
    /** How it was paid. It has no meaning until the order is paid. */
    paymentMethod: text({ enum: ['Card', 'PayPal'] })
      .notNull()
      .default('PayPal'),
    /** The wallet of a card payment, such as 'Apple Pay'; empty for a plain card, or if Stripe did not say. */
    wallet: text().notNull().default(''),
    /** The PaymentIntent that paid for the order; empty if none did. */
    transactionId: text().notNull().default(''),
    /** The sum of succeeded refunds, in cents. */
    refundedCents: integer().notNull().default(0),
    /** The order's only active PaymentIntent, or its last one; empty before the first payment attempt. */
    paymentIntentId: text().notNull().default(''),
    /** When the customer was reminded to pay, in ms; null before that. */
    remindedAt: integer(),
    /** Prevents repeated submits from placing a second order; null for a submit without a key. */
    idempotencyKey: text(),
    /** Where the customer came from, and the name under which we count this source. */
    source: text({ mode: 'json' }).$type<Source>(),
    sourceName: text().notNull().default('unknown'),
    /** The number of the order's events, which identifies its state. */
    version: integer().notNull().default(1),
  },
  (table) => [
    uniqueIndex('orders_number').on(table.number),
    uniqueIndex('orders_idempotency').on(table.accountId, table.idempotencyKey),
    uniqueIndex('orders_invoice').on(table.invoiceId),
    index('orders_subscription')
      .on(table.subscriptionId, table._id)
      .where(sql`${table.subscriptionId} IS NOT NULL`),
    // Each list reads one index, newest or highest first, and only the rows that it shows.
    index('orders_account').on(table.accountId, table._id, table.paymentStatus, table.orderStatus),
    index('orders_payment').on(table.paymentStatus, table._id),
    index('orders_status').on(table.orderStatus, table._id),
    index('orders_statuses').on(table.paymentStatus, table.orderStatus, table._id),
    // SQLite prefers this index to `orders_account`, because a query compares two of its columns.
    index('orders_unclaimed')
      .on(table.customerEmail, table.accountId, table._id)
      .where(sql`${table.accountId} = '' AND ${table.customerEmail} <> ''`),
    index('orders_to_remind')
      .on(table._id)
      .where(sql`${table.paymentStatus} = 'UnPaid' AND ${table.remindedAt} IS NULL`),
    index('orders_customer_deleted')
      .on(table.paymentStatus, table.orderStatus)
      .where(sql`${table.customerEmail} = ''`),
    index('orders_coupon')
      .on(table.couponCode, table.paymentStatus)
      .where(sql`${table.couponCode} <> ''`),
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
export type NewOrderRecord = Omit<OrderRecord, 'number'>;

const customerTexts = [
  'customerName',
  'customerAddress',
  'customerCountry',
  'customerCompany',
  'customerTaxNumber',
  'receiptCopyEmail',
  'customerPhone',
] as const;
type CustomerTexts = Readonly<Record<(typeof customerTexts)[number], string>>;

/** The texts about the customer that an order stores. Absent ones are empty. */
export const customerTextsOf = (given: {
  readonly [Name in keyof CustomerTexts]?: string | undefined;
}): CustomerTexts =>
  // The type of `fromEntries` loses the names.
  Object.fromEntries(customerTexts.map((name) => [name, given[name] ?? ''])) as CustomerTexts;

/**
 * A subscription to a monthly package: a series of orders, one per paid month. The row is a copy of the last response
 * from Stripe Billing (`payments/sync-subscription.ts`). Its owner is the owner of the first order.
 */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    _id: text().primaryKey(),
    /** The first order. Its payment starts the subscription. */
    firstOrderId: text().notNull().unique(),
    packageName: text().notNull(),
    /** Stripe's id; null until someone opens the payment page. */
    stripeId: text().unique(),
    /** Stripe's customer; empty until someone opens the payment page. */
    customerId: text().notNull().default(''),
    /** Stripe's status (https://docs.stripe.com/api/subscriptions/object#subscription_object-status), or `new`. */
    status: text().notNull().default('new'),
    /** The monthly price of the package, in cents, without a coupon. */
    priceCents: integer().notNull(),
    /** The announced new price, in cents, and the first renewal that charges it, in ms; null if there is none. */
    newPriceCents: integer(),
    newPriceFrom: integer(),
    /**
     * The coupon's discount on renewals, in cents, and its end, in ms; null if it never ends. The first order stores
     * its own discount.
     */
    discountCents: integer().notNull().default(0),
    discountUntil: integer(),
    /** When the paid month ends and the next one is due, in ms; null before the first payment. */
    periodEnd: integer(),
    /** Whether it ends at that time instead of renewing. */
    isEnding: integer({ mode: 'boolean' }).notNull().default(false),
    /** When a pause ends and payments resume, in ms; null if it is not paused. */
    resumesAt: integer(),
    /** The card that renewals charge, such as 'Visa ending in 4242'; empty if unknown. */
    card: text().notNull().default(''),
    /**
     * Stripe's id of the card that the customer last chose in Stripe's portal and that the subscription now uses; empty
     * if they never chose one.
     */
    portalCard: text().notNull().default(''),
    /** The amount of the open invoice, in cents, and how often charging it failed; 0 if none is open. */
    dueCents: integer().notNull().default(0),
    failures: integer().notNull().default(0),
    /** When a renewal last failed, in ms. */
    failedAt: integer(),
    /** When Stripe tries again, in ms; null if it does not. */
    nextTryAt: integer(),
    /** Stripe's page on which the open invoice can be paid; empty if none is open. */
    invoiceUrl: text().notNull().default(''),
    /** When the first payment arrived, and when the subscription ended for good, in ms. */
    startedAt: integer(),
    endedAt: integer(),
    /** When reconciliation next asks Stripe about it, in ms; null once it has ended. */
    checkAt: integer(),
    /**
     * When we last asked Stripe about it, in ms. We already know everything that Stripe reports from before that time.
     */
    syncedAt: integer().notNull().default(0),
    /** Increases with each change, so that an old response from Stripe never replaces a newer one. */
    version: integer().notNull().default(1),
  },
  (table) => [
    index('subscriptions_customer').on(table.customerId),
    index('subscriptions_check').on(table.checkAt),
    index('subscriptions_ended').on(table.endedAt, table._id),
  ],
);

export type SubscriptionRecord = typeof subscriptions.$inferSelect;

/**
 * Every change of every order: who, when, and the values before and after. If two changes are based on the same
 * version, the primary key rejects the second one, and its whole batch fails.
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
    /** The account that made the change; empty for Stripe, the site, a payer with the link, and a deleted account. */
    accountId: text().notNull(),
    before: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
    after: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.version] }),
    index('order_events_account').on(table.accountId),
  ],
);

/** Coupons. They are never deleted, because orders refer to them. */
export const coupons = sqliteTable('coupons', {
  _id: text().primaryKey(),
  /** Uppercase. */
  code: text().notNull().unique(),
  /** One of these two is null. */
  percentOff: integer(),
  amountOffCents: integer(),
  /** The packages that it applies to; empty for all of them. */
  packages: text({ mode: 'json' }).$type<readonly PackageName[]>().notNull(),
  /** YYYY-MM-DD; empty if it does not expire. */
  lastDay: text().notNull(),
  mostUses: integer(),
  oncePerCustomer: integer({ mode: 'boolean' }).notNull(),
  /** How many payments of a monthly package it applies to; null for all of them. */
  months: integer().default(1),
  /** Times in ms. */
  createdAt: integer().notNull(),
  endedAt: integer(),
});
export type CouponRecord = typeof coupons.$inferSelect;

/**
 * The hour of the last digest of unpaid orders, in a single row. The primary key lets only one of several concurrent
 * runs send a digest.
 */
export const orderDigests = sqliteTable('order_digests', {
  /** Time in ms. Orders placed before it have been reported. */
  until: integer().primaryKey(),
});

/** Counts and sales by source, updated in the batch of each change. */
export const sourceTotals = sqliteTable('source_totals', {
  source: text().primaryKey(),
  messages: integer().notNull(),
  orders: integer().notNull(),
  paidOrders: integer().notNull(),
  /** Sales after refunds. */
  cents: integer().notNull(),
});

/**
 * Everyone who has an order (`customers.ts`). Triggers count the rows, copy company and phone from a changed profile,
 * and update the full-text index `customer_search` (docs/decisions/personal-data.md).
 */
export const customers = sqliteTable(
  'customers',
  {
    /** The newest customer has the highest number. The full-text index refers to rows by it. */
    sequence: integer().primaryKey(),
    /** The id of their account; `firstOrderId` if they have none. */
    _id: text().notNull().unique(),
    hasAccount: integer({ mode: 'boolean' }).notNull(),
    firstOrderId: text().notNull(),
    email: text().notNull(),
    /** The name on their latest order. */
    name: text().notNull(),
    /** The company in the account's profile, or otherwise on the latest order. For the search; may be empty. */
    company: text().notNull().default(''),
    /** The phone in the account's profile. For the search; may be empty. */
    phone: text().notNull().default(''),
  },
  (table) => [
    // A deep page skips entries of this index, which are much smaller than the rows.
    index('customers_sequence').on(table.sequence),
    index('customers_email').on(table.email),
  ],
);

/** The number of customers. The triggers of `customers` update it. */
export const customerCounts = sqliteTable('customer_counts', {
  scope: text({ enum: ['all'] }).primaryKey(),
  count: integer().notNull(),
});

/** The scope of totals over all orders. Every other scope is the id of an account. */
export const everybody = 'all';

/** The number of orders with each pair of statuses, and the sum of their prices. */
export const orderTotals = sqliteTable(
  'order_totals',
  {
    /** `all`, or an account's id. */
    scope: text().notNull(),
    /** The day on which the orders were placed, YYYY-MM-DD; empty for all days. */
    day: text().notNull(),
    paymentStatus: paymentStatus(),
    orderStatus: orderStatus(),
    orders: integer().notNull(),
    cents: integer().notNull(),
    /** The refunded part of `cents`. */
    refundedCents: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.scope, table.day, table.paymentStatus, table.orderStatus] })],
);
