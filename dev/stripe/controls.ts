/**
 * What a test can make happen. Each control is a function of `emulator.controls` and, by the same name, a call of the
 * emulator alone: `POST /_test/<name>` with the argument as JSON. server.ts lists them.
 */
import { z } from 'zod';
import { faultSchema, type openFaults } from './faults.ts';
import { type Webhooks } from './webhooks.ts';

/** A function that also takes its argument as JSON that nobody has checked. */
function control<Schema extends z.ZodType, Result>(
  schema: Schema,
  run: (argument: z.output<Schema>) => Result,
) {
  const runUnchecked = (argument: unknown): Result => run(schema.parse(argument));
  return Object.assign((argument: z.input<Schema>) => runUnchecked(argument), { runUnchecked });
}

const nothing = z.strictObject({}).default({});
const types = z.array(z.string()).default([]);

interface Levers {
  webhooks: Webhooks;
  faults: ReturnType<typeof openFaults>;
  /** Ends the wait of a `processing` payment, in a transaction. */
  settle: (paymentIntentId: string, isApproved: boolean) => void;
}

/** The controls over one emulator. */
export function makeControls({ webhooks, faults, settle }: Levers) {
  return {
    setWebhookUrl: control(z.strictObject({ url: z.url() }), ({ url }) => webhooks.setUrl(url)),
    dropWebhooks: control(z.strictObject({ count: z.int().min(0).default(1), types }), (drop) =>
      webhooks.drop(drop.count, drop.types),
    ),
    holdWebhooks: control(z.strictObject({ types }).default({ types: [] }), (hold) =>
      webhooks.hold(hold.types),
    ),
    releaseWebhooks: control(nothing, () => webhooks.release()),
    sendEvent: control(
      z.strictObject({
        event: z.string(),
        secret: z.string().optional(),
        timestamp: z.int().optional(),
      }),
      async ({ event, secret, timestamp }) => ({
        status: await webhooks.send(event, {
          ...(secret !== undefined && { secret }),
          ...(timestamp !== undefined && { timestamp }),
        }),
      }),
    ),
    listDeliveries: control(nothing, () => webhooks.list()),
    waitForWebhooks: control(nothing, () => webhooks.untilDelivered()),
    settlePayment: control(
      z.strictObject({ paymentIntent: z.string(), isApproved: z.boolean().default(true) }),
      ({ paymentIntent, isApproved }) => settle(paymentIntent, isApproved),
    ),
    planFault: control(faultSchema, (fault) => faults.plan(fault)),
    clearFaults: control(nothing, () => faults.clear()),
  };
}
export type Controls = ReturnType<typeof makeControls>;
