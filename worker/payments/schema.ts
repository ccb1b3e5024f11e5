/** Tables of the payments: the ledger, and the PaymentIntents whose end is not known yet. */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** The ledger: one row for each payment that ever reached us, settled or not. */
export const payments = sqliteTable(
  'payments',
  {
    _id: text().primaryKey(),
    orderId: text().notNull(),
    /** 'PayPal' stands for money that came outside Stripe, recorded by an administrator. */
    method: text({ enum: ['Card', 'PayPal'] }).notNull(),
    /** Stripe's id; null for a payment outside Stripe. */
    paymentIntentId: text().unique(),
    amountCents: integer().notNull(),
    currency: text().notNull(),
    /**
     * `settled`: it made the order Paid. `withdrawn`: an administrator took that back. `refundDue`: no order could
     * take it, so it goes back; `refunded`: Stripe has returned it.
     */
    outcome: text({ enum: ['settled', 'withdrawn', 'refundDue', 'refunded'] }).notNull(),
    /** Why no order could take it. */
    refusal: text({ enum: ['cancelled', 'paidAlready', 'amountDiffers'] }),
    refundId: text(),
    /** Time in ms. */
    at: integer().notNull(),
    /** The administrator who has seen to a refused payment, and when. */
    seenBy: text(),
    seenAt: integer(),
  },
  (table) => [
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

/** PaymentIntents that were handed out, until their end is known. */
export const paymentIntents = sqliteTable(
  'payment_intents',
  {
    _id: text().primaryKey(),
    paymentIntentId: text().notNull().unique(),
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
