/**
 * Stripe is slow, answers nonsense, fails before or after it handles a request, closes the connection, or is unavailable.
 * People who pay, cancel, or refund meanwhile succeed or are asked to try again, and once Stripe is well, the order, the
 * ledger, and Stripe's books agree.
 */
import { eq } from 'drizzle-orm';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { timeOfId } from '#contract/ids.ts';
import { openDatabase } from '#worker/db/client.ts';
import { ApiError } from '#worker/http/errors.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import { cancelOrder } from '#worker/payments/cancel.ts';
import { openPaymentContext, type PaymentContext } from '#worker/payments/context.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { reconcileAll } from '#worker/payments/reconcile.ts';
import { takeReport } from '#worker/payments/reported.ts';
import { paymentIntents } from '#worker/payments/schema.ts';
import { fullSize } from '../support/limits.ts';
import { byCustomer, openShop, type IntentsByOrder, type Shop } from '../api/orders-shop.ts';

/** How a request to Stripe fails: `done` says whether Stripe handles it. */
interface Trouble {
  readonly done: boolean;
  readonly waitMs?: number;
  /** Replaces Stripe's answer, with status and body; `cut` closes the connection, `none` never answers. */
  readonly answer?: readonly [status: number, body: string] | 'cut' | 'none';
}

const failure = JSON.stringify({ error: { type: 'api_error', message: 'Something went wrong at Stripe.' } });
const troubles: Readonly<Record<string, Trouble>> = {
  // The client waits eight seconds.
  'is slow': { done: true, waitMs: fullSize ? 6_000 : 200 },
  'answers an object that is none': { done: false, answer: [200, '{}'] },
  'fails before it has done it': { done: false, answer: [500, failure] },
  'fails after it has done it': { done: true, answer: [500, failure] },
  'does it and cuts the line': { done: true, answer: 'cut' },
  'is away': { done: false, answer: 'cut' },
  hangs: { done: false, answer: 'none' },
  'does it and hangs': { done: true, answer: 'none' },
  'is still busy with the first try': {
    done: false,
    answer: [
      409,
      JSON.stringify({ error: { type: 'invalid_request_error', code: 'idempotency_key_in_use' } }),
    ],
  },
  'does not know our key': {
    done: false,
    answer: [401, JSON.stringify({ error: { type: 'invalid_request_error', message: 'Invalid API Key' } })],
  },
};

let shop: Shop;
let stripeUrl: string;
beforeAll(async () => {
  shop = await openShop({ LIMIT_INTENTS_ORDER: '1000' });
  stripeUrl = shop.env.STRIPE_API_URL ?? '';
});
afterAll(() => shop.close());

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** The longest wait for a hanging Stripe, retries included, in ms. */
const patienceMs = 22_000;

/** A context with the usual number of retries, each with a short timeout. */
function withShortTries(context: PaymentContext): PaymentContext {
  const { stripe } = context;
  const retries = stripe.getMaxNetworkRetries();
  const restsMs = stripe.getMaxNetworkRetryDelay() * 1_000 * retries;
  expect(stripe.getApiField('timeout') * (retries + 1) + restsMs).toBeLessThanOrEqual(patienceMs);
  stripe._setApiField('timeout', 300);
  return context;
}

/** Starts a proxy in front of Stripe that disturbs every request. */
async function startTroubled({ done, waitMs = 0, answer }: Trouble) {
  const relays = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    const relay = async () => {
      const body = await readBody(request);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      const headers = Object.fromEntries(
        ['authorization', 'content-type', 'idempotency-key', 'stripe-version'].flatMap((name) => {
          const value = request.headers[name];
          return typeof value === 'string' ? [[name, value]] : [];
        }),
      );
      const real = done
        ? await fetch(new URL(request.url ?? '/', stripeUrl), {
            method: request.method ?? 'GET',
            headers,
            ...(body && { body }),
          }).then(async (reply) => [reply.status, await reply.text()] as const)
        : ([500, ''] as const);
      const [status, text] = typeof answer === 'object' ? answer : real;
      if (answer === 'cut') response.destroy();
      else if (answer !== 'none')
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
    };
    const relayed = relay().catch(() => response.destroy());
    relays.add(relayed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const env = { ...shop.env, STRIPE_API_URL: `http://127.0.0.1:${String(port)}` };
  return {
    context: (): PaymentContext => {
      const context = openPaymentContext(env, () => undefined, openDatabase(env));
      return answer === 'none' ? withShortTries(context) : context;
    },
    close: async () => {
      await Promise.all(relays);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const pay = async (order: OrderRecord) => {
  await shop.payByCard(await shop.openPage(order));
};
const payAndRecord = async (order: OrderRecord) => {
  await pay(order);
  await confirmPayment(shop.openPaymentContext(), order._id);
};

/** What happens meanwhile: each sets up its order, and acts. */
const deeds: Readonly<
  Record<
    string,
    readonly [
      begin: (order: OrderRecord) => Promise<unknown>,
      act: (context: PaymentContext, order: OrderRecord) => Promise<unknown>,
    ]
  >
> = {
  'opens the payment page': [() => Promise.resolve(), (context, order) => shop.openPage(order, context)],
  'has paid': [pay, (context, { _id }) => confirmPayment(context, _id)],
  'cancels a payment page that is open': [
    (order) => shop.openPage(order),
    (context, { _id }) => cancelOrder(context, _id, byCustomer),
  ],
  'is refunded': [
    payAndRecord,
    (context, order) => shop.refund(order, { idempotencyKey: `refund ${order._id}` }, context),
  ],
  'has paid, as a webhook tells': [
    pay,
    async (context, { _id }) => {
      const { data } = await shop.stripe.events.list({ limit: 100 });
      const event = data.find(({ data: { object } }) => JSON.stringify(object).includes(_id));
      if (!event) throw new Error('Stripe has no such event.');
      await takeReport(context, event);
    },
  ],
  'has paid, as reconciliation finds': [
    async (order) => {
      await pay(order);
      await shop.db.update(paymentIntents).set({ checkAt: 0 });
    },
    (context) => reconcileAll(context),
  ],
};

/** The message that docs/operations.md quotes. */
const notAnswering = 'The card provider does not answer right now. Please try again in a moment.';

/** Acts while Stripe is in trouble. @returns the message that a person reads: empty on success */
async function tryDuring(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return '';
  } catch (error) {
    if (error instanceof ApiError && error.status === 503) return error.message;
    throw error;
  }
}

/** The number of an order's recorded intents that can still be paid. */
async function countPayable(orderId: string, intents: IntentsByOrder): Promise<number> {
  const recorded = await shop.db.select().from(paymentIntents).where(eq(paymentIntents.orderId, orderId));
  const ids = new Set(recorded.map(({ paymentIntentId }) => paymentIntentId));
  const isOver = (status: string) => ['succeeded', 'canceled'].includes(status);
  return (intents.get(orderId) ?? []).filter(({ id, status }) => ids.has(id) && !isOver(status)).length;
}

/** The full size tries all. */
const tried = fullSize
  ? Object.keys(troubles)
  : [
      'is slow',
      'answers an object that is none',
      'fails after it has done it',
      'does it and cuts the line',
      'does it and hangs',
      'is still busy with the first try',
    ];

test.each(tried)('While Stripe %s, nothing is lost, and people are asked to try again', async (name) => {
  const trouble = troubles[name] ?? { done: true };
  const { context, close } = await startTroubled(trouble);
  const placed: OrderRecord[] = [];
  try {
    const shown = await Promise.all(
      Object.values(deeds).map(async ([begin, act]) => {
        const order = await shop.newOrder();
        placed.push(order);
        await begin(order);
        return tryDuring(() => act(context(), order));
      }),
    );
    expect(shown.filter((said) => said !== '' && said !== notAnswering)).toEqual([]);
    if (trouble.answer === undefined) expect(shown).toEqual(shown.map(() => ''));
    else expect(shown.filter((said) => said !== '').length).toBeGreaterThan(2);
  } finally {
    await close();
  }
  // Stripe is well again: pending work is done, and a second try succeeds.
  await shop.db.update(paymentIntents).set({ checkAt: 0 });
  await shop.settleReports();
  await reconcileAll(shop.openPaymentContext());
  for (const [index, [deed, [, act]]] of Object.entries(deeds).entries()) {
    const order = placed[index];
    if (!order) continue;
    const again = shop.openPaymentContext();
    await act(again, order).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 409)) throw new Error(deed, { cause: error });
    });
  }
  for (const { _id } of placed) {
    const intents = await shop.readIntents(timeOfId(_id));
    const faults = await shop.findFaults(_id, intents);
    // Nobody can pay an intent whose creation the site never heard of: it gives out the secret of a recorded one only.
    const isUntold = trouble.done && (await countPayable(_id, intents)) <= 1;
    expect(faults.filter((fault) => !(isUntold && fault === '2 live intents.'))).toEqual([]);
  }
  expect(await shop.findBookFaults()).toEqual([]);
});
