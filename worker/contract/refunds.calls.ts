/** The calls on refunds, and the ledger. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { parsePriceCents } from './money.ts';
import { ledgerEntryKinds, refundReasons, refundStatuses } from './payments.ts';
import { attentionItem } from './attention.calls.ts';
import { id, moment, pageQuery } from './schemas.ts';

export const refund = z.strictObject({
  _id: id,
  /** Decimal string. */
  amount: z.string(),
  status: z.enum(refundStatuses),
  /** For administrators; otherwise null. */
  reason: z.enum(refundReasons).nullable(),
  /** What the customer is told; empty when nothing is. */
  note: z.string(),
  /** When it was asked for. */
  at: moment,
  /** When it came to its present status. */
  changedAt: moment,
  /** Stripe's id; empty while Stripe has not got it, and for money that was paid outside Stripe. */
  refundId: z.string(),
  /** Whether a payment that the order could not take goes back, not the order's own. */
  isReturn: z.boolean(),
  /** Why it failed, in Stripe's words, for administrators; otherwise empty. */
  failure: z.string(),
  /** Email of the administrator who asked for it, for administrators; otherwise empty. */
  by: z.string(),
});
export type Refund = Output<typeof refund>;

export const orderRefunds = z.strictObject({
  /** Oldest first. */
  refunds: z.array(refund),
  /** What is left to return of the order's payment: decimal string, `0` where nothing is. */
  leftAmount: z.string(),
  /** For administrators, the disputes of the order that are not decided, as `GET /needs-attention` tells of them; otherwise empty. */
  disputes: z.array(attentionItem),
  /** For administrators, why Stripe returns nothing of the payment right now; empty where it does, and for others. */
  obstacle: z.string(),
});
export type OrderRefunds = Output<typeof orderRefunds>;

const amountText = 'Type an amount such as 99 or 99.50.';

export const newRefund = z.strictObject({
  /** Decimal string; all that is left where it is absent. */
  amount: z
    .string({ error: amountText })
    .refine((amount) => parsePriceCents(amount) !== undefined, amountText)
    .optional(),
  reason: z.enum(refundReasons, { error: 'There is no such reason.' }).optional(),
  /** For the customer, in the mail about the refund. */
  note: z
    .string({ error: 'Type the note as text.' })
    .trim()
    .max(1_000, 'At most 1,000 characters.')
    .default(''),
});

export const ledgerEntry = z.strictObject({
  /** Place in the ledger, from 1, without gaps. */
  sequence: z.int(),
  at: moment,
  orderId: id,
  /** Number of the order; 0 where the order is gone. */
  orderNumber: z.int(),
  kind: z.enum(ledgerEntryKinds),
  /** What came in, in cents; below zero: what went out. */
  amountCents: z.int(),
  /** Stripe's id of the PaymentIntent, refund or dispute; empty for money outside Stripe. */
  stripeId: z.string(),
  /** Sum of all movements up to this one, in cents. */
  balanceCents: z.int(),
});
export type LedgerEntry = Output<typeof ledgerEntry>;

export const refundCalls = {
  'GET /order/:id/refunds': {
    about:
      'The refunds of an order, what is left to return, and for administrators what of it is in dispute.',
    who: 'account',
    answer: orderRefunds,
  },
  'POST /order/:id/refunds': {
    about:
      "Returns a part of an order's payment, or all that is left; wholly refunded, the order is Refunded.",
    who: 'administrator',
    audited: 'refund',
    confirmed: true,
    body: newRefund,
    answer: refund,
    status: 201,
    problems: [409],
    headers: ['Idempotency-Key'],
  },
  'GET /ledger': {
    about: 'Every movement of money, newest first.',
    who: 'administrator',
    query: pageQuery,
    answer: z.array(ledgerEntry),
  },
  'GET /ledger.csv': {
    about: 'Every movement of money, oldest first.',
    who: 'administrator',
    audited: 'export',
    confirmed: true,
    answer: 'text/csv',
  },
} as const satisfies CallTable;
