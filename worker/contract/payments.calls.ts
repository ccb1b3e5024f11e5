/** The calls that move money, Stripe's webhook, the payment key, and open disputes. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { isId } from './ids.ts';
import { orderOrSummary } from './orders.calls.ts';
import { keyPatterns, keyTexts } from './payments.ts';
import { id, moment, setupToken } from './schemas.ts';

/**
 * `amount` is the price that was shown (`499.50`, text or number). It is rejected if it differs from the order's price.
 */
const newPaymentIntent = z.strictObject({
  amount: z.union([z.string().max(20), z.number()], { error: 'Send the amount that was shown.' }),
  orderId: z
    .string({ error: 'Send orderId too. An amount alone does not identify an order.' })
    .refine(isId, 'This is not the id of an order.'),
});

const openDisputes = z.strictObject({
  payments: z.int(),
  cents: z.int(),
  orderIds: z.array(id),
  /** What banks took back permanently, in cents, and from which orders. */
  lostCents: z.int(),
  lostOrderIds: z.array(id),
});
/** The number of disputed payments, the disputed amount in cents, and the orders; the same for lost disputes. */
export type OpenDisputes = Output<typeof openDisputes>;

/** https://docs.stripe.com/keys#obtain-api-keys */
const stripeKey = z
  .string({ error: keyTexts.required })
  .trim()
  .min(1, { error: keyTexts.required, abort: true })
  .refine((typed) => !keyPatterns.secret.test(typed), { error: keyTexts.secret, abort: true })
  .regex(keyPatterns.publishable, keyTexts.other);

/** The publishable key that the payment page uses for Stripe. There is at most one. */
const paymentKey = z.strictObject({ _id: id, stripeKey: z.string() });
export type PaymentKey = Output<typeof paymentKey>;
export const newPaymentKey = z.strictObject({ stripeKey });
export type NewPaymentKey = Output<typeof newPaymentKey>;
const paymentKeyChange = newPaymentKey.partial();
export type PaymentKeyChange = Output<typeof paymentKeyChange>;

const savedKey = paymentKey.extend({
  at: moment,
  /** Email of the person who saved it; empty for setup, and once their account is deleted. */
  by: z.string(),
});
export type SavedKey = Output<typeof savedKey>;

export const paymentCalls = {
  'POST /create-payment-intent': {
    about: "Returns the order's live PaymentIntent, and creates it at Stripe if there is none.",
    who: 'anyone',
    body: newPaymentIntent,
    answer: z.strictObject({
      clientSecret: z.string(),
      /**
       * When the second payment of a monthly package is due, MM/DD/YYYY in the site's time zone; null for other
       * packages.
       */
      renewal: z.string().nullable(),
    }),
    problems: [404, 409, 429],
  },
  'PUT /order/:id': {
    about:
      "Sets the payment status. If the caller is not an administrator, 'Paid' makes the server ask Stripe.",
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
    about: 'Receives events from Stripe.',
    who: 'anyone',
    accepts: 'signed',
    // The evidence of a dispute may have 150,000 characters (https://docs.stripe.com/api/disputes/evidence_object).
    maxBodyBytes: 1024 * 1024,
    answer: z.strictObject({ received: z.literal(true) }),
  },
  'GET /stripe-keys': {
    about: 'Lists the payment key, if there is one.',
    who: 'anyone',
    answer: z.array(paymentKey),
  },
  'POST /add-stripe-key': {
    about: 'Adds the payment key. While there is no administrator, anyone with the setup token can add it.',
    who: 'anyone',
    body: newPaymentKey.extend({ setupToken: setupToken.optional() }),
    answer: paymentKey,
    status: 201,
    problems: [401, 403, 409, 429],
  },
  'GET /stripe-key/:id': { about: 'Returns one payment key.', who: 'anyone', answer: paymentKey },
  'PUT /stripe-key/:id': {
    about: 'Changes the payment key.',
    who: 'administrator',
    body: paymentKeyChange,
    answer: paymentKey,
    problems: [412],
    headers: ['If-Match'],
  },
  'GET /stripe-key-history': {
    about: 'Lists the last 20 payment keys that were saved, newest first.',
    who: 'administrator',
    answer: z.array(savedKey),
  },
  'DELETE /stripe-key/:id': {
    about: 'Removes the payment key.',
    who: 'administrator',
    answer: paymentKey,
  },
  'GET /open-disputes': {
    about:
      'Returns the number, amount (cents) and orders of open disputes, and the amount and orders of lost ones.',
    who: 'orders',
    answer: openDisputes,
  },
} as const satisfies CallTable;
