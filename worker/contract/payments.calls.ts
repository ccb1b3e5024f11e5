/** The calls that move money, Stripe's webhook, and the list of what needs a person. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { isId } from './ids.ts';
import { order, orderSummary } from './orders.calls.ts';
import { id, moment, setupToken } from './schemas.ts';

/** A payer who is not the owner sees what paying needs. */
const orderOrSummary = z.union([order, orderSummary]);

/**
 * `amount` is the order's price as shown (`499.50`, text or number); one that differs from the order's own price is
 * refused.
 */
const newPaymentIntent = z.strictObject({
  amount: z.union([z.string().max(20), z.number()], { error: 'Send the amount that was shown.' }),
  orderId: z
    .string({ error: 'Send orderId too: an amount alone cannot name an order.' })
    .refine(isId, 'This is not the id of an order.'),
});

export const openDisputes = z.strictObject({
  payments: z.int(),
  cents: z.int(),
  /** The orders that were paid with them. */
  orderIds: z.array(id),
});
/** How many payments are in dispute, how much of them, in cents, and of which orders. */
export type OpenDisputes = Output<typeof openDisputes>;

const keyTexts = {
  required: 'Publishable key is required.',
  secret:
    'This is a secret key and must never be typed here. Use the publishable key, which begins with pk_.',
  other: 'Use the publishable key of Stripe: it begins with pk_test_ or pk_live_.',
} as const;

/** https://docs.stripe.com/keys#obtain-api-keys */
const stripeKey = z
  .string({ error: keyTexts.required })
  .trim()
  .min(1, { error: keyTexts.required, abort: true })
  .refine((typed) => !/^(sk|rk)_/i.test(typed), { error: keyTexts.secret, abort: true })
  .regex(/^pk_(test|live)_[A-Za-z0-9_]{1,240}$/, keyTexts.other);

/** The publishable key with which the payment page reaches Stripe. There is one. */
export const paymentKey = z.strictObject({ _id: id, stripeKey: z.string() });
export type PaymentKey = Output<typeof paymentKey>;
export const newPaymentKey = z.strictObject({ stripeKey });
export type NewPaymentKey = Output<typeof newPaymentKey>;
export const paymentKeyChange = newPaymentKey.partial();
export type PaymentKeyChange = Output<typeof paymentKeyChange>;

/** A key that was saved once. */
export const savedKey = z.strictObject({
  _id: id,
  stripeKey: z.string(),
  at: moment,
  /** Email of who saved it; empty for the set-up, and once their account was deleted. */
  by: z.string(),
});
export type SavedKey = Output<typeof savedKey>;

export const paymentCalls = {
  'POST /create-payment-intent': {
    about: "The order's live PaymentIntent, made at Stripe where there is none.",
    who: 'anyone',
    body: newPaymentIntent,
    answer: z.strictObject({ clientSecret: z.string() }),
    problems: [404, 409, 429],
  },
  'PUT /order/:id': {
    about: "Sets the payment status. From anyone but an administrator, 'Paid' makes the server ask Stripe.",
    who: 'anyone',
    body: z.strictObject({
      paymentStatus: z.enum(['UnPaid', 'Paid'], { error: 'Choose UnPaid or Paid.' }),
    }),
    answer: orderOrSummary,
    problems: [401, 403, 409, 429],
  },
  'PUT /order-cancelled/:id': {
    about: 'Cancels an order: first the PaymentIntent at Stripe, then the order.',
    who: 'account',
    body: z.strictObject({
      paymentStatus: z.literal('Cancelled', { error: "Send paymentStatus 'Cancelled'." }).optional(),
    }),
    answer: orderOrSummary,
    problems: [403, 409],
  },
  'POST /stripe/webhook': {
    about: "Stripe's deliveries of events.",
    who: 'anyone',
    accepts: 'signed',
    // A dispute's evidence may hold 150,000 characters (https://docs.stripe.com/api/disputes/evidence_object).
    maxBodyBytes: 1024 * 1024,
    answer: z.strictObject({ received: z.literal(true) }),
    status: 200,
  },
  'GET /stripe-keys': {
    about: 'The payment key, or none.',
    who: 'anyone',
    answer: z.array(paymentKey),
  },
  'POST /add-stripe-key': {
    about: 'Adds the payment key. Open to everyone while there is no administrator, with the set-up token.',
    who: 'anyone',
    audited: 'setting',
    body: newPaymentKey.extend({ setupToken: setupToken.optional() }),
    answer: paymentKey,
    status: 201,
    problems: [401, 403, 409, 429],
  },
  'GET /stripe-key/:id': { about: 'One payment key.', who: 'anyone', answer: paymentKey },
  'PUT /stripe-key/:id': {
    about: 'Changes the payment key.',
    who: 'administrator',
    audited: 'setting',
    body: paymentKeyChange,
    answer: paymentKey,
    problems: [412],
    headers: ['If-Match'],
  },
  'GET /stripe-key-history': {
    about: 'The payment keys that were saved, the newest first, at most 20.',
    who: 'administrator',
    answer: z.array(savedKey),
  },
  'DELETE /stripe-key/:id': {
    about: 'Removes the payment key.',
    who: 'administrator',
    audited: 'setting',
    answer: paymentKey,
  },
  'GET /open-disputes': {
    about: 'How many payments are in dispute, how much of them, in cents, and of which orders.',
    who: 'orders',
    answer: openDisputes,
  },
} as const satisfies CallTable;
