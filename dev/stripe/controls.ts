/**
 * What a test can make happen. Each control is a function of `emulator.controls` and, by the same name, a call of the
 * emulator alone: `POST /_test/<name>` with the argument as JSON.
 */
import * as z from 'zod';
import type { Bank } from './bank.ts';
import { disputeShape, pursueDispute, warnOfFraud } from './disputes.ts';
import { type Faults, faultSchema } from './faults.ts';
import type { PublishableKeys } from './keys.ts';
import { changeVerification } from './registrations.ts';
import { refundPayment, settleRefund } from './refunds.ts';
import { changeCard } from './portal.ts';
import { settleProcessing } from './settle.ts';
import type { Webhooks } from './webhooks.ts';

/** A function that also takes its argument as JSON that nobody has checked. */
function control<Schema extends z.ZodType, Result>(
  schema: Schema,
  run: (argument: z.output<Schema>) => Result,
) {
  const runUnchecked = (argument: unknown): unknown => run(schema.parse(argument));
  return Object.assign((argument: z.input<Schema>) => run(schema.parse(argument)), { runUnchecked });
}

const nothing = z.strictObject({});
const types = z.array(z.string()).default([]);
const settlement = z.strictObject({ paymentIntent: z.string(), isApproved: z.boolean().default(true) });
const refund = z.strictObject({ paymentIntent: z.string(), amount: z.int().optional() });
const dispute = z.strictObject({ paymentIntent: z.string(), ...disputeShape });
const publishableKeys = z.strictObject({
  own: z.array(z.string()),
  foreign: z.array(z.string()).default([]),
});
const domain = z.strictObject({ host: z.string(), isVerifiable: z.boolean() });
const refundEnd = z.strictObject({
  refund: z.string(),
  status: z.enum(['canceled', 'failed', 'succeeded']).default('succeeded'),
});

/** The controls over one emulator. */
export function makeControls(webhooks: Webhooks, faults: Faults, bank: Bank, keys: PublishableKeys) {
  return {
    /** Sends what is pending, and what comes, there. */
    setWebhookUrl: control(z.strictObject({ url: z.url() }), ({ url }) => webhooks.setUrl(url)),
    /** Keeps deliveries of these types back (of all: none named), until they are released. */
    holdWebhooks: control(z.strictObject({ types }), (types) => webhooks.hold(types)),
    releaseWebhooks: control(nothing, () => webhooks.release()),
    /** Ends the wait of a `processing` payment. */
    settlePayment: control(settlement, ({ paymentIntent, isApproved }) =>
      bank.settle((call) => settleProcessing(call, paymentIntent, isApproved)),
    ),
    /** Refunds a payment as in the dashboard: all that is left, or an amount in cents. */
    refund: control(refund, ({ paymentIntent, amount }) =>
      bank.change((call) => refundPayment(call, paymentIntent, amount)),
    ),
    /** Ends a refund that is `pending`, or fails or cancels one that had succeeded. */
    settleRefund: control(refundEnd, ({ refund, status }) =>
      bank.change((call) => settleRefund(call, refund, status)),
    ),
    /** Opens a dispute over a payment unless one is open; with an outcome, takes it on to there. */
    dispute: control(dispute, ({ paymentIntent, ...rest }) =>
      bank.change((call) => pursueDispute(call, paymentIntent, rest)),
    ),
    /** Has the cardholder's bank warn that a payment may be a fraud. */
    warnOfFraud: control(z.strictObject({ paymentIntent: z.string() }), ({ paymentIntent }) =>
      bank.change((call) => warnOfFraud(call, paymentIntent)),
    ),
    /** Lets days pass for subscriptions. */
    advance: control(z.strictObject({ days: z.number().positive() }), ({ days }) => bank.advance(days)),
    /** Changes the card of a customer as the customer portal does. */
    changeCard: control(z.strictObject({ customer: z.string(), card: z.string() }), ({ customer, card }) =>
      bank.change((call) => changeCard(call, customer, card)),
    ),
    /** Rolls the publishable keys: of those of before none is known any more. */
    setPublishableKeys: control(publishableKeys, ({ own, foreign }) => {
      Object.assign(keys, { own: new Set(own), foreign: new Set(foreign) });
    }),
    /** Makes wallets inactive on a host, or lets Stripe verify it again. */
    changeDomain: control(domain, ({ host, isVerifiable }) =>
      bank.change(({ state }) => changeVerification(state, host, isVerifiable)),
    ),
    /** Makes the next calls go wrong (faults.ts). */
    planFault: control(faultSchema, (fault) => faults.plan(fault)),
    clearFaults: control(nothing, () => faults.clear()),
  };
}
