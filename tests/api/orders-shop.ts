/**
 * A shop in this process, for tests that control each step of a payment: the real database server and migrations, the
 * Stripe emulator, and the payment code, without the rest of the Worker.
 */
import { deepEqual } from 'node:assert/strict';
import { eq, isNotNull } from 'drizzle-orm';
import type Stripe from 'stripe';
import { startStripeEmulator } from '#dev/stripe/server.ts';
import { accounts } from '#worker/accounts/schema.ts';
import type { Account } from '#contract/accounts.ts';
import { newId, timeOfId } from '#contract/ids.ts';
import { isPaidFor } from '#contract/orders.ts';
import type { NewOrder } from '#contract/orders.calls.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { openDatabase } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { mails as queuedMails } from '#worker/mail/schema.ts';
import { orderEvents, orders } from '#worker/orders/schema.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { cancelOrder } from '#worker/payments/cancel.ts';
import { openPaymentContext } from '#worker/payments/context.ts';
import { reconcileRefunds } from '#worker/payments/refund-requests.ts';
import { handleEvent } from '#worker/payments/webhook-events.ts';
import { paymentIntents, payments, refunds } from '#worker/payments/schema.ts';
import { findBookFaults, findStripeFaults, listAll } from '../support/books.ts';
import { openTestDatabase, type SentMail } from '../support/test-database.ts';
import { paymentSteps, type PaymentShop } from './payment-steps.ts';

export type IntentsByOrder = ReadonlyMap<string, readonly Stripe.PaymentIntent[]>;

/** The most that tests move their clocks, in ms. */
const clockGapMs = 3_600_000;

export const price = '499.50';
export const customer: Account = {
  id: newId(),
  email: 'ann@customers.example',
  emailVerified: true,
  role: 'User',
  lacks: null,
  hasPasskey: false,
  confirmedAt: 0,
  authMethod: 'nothing',
  sessionId: '',
};
export const administrator = { role: 'administrator', accountId: newId() } as const;
/** The signed-in administrator. */
export const staff: Account = {
  ...customer,
  id: administrator.accountId,
  email: 'admin@site.test',
  role: 'Admin',
};
/** Somebody else's account. */
export const stranger: Account = { ...customer, id: newId(), email: 'eve@customers.example' };
export const byCustomer = { role: 'customer', accountId: customer.id } as const;

export const input: NewOrder = {
  packageName: 'Basic',
  packagePrice: price,
  customerEmail: customer.email,
  customerName: 'Ann',
  customerAddress: '1 Street',
  customerCountry: 'France',
};

/** For tests that are not about limits. */
export const wideLimits = {
  LIMIT_UNPAID_ORDERS: '100000',
  LIMIT_ORDERS_ACCOUNT: '100000',
  LIMIT_INTENTS_ADDRESS: '100000',
};

/** A restricted key with the permissions that docs/deploy.md lists. */
export const restrictedKey = 'rk_test_shop';
const restrictedKeys = {
  [restrictedKey]: [
    ...['payment_intent_write', 'refund_write', 'webhook_write', 'payment_method_domain_write'],
    ...['charge_read', 'dispute_read', 'event_read', 'radar_early_fraud_warning_read'],
    'balance_transaction_source_read',
    ...['customer_write', 'customer_portal_write', 'product_write', 'coupon_write', 'subscription_write'],
    ...['invoice_write', 'invoice_payment_read', 'payment_method_read'],
  ],
};

/** Starts a shop that sells one package. */
export async function openShop(settings: Partial<Env> = {}) {
  const emulator = await startStripeEmulator({
    secretKey: 'sk_test_shop',
    restrictedKeys,
    publishableKey: 'pk_test_shop',
    webhookSecret: 'whsec_shop',
    processingMs: null,
  });
  const { db, env, mails, close } = await openTestDatabase({
    STRIPE_SECRET_KEY: 'sk_test_shop',
    STRIPE_WEBHOOK_SECRET: 'whsec_shop',
    STRIPE_API_URL: `http://127.0.0.1:${emulator.port}`,
    ...wideLimits,
    ...settings,
  });
  await db.insert(accounts).values(
    [customer, staff].map(({ id, email }) => ({
      id,
      email,
      emailVerifiedAt: 1,
      createdAt: 1,
    })),
  );
  await db.insert(contentTables.pricingPackage).values({
    _id: newId(),
    packageName: 'Basic',
    packagePrice: price,
    packagePointOne: 'One',
    packagePointThree: 'Three',
  });
  const log = () => undefined;
  const { stripe } = openPaymentContext(env, log, db);

  /** Stripe's intents since a time in ms, by order. */
  async function readIntents(since: number): Promise<IntentsByOrder> {
    const gte = Math.floor((since - clockGapMs) / 1_000);
    const listed = stripe.paymentIntents.list({ limit: 100, created: { gte } });
    return Map.groupBy(await listAll(listed), ({ metadata }) => metadata['orderId'] ?? '');
  }

  const taken = new Set<string>();
  /** Handles each event of Stripe once, and pending refunds. */
  async function settleReports(): Promise<void> {
    emulator.controls.clearFaults();
    const context = openPaymentContext(env, log, openDatabase(env));
    const events: Stripe.Event[] = [];
    // Stripe lists the newest first.
    for await (const event of stripe.events.list({ limit: 100 })) {
      if (taken.has(event.id)) break;
      events.push(event);
    }
    for (const event of events.reverse()) {
      await handleEvent(context, event);
      taken.add(event.id);
    }
    await db.update(refunds).set({ checkAt: 0 }).where(isNotNull(refunds.checkAt));
    await reconcileRefunds(context);
  }

  /**
   * Sends the emails that are due.
   * @param from the settings of another copy of the database
   * @returns what was sent since the last call
   */
  async function sendMails(from = env): Promise<SentMail[]> {
    for (let sent = -1; sent < mails.length;) {
      sent = mails.length;
      await deliverMail(from, log, openDatabase(from));
    }
    return mails.splice(0);
  }

  const shop: PaymentShop = {
    db,
    env,
    stripe,
    openPaymentContext: (beforeStep) => ({
      ...openPaymentContext(env, log, openDatabase(env)),
      ...(beforeStep && { beforeStep }),
    }),
    newOrder: (key) => placeOrder({ db: openDatabase(env), env, account: customer }, input, key),
  };

  return {
    ...shop,
    ...paymentSteps(shop, administrator),
    emulator,
    sent: mails,
    sendMails,
    /** Like `sendMails`, and includes emails that wait for more events. */
    async sendAllMails() {
      await db.update(queuedMails).set({ dueAt: 0 });
      return sendMails();
    },
    /** Cancels the unpaid orders of earlier tests. */
    async cancelUnpaid(): Promise<void> {
      for (const { _id } of await db.select().from(orders).where(eq(orders.paymentStatus, 'UnPaid')))
        await cancelOrder(shop.openPaymentContext(), _id, administrator);
    },
    /** Deletes the queued emails and forgets the sent ones. */
    async clearMails() {
      await db.delete(queuedMails);
      mails.length = 0;
    },

    /** An intent of another site on the same Stripe account; for $499.50 by default. */
    makeForeignIntent: (given?: Partial<Stripe.PaymentIntentCreateParams>): Promise<Stripe.PaymentIntent> =>
      stripe.paymentIntents.create({
        amount: 49_950,
        currency: 'usd',
        allowed_payment_method_types: ['card'],
        ...given,
      }),

    readIntents,

    /**
     * Finds what is wrong with an order and its payments, in the database and at Stripe.
     * @param known intents of several orders, so that they are listed only once
     */
    async findFaults(orderId: string, known?: IntentsByOrder): Promise<string[]> {
      const faults: string[] = [];
      const [order] = await db.select().from(orders).where(eq(orders._id, orderId));
      if (!order) return ['The order is gone.'];
      const [ledger, events, open, byOrder] = await Promise.all([
        db.select().from(payments).where(eq(payments.orderId, orderId)),
        db.select().from(orderEvents).where(eq(orderEvents.orderId, orderId)),
        db.select().from(paymentIntents).where(eq(paymentIntents.orderId, orderId)),
        known ?? readIntents(timeOfId(orderId)),
      ]);
      const intents = byOrder.get(orderId) ?? [];
      const settled = ledger.filter(({ outcome }) => outcome === 'settled');
      const captured = intents.filter(({ status }) => status === 'succeeded');
      const live = intents.filter(({ status }) => !['succeeded', 'canceled'].includes(status));
      const kept = captured.filter(({ id }) =>
        ledger.some(
          ({ paymentIntentId, outcome }) =>
            paymentIntentId === id && ['settled', 'refundDue'].includes(outcome),
        ),
      );

      if (events.length !== order.version)
        faults.push(`${events.length} events for version ${order.version}.`);
      if (settled.length !== (isPaidFor(order) ? 1 : 0))
        faults.push(`${order.paymentStatus} with ${settled.length} settled payments.`);
      const expected = order.paymentMethod === 'Card' && isPaidFor(order) ? [order.transactionId] : [];
      if (kept.map(({ id }) => id).join() !== expected.join())
        faults.push(
          `${order.paymentStatus} (${order.paymentMethod}), and Stripe keeps ${kept.length} payments.`,
        );
      for (const intent of captured)
        if (ledger.filter(({ paymentIntentId }) => paymentIntentId === intent.id).length !== 1)
          faults.push('A captured payment without its one ledger row.');
      if (live.length > 1) faults.push(`${live.length} live intents.`);
      if (order.paymentStatus !== 'UnPaid' && live.length > 0)
        faults.push(`${order.paymentStatus}, and an intent that can still be paid.`);
      if (order.paymentStatus !== 'UnPaid' && open.some(({ checkAt }) => checkAt !== null))
        faults.push(`${order.paymentStatus}, and reconciliation still asks.`);
      if (ledger.some(({ outcome }) => outcome === 'refundDue')) faults.push('A refund is still due.');
      return faults;
    },

    findBookFaults: () => findBookFaults(db),

    settleReports,

    /** Closes the shop, and fails if its books do not agree with Stripe's. */
    async close(): Promise<void> {
      try {
        await settleReports();
        deepEqual([...(await findBookFaults(db)), ...(await findStripeFaults(db, stripe))], []);
      } finally {
        await emulator.close();
        await close();
      }
    },
  };
}
