/**
 * Controls for tests. Each is a function of `emulator.controls` and a call of the emulator with the same name:
 * `POST /_test/<name>` with the argument as JSON.
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

/** A function that also accepts its argument as unchecked JSON. */
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
    /** Sets the address for pending and future deliveries. */
    setWebhookUrl: control(z.strictObject({ url: z.url() }), ({ url }) => webhooks.setUrl(url)),
    /** Holds back deliveries of these types (all types if none are given) until they are released. */
    holdWebhooks: control(z.strictObject({ types }), (types) => webhooks.hold(types)),
    releaseWebhooks: control(nothing, () => webhooks.release()),
    /** Settles a `processing` payment. */
    settlePayment: control(settlement, ({ paymentIntent, isApproved }) =>
      bank.settle((call) => settleProcessing(call, paymentIntent, isApproved)),
    ),
    /** Refunds a payment as in the dashboard: everything that is left, or an amount in cents. */
    refund: control(refund, ({ paymentIntent, amount }) =>
      bank.change((call) => refundPayment(call, paymentIntent, amount)),
    ),
    /** Settles a `pending` refund, or fails or cancels one that had succeeded. */
    settleRefund: control(refundEnd, ({ refund, status }) =>
      bank.change((call) => settleRefund(call, refund, status)),
    ),
    /** Opens a dispute over a payment unless there is one; with an outcome, also decides it. */
    dispute: control(dispute, ({ paymentIntent, ...rest }) =>
      bank.change((call) => pursueDispute(call, paymentIntent, rest)),
    ),
    /** Sends an early fraud warning for a payment. */
    warnOfFraud: control(z.strictObject({ paymentIntent: z.string() }), ({ paymentIntent }) =>
      bank.change((call) => warnOfFraud(call, paymentIntent)),
    ),
    /** Advances the clock of subscriptions by days. */
    advance: control(z.strictObject({ days: z.number().positive() }), ({ days }) => bank.advance(days)),
    /** Changes the card of a customer as the customer portal does. */
    changeCard: control(z.strictObject({ customer: z.string(), card: z.string() }), ({ customer, card }) =>
      bank.change((call) => changeCard(call, customer, card)),
    ),
    /** Replaces the publishable keys, so that earlier ones are unknown. */
    setPublishableKeys: control(publishableKeys, ({ own, foreign }) => {
      Object.assign(keys, { own: new Set(own), foreign: new Set(foreign) });
    }),
    /** Deactivates wallets on a host, or lets Stripe verify it again. */
    changeDomain: control(domain, ({ host, isVerifiable }) =>
      bank.change(({ state }) => changeVerification(state, host, isVerifiable)),
    ),
    /** Makes the next calls fail (faults.ts). */
    planFault: control(faultSchema, (fault) => faults.plan(fault)),
    clearFaults: control(nothing, () => faults.clear()),
  };
}
