/** What tests of payments do over and over: pay an order, return its money, tell of it as Stripe does, and look how it stands. */
import { and, asc, eq, isNotNull } from 'drizzle-orm';
import type Stripe from 'stripe';
import { signPayload } from '#dev/stripe/webhooks.ts';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import type { AttentionItem } from '#contract/payments.ts';
import type { Database } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { ApiError, isDatabaseDown } from '#worker/http/errors.ts';
import type { Actor } from '#worker/orders/changes.ts';
import { findOrder } from '#worker/orders/read.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import { readAttention } from '#worker/payments/attention.ts';
import type { PaymentContext, Step } from '#worker/payments/context.ts';
import { requestPaymentIntent } from '#worker/payments/pay.ts';
import { reconcileAll } from '#worker/payments/reconcile.ts';
import { mountRefunds } from '#worker/payments/refund-routes.ts';
import { refundOrder, type RefundRequest } from '#worker/payments/refund-requests.ts';
import { takeReport } from '#worker/payments/reported.ts';
import { mountPayments } from '#worker/payments/routes.ts';
import { ledger, paymentIntents, type RefundRecord } from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { ask, openApp, type App } from '../support/in-process-app.ts';

/** What the steps stand on. */
export interface PaymentShop {
  readonly db: Database;
  readonly env: Env;
  readonly stripe: Stripe;
  /** Somebody of their own database connection, as two requests are. */
  openPaymentContext(beforeStep?: (step: Step) => Promise<void>): PaymentContext;
  newOrder(idempotencyKey?: string): Promise<OrderRecord>;
}

/** An order, and the payment that Stripe has taken for it. */
export interface Paid {
  readonly order: OrderRecord;
  readonly intent: Stripe.PaymentIntent;
}

/** How a delivery is signed where that is not as Stripe does it, and the settings that the Worker has then. */
interface Signature {
  readonly secret?: string;
  readonly at?: number;
  /** What the signature is of, where that is not the body. */
  readonly signed?: string;
  readonly settings?: Partial<Env>;
}

export interface PaymentSteps {
  /** An order as it is now. @throws ApiError 404 */
  readOrder(order: Pick<OrderRecord, '_id'>): Promise<OrderRecord>;
  /** Opens the payment page of an order as its customer does. @returns the id of its intent */
  openPage(order: OrderRecord, context?: PaymentContext): Promise<string>;
  /** Pays at Stripe, as the browser does, of which nobody tells us; by a card that is taken, unless told otherwise. */
  payByCard(intentId: string, paymentMethod?: string): Promise<Stripe.PaymentIntent>;
  /** A new order whose payment has succeeded at Stripe, which nobody has told us. */
  newPayment(paymentMethod?: string): Promise<Paid>;
  /** A new order whose payment is recorded. */
  newPaidOrder(paymentMethod?: string): Promise<Paid>;
  /** Returns money by hand, all that is left unless told otherwise; an administrator does. */
  refund(
    order: Pick<OrderRecord, '_id'>,
    request?: Partial<RefundRequest>,
    context?: PaymentContext,
  ): Promise<RefundRecord>;
  /** The newest events that Stripe has of an intent and its charge, refunds and disputes, oldest first. */
  eventsOf(intent: Pick<Stripe.PaymentIntent, 'id'>): Promise<Stripe.Event[]>;
  /** What Stripe tells of an intent once it is paid. */
  successOf(intent: Pick<Stripe.PaymentIntent, 'id'>): Promise<Stripe.Event>;
  /** What the cron does of payments, at a time when this order's is due to be asked about. */
  reconcileNow(order: Pick<OrderRecord, '_id'>, context?: PaymentContext): Promise<void>;
  /** Takes up each of these events, as once it was delivered. */
  reportAll(intent: Pick<Stripe.PaymentIntent, 'id'>): Promise<void>;
  /** Sends the webhook an event, or whatever else comes there. @returns the status of the answer */
  deliver(event: Stripe.Event | string, signature?: Signature): Promise<number>;
  /** Makes a call of payments or refunds as somebody who is signed in, or nobody; with a body under a key of its own. */
  callAs(account: Account | undefined, method: string, path: string, body?: object): Promise<Response>;
  /** What the list of what needs a person says of an order. */
  attentionFor(order: Pick<OrderRecord, '_id'>): Promise<AttentionItem[]>;
  /** An order's movements in the ledger, oldest first: kind and cents. */
  movementsOf(order: Pick<OrderRecord, '_id'>): Promise<[kind: string, amountCents: number][]>;
  /** A context, and the events that it logs. */
  openLogged(): { readonly context: PaymentContext; readonly events: string[] };
}

/** The calls of payments and refunds, as somebody who is signed in makes them, or nobody. */
function openPaymentsApp(account?: Account): App {
  const app = openApp();
  app.use(async (c, next) => {
    c.set('account', account);
    await next();
  });
  mountPayments(app);
  mountRefunds(app);
  return app;
}

/** @param administrator whoever returns money by hand */
export function paymentSteps(shop: PaymentShop, administrator: Actor): PaymentSteps {
  const steps: PaymentSteps = {
    readOrder: ({ _id }) => findOrder(shop.db, _id),

    async openPage({ _id, packagePrice, customerEmail }, context = shop.openPaymentContext()) {
      const secret = await requestPaymentIntent(context, _id, packagePrice, {
        actorFor: ({ accountId }) => ({ role: 'customer', accountId }),
        receiptEmail: customerEmail,
      });
      return secret.split('_secret')[0] ?? '';
    },

    payByCard: (intentId, payment_method = 'pm_card_visa') =>
      shop.stripe.paymentIntents.confirm(intentId, { payment_method }),

    async newPayment(paymentMethod) {
      const order = await shop.newOrder();
      return { order, intent: await steps.payByCard(await steps.openPage(order), paymentMethod) };
    },

    async newPaidOrder(paymentMethod) {
      const paid = await steps.newPayment(paymentMethod);
      await settlePayment(shop.openPaymentContext(), paid.intent);
      return paid;
    },

    refund: ({ _id }, request, context = shop.openPaymentContext()) =>
      refundOrder(
        context,
        _id,
        { amountCents: undefined, reason: undefined, note: '', idempotencyKey: newId(), ...request },
        administrator,
      ),

    async eventsOf({ id }) {
      const { data } = await shop.stripe.events.list({ limit: 100 });
      return data.filter(({ data: { object } }) => JSON.stringify(object).includes(id)).reverse();
    },

    async successOf(intent) {
      const event = (await steps.eventsOf(intent)).find(({ type }) => type === 'payment_intent.succeeded');
      if (!event) throw new Error('Stripe has no such event.');
      return event;
    },

    async reconcileNow({ _id }, context = shop.openPaymentContext()) {
      const isOpen = and(eq(paymentIntents.orderId, _id), isNotNull(paymentIntents.checkAt));
      await shop.db.update(paymentIntents).set({ checkAt: 0 }).where(isOpen);
      await reconcileAll(context);
    },

    async reportAll(intent) {
      for (const event of await steps.eventsOf(intent)) await takeReport(shop.openPaymentContext(), event);
    },

    async deliver(event, { secret = 'whsec_shop', at = Date.now(), signed, settings } = {}) {
      const body = typeof event === 'string' ? event : JSON.stringify(event);
      const signature = signPayload(signed ?? body, secret, Math.floor(at / 1_000));
      const request = { method: 'POST', body, headers: { 'Stripe-Signature': signature } };
      const env = { ...shop.env, ...settings };
      return (await ask(openPaymentsApp(), '/stripe/webhook', request, env)).status;
    },

    callAs: (account, method, path, body) =>
      ask(
        openPaymentsApp(account),
        path,
        {
          method,
          ...(body && {
            body: JSON.stringify(body),
            headers: { 'Content-Type': 'application/json', 'Idempotency-Key': newId() },
          }),
        },
        shop.env,
      ),

    attentionFor: async ({ _id }) =>
      (await readAttention(shop.db, shop.env)).rows.filter(({ orderId }) => orderId === _id),

    async movementsOf({ _id }) {
      const movements = shop.db.select().from(ledger).where(eq(ledger.orderId, _id));
      return (await movements.orderBy(asc(ledger.sequence))).map(({ kind, amountCents }) => [
        kind,
        amountCents,
      ]);
    },

    openLogged() {
      const events: string[] = [];
      const log = (event: string) => void events.push(event);
      return { events, context: { ...shop.openPaymentContext(), log } };
    },
  };
  return steps;
}

/**
 * Does it again for as long as the database takes longer than the Worker waits for it, as people do who are told to try again: on a
 * slow machine a crowd may.
 */
export async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseDown(error)) throw error;
    }
}

/** Refusals are what losing a race looks like; anything else is a fault. */
export async function tolerate(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}
