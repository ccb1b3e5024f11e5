/**
 * What a test can make happen. Each control is a function of `emulator.controls` and, by the same name, a call of the
 * emulator alone: `POST /_test/<name>` with the argument as JSON.
 */
import { z } from 'zod';
import { type Faults, faultSchema } from './faults.ts';
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

/** The controls over one emulator. @param settle ends the wait of a `processing` payment */
export function makeControls(
  webhooks: Webhooks,
  faults: Faults,
  settle: (paymentIntentId: string, isApproved: boolean) => void,
) {
  return {
    /** Sends what is pending, and what comes, there. */
    setWebhookUrl: control(z.strictObject({ url: z.url() }), ({ url }) => webhooks.setUrl(url)),
    /** Keeps deliveries of these types back (of all: none named), until they are released. */
    holdWebhooks: control(z.strictObject({ types }), (types) => webhooks.hold(types)),
    releaseWebhooks: control(nothing, () => webhooks.release()),
    /** Answers once nothing is pending, but for what is kept back. */
    waitForWebhooks: control(nothing, () => webhooks.untilDelivered()),
    /** Ends the wait of a `processing` payment. */
    settlePayment: control(settlement, (given) => settle(given.paymentIntent, given.isApproved)),
    /** Makes the next calls go wrong (faults.ts). */
    planFault: control(faultSchema, (fault) => faults.plan(fault)),
    clearFaults: control(nothing, () => faults.clear()),
  };
}
