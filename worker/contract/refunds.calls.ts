import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { parsePriceCents } from './money.ts';
import { ledgerEntryKinds, refundReasons, refundStatuses } from './payments.ts';
import { attentionItem } from './attention.calls.ts';
import { id, moment, month, optionalText, pageQuery, searched } from './schemas.ts';

export const refund = z.strictObject({
  _id: id,
  /** Decimal string. */
  amount: z.string(),
  status: z.enum(refundStatuses),
  /** For staff; otherwise null. */
  reason: z.enum(refundReasons).nullable(),
  /** The note to the customer; may be empty. */
  note: z.string(),
  /** When it was requested. */
  at: moment,
  /** When its status last changed. */
  changedAt: moment,
  /** Stripe's id; empty before Stripe accepts it, and for a payment outside Stripe. */
  refundId: z.string(),
  /** True if it returns a payment that the order could not accept; false if it refunds the order's own payment. */
  isReturn: z.boolean(),
  /** For staff, Stripe's reason for a failure; otherwise empty. */
  failure: z.string(),
  /** For staff, the email of the administrator who requested it; otherwise empty. */
  by: z.string(),
});
export type Refund = Output<typeof refund>;

const orderRefunds = z.strictObject({
  /** Oldest first. */
  refunds: z.array(refund),
  /** How much of the payment can still be refunded, as a decimal string; `0` if nothing is left. */
  leftAmount: z.string(),
  /** For staff, the order's open disputes, as in `GET /needs-attention`; otherwise empty. */
  disputes: z.array(attentionItem),
  /** For staff, why Stripe cannot refund the payment now; otherwise empty. */
  obstacle: z.string(),
});
export type OrderRefunds = Output<typeof orderRefunds>;

const amountText = 'Please enter an amount, such as 99 or 99.50.';

export const newRefund = z.strictObject({
  /** Decimal string. If absent, everything that is left is refunded. */
  amount: z
    .string({ error: amountText })
    .refine((amount) => parsePriceCents(amount) !== undefined, amountText)
    .optional(),
  reason: z.enum(refundReasons, { error: 'There is no such reason.' }).optional(),
  /** A note to the customer, for the email about the refund. */
  note: optionalText(1_000, 'Send the note as text.').default(''),
});

const ledgerEntry = z.strictObject({
  /** Position in the ledger, from 1, without gaps. */
  sequence: z.int(),
  at: moment,
  orderId: id,
  /** The number of the order; 0 if the order no longer exists. */
  orderNumber: z.int(),
  /** The customer's name and email; empty if the order no longer exists or their account was deleted. */
  customerName: z.string(),
  customerEmail: z.string(),
  kind: z.enum(ledgerEntryKinds),
  /** In cents. Outgoing money is negative. */
  amountCents: z.int(),
  /** Stripe's id for the PaymentIntent, refund or dispute; empty for money outside Stripe. */
  stripeId: z.string(),
  /**
   * Stripe's fee for a payment, in cents; null if Stripe has not reported it, and for all other kinds. The fee also has
   * its own entry.
   */
  feeCents: z.int().nullable(),
  /** The sum of all entries up to this one, in cents. */
  balanceCents: z.int(),
});
export type LedgerEntry = Output<typeof ledgerEntry>;

const ledgerFilter = {
  /** In the site's time zone. */
  month: month.optional(),
  /** Part of the customer's name or email, or the number or id of an order. */
  q: searched.min(1).optional(),
};
export type LedgerFilter = Output<z.ZodObject<typeof ledgerFilter>>;

const ledgerTotals = z.strictObject({
  entries: z.int(),
  /** Incoming money, in cents. */
  inCents: z.int(),
  /** Outgoing money, including fees, in cents; negative. */
  outCents: z.int(),
  /** Stripe's fees, which `outCents` includes, in cents; negative. */
  feeCents: z.int(),
});
export type LedgerTotals = Output<typeof ledgerTotals>;

export const refundCalls = {
  'GET /order/:id/refunds': {
    about:
      'Returns the refunds of an order and how much can still be refunded. Administrators also get open disputes.',
    who: 'account',
    answer: orderRefunds,
  },
  'POST /order/:id/refunds': {
    about:
      "Refunds a part of an order's payment, or everything that is left. A fully refunded order becomes Refunded.",
    who: 'administrator',
    confirmed: true,
    body: newRefund,
    answer: refund,
    status: 201,
    problems: [409],
    headers: ['Idempotency-Key'],
  },
  'GET /ledger': {
    about: 'Lists ledger entries, newest first.',
    who: 'administrator',
    query: pageQuery.extend(ledgerFilter),
    answer: z.array(ledgerEntry),
  },
  'GET /ledger-totals': {
    about: 'Returns the number and the sums of the matching ledger entries.',
    who: 'administrator',
    query: z.strictObject(ledgerFilter),
    answer: ledgerTotals,
  },
  'GET /ledger.csv': {
    about: 'Exports the matching ledger entries, oldest first.',
    who: 'administrator',
    audited: 'export',
    confirmed: true,
    query: z.strictObject(ledgerFilter),
    answer: 'text/csv',
  },
} as const satisfies CallTable;
