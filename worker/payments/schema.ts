/**
 * Tables of the payments: the payments and refunds themselves, the PaymentIntents whose end is not known yet, and the
 * ledger of every cent that came or went.
 */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ledgerEntryKinds, refundReasons, refundStatuses } from '#contract/payments.ts';

/** One row for each payment that ever reached us, settled or not. */
export const payments = sqliteTable(
  'payments',
  {
    _id: text().primaryKey(),
    orderId: text().notNull(),
    /** 'PayPal' stands for money that came outside Stripe, recorded by an administrator. */
    method: text({ enum: ['Card', 'PayPal'] }).notNull(),
    /** Stripe's id; null for a payment outside Stripe. */
    paymentIntentId: text().unique(),
    /** With what a card payment was made, such as 'Visa ending in 4242'; empty where Stripe did not say. */
    paidWith: text().notNull().default(''),
    /** The email that the receipt names, where its customer has changed theirs since; otherwise empty. */
    receiptEmail: text().notNull().default(''),
    amountCents: integer().notNull(),
    currency: text().notNull(),
    /**
     * `settled`: it made the order Paid. `withdrawn`: an administrator took that back. `refundDue`: no order could
     * accept it, so it is to be returned; `refunded`: Stripe has returned it.
     */
    outcome: text({ enum: ['settled', 'withdrawn', 'refundDue', 'refunded'] }).notNull(),
    /** Why no order could take it. */
    refusal: text({ enum: ['cancelled', 'paidAlready', 'amountDiffers', 'refunded'] }),
    /** Time in ms. */
    at: integer().notNull(),
    /** When the cardholder's bank warned that it may be a fraud, in ms; null where it did not. */
    warnedAt: integer(),
    /** The administrator who has seen to a payment that was refused or warned of, and when. */
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

/**
 * Every refund of any origin: an administrator here, somebody in Stripe's dashboard, or the site itself, which
 * returns a payment that no order could take.
 */
export const refunds = sqliteTable(
  'refunds',
  {
    _id: text().primaryKey(),
    orderId: text().notNull(),
    /** The row of `payments` that goes back. */
    paymentId: text().notNull(),
    /** Stripe's id; null while Stripe has not got the refund yet, and for money that was paid outside Stripe. */
    refundId: text().unique(),
    amountCents: integer().notNull(),
    /** Stripe's status, where `requires_action` counts as pending. Only `succeeded` has moved money. */
    status: text({ enum: refundStatuses }).notNull(),
    reason: text({ enum: refundReasons }),
    /** What the customer is told; empty when nothing is. */
    note: text().notNull().default(''),
    /** Why it failed, or cannot be sent, in Stripe's words; empty while neither is so. */
    failure: text().notNull().default(''),
    /** The administrator's account; empty for a refund by Stripe's dashboard or by the site itself. */
    accountId: text().notNull(),
    /** Makes a repeated request one refund; null for one that was not asked for here. */
    idempotencyKey: text(),
    /** When it was asked for, or first heard of, in ms. */
    at: integer().notNull(),
    /** When it came to its present status, in ms. */
    changedAt: integer().notNull(),
    /** How often Stripe has answered that the sending failed: each further one has an idempotency key of its own. */
    failures: integer().notNull().default(0),
    /** When reconciliation sends it or asks about it next, in ms; null once nothing is waited for. */
    checkAt: integer(),
    /** The administrator who has seen to its failure, and when. */
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

/** Disputes of card payments, as Stripe says that they stand. */
export const disputes = sqliteTable(
  'disputes',
  {
    _id: text().primaryKey(),
    /** Stripe's id. */
    disputeId: text().notNull().unique(),
    orderId: text().notNull(),
    paymentIntentId: text().notNull(),
    amountCents: integer().notNull(),
    /** Stripe's codes, which it may add to. */
    reason: text().notNull(),
    status: text().notNull(),
    /** Until when Stripe takes evidence, in ms; null where it takes none. */
    evidenceDueAt: integer(),
    /** Times in ms; `closedAt` is null while it is not decided. */
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
 * The ledger: every movement of money, in the order in which it was recorded, never changed and never deleted (two
 * triggers see to that). It holds no personal data.
 */
export const ledger = sqliteTable(
  'ledger',
  {
    /** Gapless, from 1. */
    sequence: integer().primaryKey(),
    /** What moved, such as `refund:re_1`; unique, so that it is recorded once. */
    key: text().notNull().unique(),
    /** Time in ms. */
    at: integer().notNull(),
    orderId: text().notNull(),
    kind: text({ enum: ledgerEntryKinds }).notNull(),
    /** What came in; below zero: what went out. */
    amountCents: integer().notNull(),
    /** Stripe's id of the PaymentIntent, refund or dispute; empty for money outside Stripe. */
    stripeId: text().notNull(),
    /** Sum of all movements up to this one. */
    balanceCents: integer().notNull(),
  },
  (table) => [index('ledger_order').on(table.orderId)],
);

/** PaymentIntents whose client secret a browser has, until their end is known. */
export const paymentIntents = sqliteTable(
  'payment_intents',
  {
    _id: text().primaryKey(),
    paymentIntentId: text().notNull().unique(),
    /** Empty once it is known that the database does not have the order: a backup without it was restored. */
    orderId: text().notNull(),
    /** When somebody last opened the payment page with it, in ms. */
    startedAt: integer().notNull(),
    /** When reconciliation asks Stripe about it next, in ms; null once its end is known. */
    checkAt: integer(),
    /** How often in a row asking has failed. */
    failures: integer().notNull().default(0),
    /** What a person should know, without personal data; null while all is well. */
    problem: text(),
    /** The administrator who has seen to the problem, and when; asking Stripe goes on all the same. */
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

/** The payment key. */
export const stripeKeys = sqliteTable(
  'stripe_keys',
  {
    _id: text().primaryKey(),
    /** Counts the record's saves, from 1; its ETag. */
    version: integer().notNull().default(1),
    /** Always 0, and unique: that is why there is one key. */
    position: integer().notNull().default(0),
    stripeKey: text().notNull().default(''),
  },
  (table) => [uniqueIndex('stripe_keys_singleton').on(table.position)],
);
