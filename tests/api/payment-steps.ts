/** Steps that many payment tests share: pay an order, refund it, deliver Stripe's events, and read the result. */
import { and, asc, eq, isNotNull, ne } from 'drizzle-orm';
import type Stripe from 'stripe';
import { signPayload } from '#dev/stripe/webhooks.ts';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import type { Database } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { ApiError, isDatabaseDown } from '#worker/http/errors.ts';
import type { Actor } from '#worker/orders/changes.ts';
import { findOrder } from '#worker/orders/read.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import { readAttention } from '#worker/attention/attention.ts';
import { setPaymentByHand } from '#worker/payments/cancel.ts';
import type { PaymentContext, Step } from '#worker/payments/context.ts';
import { requestPaymentIntent } from '#worker/payments/pay.ts';
import { reconcileIntents } from '#worker/payments/reconcile.ts';
import { mountRefunds } from '#worker/payments/refund-routes.ts';
import { reconcileRefunds, refundOrder, type RefundRequest } from '#worker/payments/refund-requests.ts';
import { reconcileSubscriptions } from '#worker/payments/sync-subscription.ts';
import { handleEvent } from '#worker/payments/webhook-events.ts';
import { mountPayments } from '#worker/payments/routes.ts';
import { ledger, paymentIntents, type RefundRecord } from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { openAppAs, callerOf, type App } from '../support/in-process-app.ts';
import type { Answer } from '../support/visitor.ts';

export interface PaymentShop {
  readonly db: Database;
  readonly env: Env;
  readonly stripe: Stripe;
  /** A context with its own database connection, like that of a request. */
  openPaymentContext(beforeStep?: (step: Step) => Promise<void>): PaymentContext;
  newOrder(idempotencyKey?: string): Promise<OrderRecord>;
}

/** An order and the payment that Stripe has captured for it. */
export interface Paid {
  readonly order: OrderRecord;
  readonly intent: Stripe.PaymentIntent;
}

type OrderId = Pick<OrderRecord, '_id'>;
type IntentId = Pick<Stripe.PaymentIntent, 'id'>;

/** The API calls of payments and refunds, signed in as an account or not at all. */
function openPaymentsApp(account?: Account): App {
  const app = openAppAs(account);
  mountPayments(app);
  mountRefunds(app);
  return app;
}

/** Settles what is due and nobody reported, like the cron job, without reading Stripe's events. */
export async function reconcileAll(context: PaymentContext): Promise<void> {
  await reconcileIntents(context);
  await reconcileRefunds(context);
  await reconcileSubscriptions(context);
}

/** @param administrator makes the refunds, and marks orders as paid */
export function paymentSteps(shop: PaymentShop, administrator: Actor) {
  /**
   * Opens an order's payment page as its customer.
   * @returns the id of its intent
   */
  async function openPage(
    { _id, packagePrice, accountId, customerEmail }: OrderRecord,
    context = shop.openPaymentContext(),
  ): Promise<string> {
    const owner = { id: accountId, email: customerEmail, emailVerified: true } as Account;
    const { clientSecret: secret } = await requestPaymentIntent(context, _id, packagePrice, owner);
    return secret.split('_secret')[0] ?? '';
  }

  /** Pays at Stripe, without a webhook. */
  const payByCard = (intentId: string, paymentMethod = 'pm_card_visa'): Promise<Stripe.PaymentIntent> =>
    shop.stripe.paymentIntents.confirm(intentId, { payment_method: paymentMethod });

  /** A new order that is paid at Stripe but not known to the site yet. */
  async function newPayment(paymentMethod?: string): Promise<Paid> {
    const order = await shop.newOrder();
    return { order, intent: await payByCard(await openPage(order), paymentMethod) };
  }

  /** Stripe's newest events about an intent, its charge, refunds, and disputes, oldest first. */
  async function eventsOf({ id }: IntentId): Promise<Stripe.Event[]> {
    const { data } = await shop.stripe.events.list({ limit: 100 });
    return data.filter(({ data: { object } }) => JSON.stringify(object).includes(id)).reverse();
  }

  /** Stripe's newest event of a type about an intent. */
  async function eventOf(intent: IntentId, type: Stripe.Event['type']): Promise<Stripe.Event> {
    const event = (await eventsOf(intent)).findLast((one) => one.type === type);
    if (!event) throw new Error(`Stripe has no ${type}.`);
    return event;
  }

  return {
    openPage,
    payByCard,
    newPayment,
    eventsOf,

    readOrder: ({ _id }: OrderId): Promise<OrderRecord> => findOrder(shop.db, _id),

    /** A new order whose payment is recorded. */
    async newPaidOrder(paymentMethod?: string): Promise<Paid> {
      const paid = await newPayment(paymentMethod);
      await settlePayment(shop.openPaymentContext(), paid.intent);
      return paid;
    },

    /** Marks an order as paid outside Stripe, or as not paid. */
    setPayment: ({ _id }: OrderId, status: 'Paid' | 'UnPaid'): Promise<OrderRecord> =>
      setPaymentByHand(shop.openPaymentContext(), _id, status, administrator),

    /** Refunds an order as an administrator. By default, refunds all that is left. */
    refund: (
      { _id }: OrderId,
      request: Partial<RefundRequest> = {},
      context = shop.openPaymentContext(),
    ): Promise<RefundRecord> =>
      refundOrder(
        context,
        _id,
        { amountCents: undefined, reason: undefined, note: '', idempotencyKey: newId(), ...request },
        administrator,
      ),

    eventOf,
    successOf: (intent: IntentId) => eventOf(intent, 'payment_intent.succeeded'),

    /** Runs the cron job of payments when the order's intent is due. */
    async reconcileNow({ _id }: OrderId, context = shop.openPaymentContext()): Promise<void> {
      const isOpen = and(eq(paymentIntents.orderId, _id), isNotNull(paymentIntents.checkAt));
      await shop.db.update(paymentIntents).set({ checkAt: 0 }).where(isOpen);
      await reconcileAll(context);
    },

    /** Handles each event of an intent, as if it had been delivered once. */
    async reportAll(intent: IntentId): Promise<void> {
      for (const event of await eventsOf(intent)) await handleEvent(shop.openPaymentContext(), event);
    },

    /**
     * Delivers an event to the webhook.
     * @param settings of the Worker at that time
     * @returns the status of the response
     */
    async deliver(
      event: Stripe.Event | string,
      { at = Date.now(), settings }: { readonly at?: number; readonly settings?: Partial<Env> } = {},
    ): Promise<number> {
      const body = typeof event === 'string' ? event : JSON.stringify(event);
      const signature = signPayload(body, 'whsec_shop', Math.floor(at / 1_000));
      const stripe = callerOf(openPaymentsApp(), { ...shop.env, ...settings });
      const headers = { 'Stripe-Signature': signature };
      return (await stripe.post('/stripe/webhook', body, { headers })).status;
    },

    /** Makes an API call with a new idempotency key, as an account or as nobody. */
    callAs(account: Account | undefined, method: string, path: string, body?: object): Promise<Answer> {
      const headers = { 'Idempotency-Key': newId() };
      return callerOf(openPaymentsApp(account), shop.env).send(method, path, body, { headers });
    },

    /** What needs attention about an order. */
    attentionFor: async ({ _id }: OrderId) =>
      (await readAttention(shop.db, shop.env)).rows.filter(({ orderId }) => orderId === _id),

    /** An order's ledger entries except Stripe's fees, oldest first, such as `refund -4950`. */
    async ledgerEntriesOf({ _id }: OrderId): Promise<string[]> {
      const entries = shop.db
        .select()
        .from(ledger)
        .where(and(eq(ledger.orderId, _id), ne(ledger.kind, 'fee')));
      return (await entries.orderBy(asc(ledger.sequence))).map(
        ({ kind, amountCents }) => `${kind} ${amountCents}`,
      );
    },

    /** A context that records the events that it logs. */
    openLogged() {
      const events: string[] = [];
      const log = (event: string) => void events.push(event);
      return { events, context: { ...shop.openPaymentContext(), log } };
    },
  };
}

/** Retries while the database is busy, like people who are asked to try again. In a crowd, the database may be busy. */
export async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseDown(error)) throw error;
    }
}

/** Ignores a conflict, which is a lost race. Any other error is a fault. */
export async function tolerate(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}
