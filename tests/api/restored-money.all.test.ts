/**
 * Restores a backup from before people paid, cancelled, and got refunds. The books add up again, every order continues,
 * and nobody gets the same email twice.
 */
import { createClient } from '@libsql/client';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { prepareRestoredDatabase } from '#deploy/restored.ts';
import { newId } from '#contract/ids.ts';
import { deliverOrder } from '#worker/fulfillment/deliver.ts';
import { markRead } from '#worker/fulfillment/messages.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { findOrder } from '#worker/orders/read.ts';
import { openDatabase, type Database } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { findRun, recordRun, restoredAt } from '#worker/operations/jobs.ts';
import { orders, type OrderRecord } from '#worker/orders/schema.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { markSeen, readAttention } from '#worker/attention/attention.ts';
import { cancelOrder, setPaymentByHand } from '#worker/payments/cancel.ts';
import { openPaymentContext } from '#worker/payments/context.ts';
import { readReceipt } from '#worker/payments/receipts.ts';
import { reconcileAll } from './payment-steps.ts';
import { handleMissedEvents } from '#worker/payments/webhook-events.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { dumpOf, loadIntoNew } from '../support/backups.ts';
import { findBookFaults, findStripeFaults } from '../support/books.ts';
import { administrator, byCustomer, customer, input, openShop } from './orders-shop.ts';

const shop = await openShop();
await shop.db
  .insert(contentTables.planStep)
  .values({ _id: newId(), title: 'Review', dueDays: '5', approval: 'no' });
await shop.db
  .insert(contentTables.briefQuestion)
  .values({ _id: newId(), question: 'Your website?', kind: 'link', required: 'yes' });
afterAll(() => shop.close());

const now = () => shop.openPaymentContext();

/** Pays by card at Stripe, without a webhook. */
const payAtStripe = async (order: OrderRecord, paymentMethod?: string) =>
  shop.payByCard(await shop.openPage(order), paymentMethod);

const setByHand = (order: OrderRecord, status: 'UnPaid' | 'Paid') =>
  setPaymentByHand(now(), order._id, status, administrator);

/** Changes of an order since a backup. Each sets up the order, and returns the change. */
const changes: Record<string, (order: OrderRecord) => Promise<() => Promise<unknown>>> = {
  'taken back': async (order) => {
    await setByHand(order, 'Paid');
    return () => setByHand(order, 'UnPaid');
  },
  'taken back and paid by card': async (order) => {
    await setByHand(order, 'Paid');
    return async () => {
      await setByHand(order, 'UnPaid');
      await settlePayment(now(), await payAtStripe(order));
    };
  },
  'returned outside Stripe': async (order) => {
    await setByHand(order, 'Paid');
    await shop.refund(order, { amountCents: 1_000 });
    return () => shop.refund(order, { amountCents: 2_000 });
  },
  'paid outside Stripe and delivered': (order) =>
    Promise.resolve(async () => {
      await setByHand(order, 'Paid');
      await deliverOrder(now(), await findOrder(shop.db, order._id), administrator);
      await markRead(shop.db, customer, order._id, 1);
    }),
  'returned in the dashboard': async (order) => {
    const intent = await payAtStripe(order);
    await settlePayment(now(), intent);
    const { id } = shop.emulator.controls.refund({ paymentIntent: intent.id, amount: 1_000 });
    await shop.reportAll(intent);
    shop.emulator.controls.settleRefund({ refund: id, status: 'failed' });
    await shop.reportAll(intent);
    return async () => {
      shop.emulator.controls.refund({ paymentIntent: intent.id });
      await shop.reportAll(intent);
    };
  },
  'returned, which fails': async (order) => {
    const intent = await payAtStripe(order, 'pm_card_pendingRefund');
    await settlePayment(now(), intent);
    const { refundId } = await shop.refund(order);
    return async () => {
      shop.emulator.controls.settleRefund({ refund: refundId ?? '', status: 'failed' });
      await shop.reportAll(intent);
    };
  },
  'paid too late': async (order) => {
    const intent = await payAtStripe(order);
    await shop.db.update(orders).set({ paymentIntentId: '' }).where(eq(orders._id, order._id));
    await cancelOrder(now(), order._id, byCustomer);
    return () => settlePayment(now(), intent);
  },
  'won in a dispute': async (order) => {
    const intent = await payAtStripe(order, 'pm_card_createDispute');
    await settlePayment(now(), intent);
    await shop.reportAll(intent);
    return async () => {
      shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'won' });
      await shop.reportAll(intent);
    };
  },
};

/** Restores a backup as `npm run restore` does. */
const restore = (
  backup: readonly Uint8Array[],
  work: (db: Database, env: Env, backupAt: number) => Promise<void>,
): Promise<void> =>
  loadIntoNew(Readable.from(backup), async ({ client, url, at }) => {
    const env = { ...shop.env, TURSO_DATABASE_URL: url };
    await prepareRestoredDatabase(client, shop.stripe, at, env);
    await work(openDatabase(env), env, at);
  });

/** The emails that the customer got since the last call, as order number and subject. */
const readMails = async (env: Env) =>
  (await shop.sendMails(env))
    .filter(({ to }) => to === customer.email)
    .map(({ subject, text }) => `${/#\d+/.exec(text)?.[0] ?? ''} ${subject}`);

/**
 * Paid orders without a plan or a brief, work on other orders, and conversations that are marked as read beyond their
 * end.
 */
const findWorkFaults = (db: Database) =>
  db.all(sql`
    SELECT "_id", 'not begun' FROM "orders" WHERE "paymentStatus" = 'Paid' AND ("_id" NOT IN (SELECT "orderId" FROM "order_steps")
      OR "_id" NOT IN (SELECT "orderId" FROM "order_briefs" WHERE "awaitedSince" IS NOT NULL))
    UNION ALL SELECT "orderId", 'wrong' FROM "order_steps" JOIN "orders" ON "orders"."_id" = "orderId"
      WHERE "isOver" <> ("paymentStatus" <> 'Paid' OR "orderStatus" <> 'Pending')
    UNION ALL SELECT "orderId", 'read' FROM "conversations" WHERE max("fromCustomer", "fromStaff", "readByStaff") >
      (SELECT count(*) FROM "conversation_messages" WHERE "orderId" = "conversations"."orderId")`);

test('Whatever changed since the backup, the restored books add up and the order continues', async () => {
  const placed = new Map<string, OrderRecord>();
  const steps: (() => Promise<unknown>)[] = [];
  for (const [name, begin] of Object.entries(changes)) {
    const order = await shop.newOrder();
    placed.set(name, order);
    steps.push(await begin(order));
  }
  await readMails(shop.env);
  const backup = await dumpOf(shop.env);
  for (const step of steps) await step();
  const told = await readMails(shop.env);

  await restore(backup, async (db, env, backupAt) => {
    const context = openPaymentContext(env, () => undefined, db);
    for (let look = 0; look < 2; look += 1) {
      await reconcileAll(context);
      await handleMissedEvents(context, backupAt - 1_000);
    }
    expect([...(await findBookFaults(db)), ...(await findStripeFaults(db, shop.stripe))]).toEqual([]);
    expect(await findWorkFaults(db)).toEqual([]);
    // Nobody knows whether the customer was notified of a refund in Stripe's dashboard.
    const unknown = `#${placed.get('returned in the dashboard')?.number ?? ''} `;
    const again = (await readMails(env)).filter(
      (mail) => mail.includes('refunding') && told.includes(mail) && !mail.startsWith(unknown),
    );
    expect(again).toEqual([]);
    const late = placed.get('paid too late')?._id;
    const lines = (await readAttention(db, env)).rows.filter(({ orderId }) => orderId === late);
    expect(lines.map(({ text }) => text)).toEqual([expect.stringContaining('returned it in full')]);
  });
});

test('Credit notes of refunds since the backup keep their numbers and URLs', async () => {
  const order = await shop.newOrder();
  const intent = await payAtStripe(order);
  await settlePayment(now(), intent);
  const backup = await dumpOf(shop.env);
  const own = await shop.refund(order, { amountCents: 1_000 });
  shop.emulator.controls.refund({ paymentIntent: intent.id, amount: 2_000 });
  await shop.reportAll(intent);
  await shop.refund(order, { amountCents: 3_000 });
  const read = async (db: Database) =>
    (await readReceipt({ db, env: shop.env, account: customer }, order._id)).refunds;
  const before = await read(shop.db);
  expect(before.map(({ amountCents }) => amountCents)).toEqual([1_000, 2_000, 3_000]);

  await restore(backup, async (db, env, backupAt) => {
    const context = openPaymentContext(env, () => undefined, db);
    await handleMissedEvents(context, backupAt - 1_000);
    const after = await read(db);
    const numbers = (rows: typeof before) => rows.map(({ number, amountCents }) => [number, amountCents]);
    expect(numbers(after)).toEqual(numbers(before));
    expect([after[0]?._id, after[2]?._id]).toEqual([own._id, before[2]?._id]);
    expect((await readMails(env)).filter((mail) => mail.includes('refunding'))).toHaveLength(1);
  });
});

test('Orders since the backup can no longer be paid once it is live, and their payments need attention', async () => {
  const backup = await dumpOf(shop.env);
  const [left, paid, late] = [await shop.newOrder(), await shop.newOrder(), await shop.newOrder()];
  const open = await shop.openPage(left);
  const { id: lost } = await payAtStripe(paid);
  const elsewhere = await shop.makeForeignIntent({
    payment_method: 'pm_card_visa',
    metadata: { orderId: newId(), site: 'https://elsewhere.example' },
  });
  const statusOf = async (id: string) => (await shop.stripe.paymentIntents.retrieve(id)).status;

  await restore(backup, async (db, env) => {
    const lines: string[] = [];
    const context = openPaymentContext(env, (event) => void lines.push(event), db);
    const read = async () =>
      (await readAttention(db, env)).rows.filter(({ kind }) => kind === 'unsettledIntent');
    // A drill does not touch payments of the live site.
    expect([await read(), await statusOf(open)]).toEqual([[], 'requires_payment_method']);
    await reconcileAll(context);
    expect(await statusOf(open)).toBe('canceled');
    expect(await statusOf(elsewhere.id)).toBe('requires_confirmation');
    const listed = await read();
    expect(listed.map(({ text }) => text)).toEqual([
      `A card payment of $499.50 arrived for an order that is no longer in the database (Order #${paid.number}: Basic package). Return it, or enter the order again. Look up the payment ${lost} in the Stripe dashboard.`,
    ]);
    expect(listed[0]?.orderId).toBeUndefined();
    // No order number is used twice.
    const next = await placeOrder({ db, env, account: customer }, input, undefined);
    expect(next.number).toBe(paid.number + 1);
    for (const { _id } of listed) await markSeen(db, _id, administrator.accountId);

    const { id } = await payAtStripe(late);
    await settlePayment(context, await shop.stripe.paymentIntents.confirm(elsewhere.id));
    for (const paymentIntentId of [id, lost])
      await settlePayment(context, await shop.stripe.paymentIntents.retrieve(paymentIntentId));
    await reconcileAll(context);
    expect((await read()).map(({ text }) => text)).toEqual([expect.stringContaining(id)]);
    expect(lines.filter((event) => event.startsWith('payment.'))).toEqual([
      'payment.lost',
      'payment.foreign',
      'payment.lost',
      'payment.lost',
    ]);
  });
});

test('After a restore, repeating the deletions is due immediately, and Stripe’s events are read from the backup on', async () => {
  await recordRun(shop.db, 'tombstones', null);
  await recordRun(shop.db, 'events', null);
  const reportedUntil = (await findRun(shop.db, 'events'))?.succeededAt;
  await restore(await dumpOf(shop.env), async (db) => {
    expect(await findRun(db, 'tombstones')).toBeUndefined();
    expect(await findRun(db, 'events')).toMatchObject({ succeededAt: reportedUntil });
    expect(await restoredAt(db, Date.now())).toBeGreaterThan(0);
  });
});

test('A restored database gets the migrations that it lacks', async () => {
  const client = createClient({ url: 'file::memory:?cache=shared' });
  await prepareRestoredDatabase(client, shop.stripe, Date.now(), shop.env);
  expect(await drizzle(client).$count(orders)).toBe(0);
  client.close();
});
