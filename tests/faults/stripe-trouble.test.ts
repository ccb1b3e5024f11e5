/**
 * Stripe is slow, sends invalid responses, fails before or after it handles a request, closes the connection, or is
 * unavailable. People who pay, cancel or refund in the meantime succeed or are asked to try again. Once Stripe has
 * recovered, the order, the ledger and Stripe's books agree.
 */
import { eq } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import { timeOfId } from '#contract/ids.ts';
import { openDatabase } from '#worker/db/client.ts';
import { ApiError } from '#worker/http/errors.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import { cancelOrder } from '#worker/payments/cancel.ts';
import { openPaymentContext, type PaymentContext } from '#worker/payments/context.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { reconcileAll } from '../api/payment-steps.ts';
import { handleEvent } from '#worker/payments/webhook-events.ts';
import { paymentIntents } from '#worker/payments/schema.ts';
import { byCustomer, openShop, type IntentsByOrder } from '../api/orders-shop.ts';
import { refusalOf } from '../support/refusal.ts';

/** How a request to Stripe fails. `done` says whether Stripe handles it. */
interface Trouble {
  readonly done: boolean;
  readonly waitMs?: number;
  /** Replaces Stripe's response with a status and body. `cut` closes the connection, `none` never responds. */
  readonly answer?: readonly [status: number, body: string] | 'cut' | 'none';
}

const failure = JSON.stringify({ error: { type: 'api_error', message: 'Something went wrong at Stripe.' } });
const troubles: Readonly<Record<string, Trouble>> = {
  // The client waits eight seconds.
  'is slow': { done: true, waitMs: 200 },
  'answers an object that is none': { done: false, answer: [200, '{}'] },
  'fails after it has done it': { done: true, answer: [500, failure] },
  'does it and cuts the line': { done: true, answer: 'cut' },
  'does it and hangs': { done: true, answer: 'none' },
  'is still busy with the first attempt': {
    done: false,
    answer: [
      409,
      JSON.stringify({ error: { type: 'invalid_request_error', code: 'idempotency_key_in_use' } }),
    ],
  },
  'gets too many calls': {
    done: false,
    answer: [429, JSON.stringify({ error: { type: 'invalid_request_error', code: 'rate_limit' } })],
  },
  'holds the object for another call': {
    done: false,
    answer: [429, JSON.stringify({ error: { type: 'invalid_request_error', code: 'lock_timeout' } })],
  },
};

const shop = await openShop({ LIMIT_INTENTS_ORDER: '1000' });
const stripeUrl = shop.env.STRIPE_API_URL ?? '';
afterAll(() => shop.close());

/** The longest wait for a hanging Stripe, retries included, in ms. */
const patienceMs = 22_000;

/**
 * Gives a context's requests a timeout that does not depend on the machine: a short one if Stripe hangs, otherwise a
 * long one.
 */
function withTimeout(context: PaymentContext, { waitMs = 0, answer }: Trouble): PaymentContext {
  const { stripe } = context;
  const retries = stripe.getMaxNetworkRetries();
  const pausesMs = stripe.getMaxNetworkRetryDelay() * 1_000 * retries;
  const timeoutMs = Number(stripe.getApiField('timeout'));
  expect(timeoutMs).toBeGreaterThan(waitMs);
  expect(timeoutMs * (retries + 1) + pausesMs).toBeLessThanOrEqual(patienceMs);
  stripe._setApiField('timeout', answer === 'none' ? 300 : 600_000);
  return context;
}

/** Where the disturbed requests go. */
const troubledOrigin = 'http://troubled.example:4242';

/** Disturbs every request of its contexts to Stripe. */
function startTrouble(trouble: Trouble) {
  const { done, waitMs = 0, answer } = trouble;
  const { fetch } = globalThis;
  const relays = new Set<Promise<unknown>>();
  let disturbed = 0;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    // The caller's own signal. The new request's signal only follows it, and may be garbage collected before it aborts.
    const signal = init?.signal ?? request.signal;
    const { origin, pathname, search } = new URL(request.url);
    if (origin !== troubledOrigin) return fetch(request);
    disturbed += 1;
    const { method, headers } = request;
    const body = await request.text();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const relay =
      done && fetch(new URL(pathname + search, stripeUrl), { method, headers, ...(body && { body }) });
    if (relay) relays.add(relay);
    const reply = await relay;
    if (answer === 'none')
      return new Promise((_, reject) => {
        const abort = () => reject(new DOMException('The request timed out.', 'AbortError'));
        // Stripe may have worked longer than the client waits.
        if (signal.aborted) abort();
        else signal.addEventListener('abort', abort);
      });
    if (answer === 'cut') throw new TypeError('The connection is closed.');
    if (answer) return new Response(answer[1], { status: answer[0] });
    return reply || Response.error();
  });
  const env = { ...shop.env, STRIPE_API_URL: troubledOrigin };
  return {
    context: () =>
      withTimeout(
        openPaymentContext(env, () => undefined, openDatabase(env)),
        trouble,
      ),
    /** @returns how many requests were disturbed */
    stop: async () => {
      await Promise.all(relays);
      spy.mockRestore();
      return disturbed;
    },
  };
}

const pay = async (order: OrderRecord) => {
  await shop.payByCard(await shop.openPage(order));
};

interface Deed {
  readonly begin: (order: OrderRecord) => Promise<unknown>;
  readonly act: (context: PaymentContext, order: OrderRecord) => Promise<unknown>;
}

/** What people do in the meantime. Each sets up its order, and then acts. */
const deeds: Readonly<Record<string, Deed>> = {
  'opens the payment page': {
    begin: () => Promise.resolve(),
    act: (context, order) => shop.openPage(order, context),
  },
  'has paid': { begin: pay, act: (context, { _id }) => confirmPayment(context, _id) },
  'cancels an open payment page': {
    begin: (order) => shop.openPage(order),
    act: (context, { _id }) => cancelOrder(context, _id, byCustomer),
  },
  'is refunded': {
    begin: async (order) => {
      await pay(order);
      await confirmPayment(shop.openPaymentContext(), order._id);
    },
    act: (context, order) => shop.refund(order, { idempotencyKey: `refund ${order._id}` }, context),
  },
  'has paid, as a webhook reports': {
    begin: pay,
    act: async (context, { _id }) => {
      const { data } = await shop.stripe.events.list({ limit: 100 });
      const event = data.find(({ data: { object } }) => JSON.stringify(object).includes(_id));
      if (!event) throw new Error('Stripe has no such event.');
      await handleEvent(context, event);
    },
  },
  'has paid, as reconciliation finds': {
    begin: async (order) => {
      await pay(order);
      await shop.db.update(paymentIntents).set({ checkAt: 0 });
    },
    act: (context) => reconcileAll(context),
  },
};

/** The message that docs/operations.md quotes. */
const notAnswering = '503 Our payment provider is not responding right now. Please try again in a moment.';

/** How many of an order's recorded intents can still be paid. */
async function countPayable(orderId: string, intents: IntentsByOrder): Promise<number> {
  const recorded = await shop.db.select().from(paymentIntents).where(eq(paymentIntents.orderId, orderId));
  const ids = new Set(recorded.map(({ paymentIntentId }) => paymentIntentId));
  const isOver = (status: string) => ['succeeded', 'canceled'].includes(status);
  return (intents.get(orderId) ?? []).filter(({ id, status }) => ids.has(id) && !isOver(status)).length;
}

test.each(Object.entries(troubles))(
  'While Stripe %s, nothing is lost, and people are asked to try again',
  async (_, trouble) => {
    const { context, stop } = startTrouble(trouble);
    const placed: OrderRecord[] = [];
    try {
      const shown = await Promise.all(
        Object.values(deeds).map(async ({ begin, act }) => {
          const order = await shop.newOrder();
          placed.push(order);
          await begin(order);
          return refusalOf(() => act(context(), order));
        }),
      );
      const refusals = shown.filter((said) => said !== undefined);
      expect(refusals.filter((said) => said !== notAnswering)).toEqual([]);
      if (trouble.answer === undefined) expect(refusals).toEqual([]);
      else expect(refusals.length).toBeGreaterThan(2);
    } finally {
      expect(await stop()).toBeGreaterThan(0);
    }
    // Stripe has recovered: pending work is done, and a second attempt succeeds.
    await shop.db.update(paymentIntents).set({ checkAt: 0 });
    await shop.settleReports();
    await reconcileAll(shop.openPaymentContext());
    for (const [index, [deed, { act }]] of Object.entries(deeds).entries()) {
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
      // Nobody can pay an intent if the site never learned that it was created. The site only hands out the secret of a
      // recorded intent.
      const isUntold = trouble.done && (await countPayable(_id, intents)) <= 1;
      expect(faults.filter((fault) => !(isUntold && fault === '2 live intents.'))).toEqual([]);
    }
    expect(await shop.findBookFaults()).toEqual([]);
  },
);
