/**
 * A shop in this process for tests that step in between: the real database server, the real migrations, Stripe's
 * stand-in and the payment code, without the Worker around them.
 */
import { eq, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { startStripeEmulator, type StripeEmulator } from '#dev/stripe/server.ts';
import { accounts } from '#worker/accounts/schema.ts';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import type { NewOrder } from '#contract/orders.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { openDatabase, type Database } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { orderEvents, orders, orderTotals, type OrderRecord } from '#worker/orders/schema.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { openPaymentContext, type PaymentContext, type Step } from '#worker/payments/context.ts';
import { paymentIntents, payments } from '#worker/payments/schema.ts';
import { openTestDatabase, type SentMail } from '../support/test-database.ts';

export interface Shop {
  readonly db: Database;
  readonly env: Env;
  readonly emulator: StripeEmulator;
  readonly stripe: Stripe;
  readonly sent: SentMail[];
  /** Somebody of their own database connection, as two requests are. */
  openPaymentContext(beforeStep?: (step: Step) => Promise<void>): PaymentContext;
  newOrder(idempotencyKey?: string): Promise<OrderRecord>;
  /** What is wrong with an order and its payments, a sentence each; looks at the database and at Stripe. */
  findFaults(orderId: string): Promise<string[]>;
  /** What is wrong with the running totals. */
  findTotalFaults(): Promise<string[]>;
  close(): Promise<void>;
}

export const price = '499.50';
export const customer: Account = {
  id: newId(),
  email: 'ann@customers.example',
  emailVerified: true,
  isAdmin: false,
  sessionId: '',
};
export const administrator = { role: 'administrator', accountId: newId() } as const;
export const byCustomer = { role: 'customer', accountId: customer.id } as const;

export const input: NewOrder = {
  packageName: 'Basic',
  packagePrice: price,
  customerEmail: customer.email,
  customerName: 'Ann',
  customerAddress: '1 Street',
  customerCountry: 'France',
};

/** Starts a shop that sells one package. */
export async function openShop(settings: Partial<Env> = {}): Promise<Shop> {
  const emulator = await startStripeEmulator({
    secretKey: 'sk_test_shop',
    publishableKey: 'pk_test_shop',
    webhookSecret: 'whsec_shop',
    processingMs: null,
  });
  const { db, env, mails, close } = await openTestDatabase({
    STRIPE_SECRET_KEY: 'sk_test_shop',
    STRIPE_WEBHOOK_SECRET: 'whsec_shop',
    STRIPE_API_URL: `http://127.0.0.1:${emulator.port}`,
    ...settings,
  });
  await db.insert(accounts).values(
    [customer, { id: administrator.accountId, email: 'admin@site.test' }].map(({ id, email }) => ({
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

  async function intentsOf(orderId: string): Promise<Stripe.PaymentIntent[]> {
    const all: Stripe.PaymentIntent[] = [];
    for await (const intent of stripe.paymentIntents.list({ limit: 100 })) {
      if (intent.metadata['orderId'] === orderId) all.push(intent);
      if (all.length > 50) break;
    }
    return all;
  }

  return {
    db,
    env,
    emulator,
    stripe,
    sent: mails,
    openPaymentContext: (beforeStep) => ({
      ...openPaymentContext(env, log, openDatabase(env)),
      ...(beforeStep && { beforeStep }),
    }),
    newOrder: (key) => placeOrder({ db: openDatabase(env), env, account: customer }, input, key),

    async findFaults(orderId) {
      const faults: string[] = [];
      const [order] = await db.select().from(orders).where(eq(orders._id, orderId));
      if (!order) return ['The order is gone.'];
      const [ledger, events, open, intents] = await Promise.all([
        db.select().from(payments).where(eq(payments.orderId, orderId)),
        db.select().from(orderEvents).where(eq(orderEvents.orderId, orderId)),
        db.select().from(paymentIntents).where(eq(paymentIntents.orderId, orderId)),
        intentsOf(orderId),
      ]);
      const settled = ledger.filter(({ outcome }) => outcome === 'settled');
      const captured = intents.filter(({ status }) => status === 'succeeded');
      const live = intents.filter(({ status }) => !['succeeded', 'canceled'].includes(status));
      const refunds = await Promise.all(
        captured.map(({ id }) => stripe.refunds.list({ payment_intent: id }).then(({ data }) => data)),
      );
      const kept = captured.filter((_, index) => refunds[index]?.length === 0);

      if (events.length !== order.version)
        faults.push(`${events.length} events for version ${order.version}.`);
      if (settled.length !== (order.paymentStatus === 'Paid' ? 1 : 0))
        faults.push(`${order.paymentStatus} with ${settled.length} settled payments.`);
      const expected =
        order.paymentMethod === 'Card' && order.paymentStatus === 'Paid' ? [order.transactionId] : [];
      if (kept.map(({ id }) => id).join() !== expected.join())
        faults.push(
          `${order.paymentStatus} (${order.paymentMethod}), and Stripe keeps ${kept.length} payments.`,
        );
      for (const intent of captured)
        if (ledger.filter(({ paymentIntentId }) => paymentIntentId === intent.id).length !== 1)
          faults.push('A captured payment without its one ledger row.');
      if (refunds.some((list) => list.length > 1)) faults.push('A payment was returned twice.');
      if (live.length > 1) faults.push(`${live.length} live intents.`);
      if (order.paymentStatus !== 'UnPaid' && live.length > 0)
        faults.push(`${order.paymentStatus}, and an intent that can still be paid.`);
      if (order.paymentStatus !== 'UnPaid' && open.some(({ checkAt }) => checkAt !== null))
        faults.push(`${order.paymentStatus}, and reconciliation still asks.`);
      if (ledger.some(({ outcome }) => outcome === 'refundDue')) faults.push('A refund is still due.');
      return faults;
    },

    async findTotalFaults() {
      const counted = await db.all<{ place: string; orders: number; cents: number }>(sql`
        SELECT scope || '/' || day || '/' || ps || '/' || os AS place, count(*) AS orders, sum(cents) AS cents FROM (
          SELECT 'all' AS scope, '' AS day, "paymentStatus" AS ps, "orderStatus" AS os, "priceCents" AS cents FROM ${orders}
          UNION ALL SELECT 'all', "orderDay", "paymentStatus", "orderStatus", "priceCents" FROM ${orders}
          UNION ALL SELECT "accountId", '', "paymentStatus", "orderStatus", "priceCents" FROM ${orders} WHERE "accountId" <> ''
        ) GROUP BY place ORDER BY place`);
      const kept = await db.all<{ place: string; orders: number; cents: number }>(sql`
        SELECT scope || '/' || day || '/' || "paymentStatus" || '/' || "orderStatus" AS place, orders, cents
        FROM ${orderTotals} WHERE orders <> 0 OR cents <> 0 ORDER BY place`);
      return JSON.stringify(kept) === JSON.stringify(counted)
        ? []
        : [`Totals ${JSON.stringify(kept)} of orders ${JSON.stringify(counted)}`];
    },

    async close() {
      await emulator.close();
      await close();
    },
  };
}
