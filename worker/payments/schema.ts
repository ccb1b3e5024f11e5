/**
 * The tables of payments, refunds, disputes, open PaymentIntents, and the ledger of all incoming and outgoing
 * money.
 */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ledgerEntryKinds, refundReasons, refundStatuses } from '#contract/payments.ts';

/** One row for each payment that we ever received, settled or not. */
export const payments = sqliteTable(
  'payments',
  {
    _id: text().primaryKey(),
    orderId: text().notNull(),
    /** 'PayPal' is a payment outside Stripe that an administrator recorded. */
    method: text({ enum: ['Card', 'PayPal'] }).notNull(),
    /** Stripe's id; null for a payment outside Stripe. */
    paymentIntentId: text().unique(),
    /** How a card payment was made, such as 'Visa ending in 4242'; empty if Stripe did not say. */
    paidWith: text().notNull().default(''),
    /** The email on the receipt, if the customer changed theirs afterward; otherwise empty. */
    receiptEmail: text().notNull().default(''),
    amountCents: integer().notNull(),
    currency: text().notNull(),
    /**
     * `settled`: it made the order Paid. `withdrawn`: an administrator took that back. `refundDue`: no order could
     * accept it, so it must be returned. `refunded`: Stripe has returned it.
     */
    outcome: text({ enum: ['settled', 'withdrawn', 'refundDue', 'refunded'] }).notNull(),
    /** Why no order could accept it. */
    refusal: text({ enum: ['cancelled', 'paidAlready', 'amountDiffers', 'refunded'] }),
    /** Time in ms. */
    at: integer().notNull(),
    /** When the cardholder's bank warned of fraud, in ms; null if it did not. */
    warnedAt: integer(),
    /** The staff member who handled a refused or suspicious payment, and when. */
    seenBy: text(),
    seenAt: integer(),
  },
  (table) => [
    index('payments_warned')
      .on(table.warnedAt)
      .where(sql`${table.warnedAt} IS NOT NULL AND ${table.seenAt} IS NULL`),
    uniqueIndex('payments_settled')
      .on(table.orderId)
      .where(sql`${table.outcome} = 'settled'`),
    index('payments_refund_due')
      .on(table.at)
      .where(sql`${table.outcome} = 'refundDue'`),
    index('payments_unseen')
      .on(table.at)
      .where(sql`${table.refusal} IS NOT NULL AND ${table.seenAt} IS NULL`),
  ],
);

export type PaymentRecord = typeof payments.$inferSelect;
export type NewPayment = typeof payments.$inferInsert;

/**
 * Every refund, no matter who made it: an administrator here, someone in Stripe's dashboard, or the site itself,
 * which returns a payment that no order could accept.
 */
export const refunds = sqliteTable(
  'refunds',
  {
    _id: text().primaryKey(),
    orderId: text().notNull(),
    /** The row of `payments` that is refunded. */
    paymentId: text().notNull(),
    /** Stripe's id; null until Stripe has the refund, and for money that was paid outside Stripe. */
    refundId: text().unique(),
    amountCents: integer().notNull(),
    /** Stripe's status, with `requires_action` stored as pending. Only `succeeded` has moved money. */
    status: text({ enum: refundStatuses }).notNull(),
    reason: text({ enum: refundReasons }),
    /** What we tell the customer; empty for nothing. */
    note: text().notNull().default(''),
    /** Why it failed or cannot be sent, in Stripe's words; empty otherwise. */
    failure: text().notNull().default(''),
    /** The administrator's account; empty for a refund from Stripe's dashboard or by the site itself. */
    accountId: text().notNull(),
    /** Prevents a repeated request from making a second refund; null for a refund that was not requested here. */
    idempotencyKey: text(),
    /** When it was requested, or when we first heard of it, in ms. */
    at: integer().notNull(),
    /** When it reached its current status, in ms. */
    changedAt: integer().notNull(),
    /** How often Stripe rejected the refund with an error. Each new attempt gets its own idempotency key. */
    failures: integer().notNull().default(0),
    /** When reconciliation next sends it or asks about it, in ms; null once it is final. */
    checkAt: integer(),
    /** The staff member who handled its failure, and when. */
    seenBy: text(),
    seenAt: integer(),
  },
  (table) => [
    uniqueIndex('refunds_idempotency').on(table.orderId, table.idempotencyKey),
    index('refunds_payment').on(table.paymentId),
    index('refunds_check').on(table.checkAt),
    index('refunds_unseen')
      .on(table.changedAt)
      .where(sql`${table.status} IN ('failed', 'canceled') AND ${table.seenAt} IS NULL`),
  ],
);

export type RefundRecord = typeof refunds.$inferSelect;

/** Disputes of card payments, in their last known state at Stripe. */
export const disputes = sqliteTable(
  'disputes',
  {
    _id: text().primaryKey(),
    /** Stripe's id. */
    disputeId: text().notNull().unique(),
    orderId: text().notNull(),
    paymentIntentId: text().notNull(),
    amountCents: integer().notNull(),
    /** Stripe's codes. Stripe may add new ones. */
    reason: text().notNull(),
    status: text().notNull(),
    /** Until when Stripe accepts evidence, in ms; null if it accepts none. */
    evidenceDueAt: integer(),
    /** Times in ms; `closedAt` is null until the dispute is decided. */
    openedAt: integer().notNull(),
    closedAt: integer(),
  },
  (table) => [
    index('disputes_open')
      .on(table.openedAt)
      .where(sql`${table.closedAt} IS NULL`),
  ],
);

export type DisputeRecord = typeof disputes.$inferSelect;

/**
 * The ledger: every entry, in the order in which it was recorded. Two triggers prevent changes and deletions. It
 * contains no personal data.
 */
export const ledger = sqliteTable(
  'ledger',
  {
    /** Starts at 1 and has no gaps. */
    sequence: integer().primaryKey(),
    /** The money movement, such as `refund:re_1`; unique, so that it is recorded once. */
    key: text().notNull().unique(),
    /** Time in ms. */
    at: integer().notNull(),
    orderId: text().notNull(),
    kind: text({ enum: ledgerEntryKinds }).notNull(),
    /** In cents; negative for outgoing money. */
    amountCents: integer().notNull(),
    /** Stripe's id of the PaymentIntent, refund or dispute; empty for money outside Stripe. */
    stripeId: text().notNull(),
    /** The sum of all entries up to this one, in cents. */
    balanceCents: integer().notNull(),
  },
  (table) => [index('ledger_order').on(table.orderId), index('ledger_at').on(table.at)],
);

/** PaymentIntents whose client secret a browser has, until their outcome is known. */
export const paymentIntents = sqliteTable(
  'payment_intents',
  {
    _id: text().primaryKey(),
    paymentIntentId: text().notNull().unique(),
    /** Empty if the order is not in the database, because a backup without it was restored. */
    orderId: text().notNull(),
    /** When someone last opened the payment page with it, in ms. */
    startedAt: integer().notNull(),
    /** When reconciliation next asks Stripe about it, in ms; null once its outcome is known. */
    checkAt: integer(),
    /** How many times in a row asking has failed. */
    failures: integer().notNull().default(0),
    /** What a person should know, without personal data; null if there is no problem. */
    problem: text(),
    /** The staff member who handled the problem, and when. Reconciliation keeps asking Stripe. */
    seenBy: text(),
    seenAt: integer(),
  },
  (table) => [
    index('payment_intents_check').on(table.checkAt),
    index('payment_intents_unseen')
      .on(table.startedAt)
      .where(sql`${table.problem} IS NOT NULL AND ${table.seenAt} IS NULL`),
  ],
);

export const stripeKeys = sqliteTable(
  'stripe_keys',
  {
    _id: text().primaryKey(),
    /** The number of saves, from 1; used as the ETag. */
    version: integer().notNull().default(1),
    /** Always 0 and unique, so there is only one key. */
    position: integer().notNull().default(0),
    stripeKey: text().notNull().default(''),
  },
  (table) => [uniqueIndex('stripe_keys_singleton').on(table.position)],
);
