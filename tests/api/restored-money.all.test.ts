/**
 * The restore of a backup that was made while people paid, cancelled, and got refunds. Wherever in the backup each change
 * falls, the books add up again, every order continues, and nobody gets the same email twice.
 */
import { createClient } from '@libsql/client';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { load } from '#deploy/load.ts';
import { makeReady } from '#deploy/restored.ts';
import { repairBooks } from '#deploy/restored-books.ts';
import { startLibsqlServer } from '#dev/libsql/server.ts';
import { newId } from '#contract/ids.ts';
import { deliverOrder } from '#worker/conversations/deliver.ts';
import { markRead } from '#worker/conversations/messages.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { findOrder } from '#worker/orders/read.ts';
import { openDatabase, type Database } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { draftMessage, receiveMessage } from '#worker/inbox/messages.ts';
import { inboxCounts, subscribers } from '#worker/inbox/schema.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { beginDump, continueDump } from '#worker/operations/dump.ts';
import { customerCounts, customers, orders, sourceTotals, type OrderRecord } from '#worker/orders/schema.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { markSeen, readAttention } from '#worker/payments/attention.ts';
import { cancelOrder, setPaymentByHand } from '#worker/payments/cancel.ts';
import { openPaymentContext } from '#worker/payments/context.ts';
import { readReceipt } from '#worker/payments/receipts.ts';
import { reconcileAll } from '#worker/payments/reconcile.ts';
import { takeMissedEvents } from '#worker/payments/reported.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { findBookFaults, findStripeFaults } from '../support/books.ts';
import { fullSize } from '../support/limits.ts';
import { administrator, byCustomer, customer, input, openShop, type Shop } from './orders-shop.ts';

/** The first piece contains the payments; a change after a later piece is like one after the first. */
const lastPiece = fullSize ? Infinity : 1;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  await shop.db
    .insert(contentTables.planStep)
    .values({ _id: newId(), title: 'Review', dueDays: '5', approval: 'no' });
  await shop.db
    .insert(contentTables.briefQuestion)
    .values({ _id: newId(), question: 'Your website?', kind: 'link', required: 'yes' });
});
afterAll(() => shop.close());

const now = () => shop.openPaymentContext();

/** Pays by card at Stripe, without a webhook. */
const payAtStripe = async (order: OrderRecord, paymentMethod?: string) =>
  shop.payByCard(await shop.openPage(order), paymentMethod);

const setByHand = (order: OrderRecord, status: 'UnPaid' | 'Paid') =>
  setPaymentByHand(now(), order._id, status, administrator);

/** Changes of an order during a backup: each sets up the order, and returns the change. */
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

/** Makes a backup during which a change happens after some pieces. @returns it, and whether it had that many */
async function backUp(change: () => Promise<void>, after: number) {
  const begun = await beginDump(shop.db.$client);
  const texts: string[] = [];
  let isChanged = after === 0;
  if (isChanged) await change();
  for await (const { text } of continueDump(shop.db.$client, begun)) {
    texts.push(text);
    if (texts.length !== after) continue;
    isChanged = true;
    await change();
  }
  if (!isChanged) await change();
  return { texts, begunAt: begun.begunAt, isLong: isChanged };
}

/** Restores a backup as `npm run restore` does. */
async function restore(
  { texts, begunAt }: { readonly texts: readonly string[]; readonly begunAt: number },
  work: (db: Database, env: Env) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'restored-'));
  const server = await startLibsqlServer({ file: join(folder, 'restored.db') });
  try {
    const env = { ...shop.env, TURSO_DATABASE_URL: server.url };
    const db = openDatabase(env);
    await load(db.$client, Readable.from(texts.map((text) => new TextEncoder().encode(text))));
    await makeReady(db.$client, shop.stripe, begunAt, env);
    await work(db, env);
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
}

/** The emails that the customer got since the last call, as order number and subject. */
async function readMails(env: Env, db: Database): Promise<string[]> {
  for (let sent = -1; sent < shop.sent.length;) {
    sent = shop.sent.length;
    await deliverMail(env, () => undefined, db);
  }
  return shop.sent
    .splice(0)
    .filter(({ to }) => to === customer.email)
    .map(({ subject, text }) => `${/#\d+/.exec(text)?.[0] ?? ''} ${subject}`);
}

/** Paid orders without a plan or a brief, work on other orders, and conversations that are read beyond their end. */
const findWorkFaults = (db: Database) =>
  db.all(sql`
    SELECT "_id", 'not begun' FROM "orders" WHERE "paymentStatus" = 'Paid' AND ("_id" NOT IN (SELECT "orderId" FROM "order_steps")
      OR "_id" NOT IN (SELECT "orderId" FROM "order_briefs" WHERE "awaitedSince" IS NOT NULL))
    UNION ALL SELECT "orderId", 'wrong' FROM "order_steps" JOIN "orders" ON "orders"."_id" = "orderId"
      WHERE "isOver" <> ("paymentStatus" <> 'Paid' OR "orderStatus" <> 'Pending')
    UNION ALL SELECT "orderId", 'read' FROM "conversations" WHERE max("fromCustomer", "fromStaff", "readByStaff") >
      (SELECT count(*) FROM "conversation_messages" WHERE "orderId" = "conversations"."orderId")`);

test('Wherever a change falls in a backup, the restored books add up and the order continues', async () => {
  for (let after = 0, isLong = true; isLong && after <= lastPiece; after += 1) {
    // The shop hears of refunds that the previous restored copy made.
    await shop.settleReports();
    const placed = new Map<string, OrderRecord>();
    const steps: (() => Promise<unknown>)[] = [];
    for (const [name, begin] of Object.entries(changes)) {
      const order = await shop.newOrder();
      placed.set(name, order);
      steps.push(await begin(order));
    }
    await readMails(shop.env, shop.db);
    const told: string[] = [];
    const backup = await backUp(async () => {
      for (const step of steps) await step();
      told.push(...(await readMails(shop.env, shop.db)));
    }, after);
    isLong = backup.isLong;

    await restore(backup, async (db, env) => {
      const context = openPaymentContext(env, () => undefined, db);
      const dashboard = placed.get('returned in the dashboard');
      if (!dashboard) throw new Error('No such order.');
      const knows = (await findOrder(db, dashboard._id)).refundedCents > 0;
      for (let look = 0; look < 2; look += 1) {
        await reconcileAll(context);
        await takeMissedEvents(context, backup.begunAt - 1_000);
      }
      const faults = [...(await findBookFaults(db)), ...(await findStripeFaults(db, shop.stripe))];
      expect(faults, `after ${after} pieces`).toEqual([]);
      expect(await findWorkFaults(db), `after ${after} pieces`).toEqual([]);
      // Nobody knows whether the customer was told of a Dashboard refund, unless the order does.
      const isUnknown = (mail: string) => !knows && mail.startsWith(`#${dashboard.number} `);
      const again = (await readMails(env, db)).filter(
        (mail) => mail.includes('returning') && told.includes(mail) && !isUnknown(mail),
      );
      expect(again, `after ${after} pieces`).toEqual([]);

      const order = placed.get('taken back');
      if (!order) throw new Error('No such order.');
      const [restored] = await db.select().from(orders).where(eq(orders._id, order._id));
      if (restored?.paymentStatus === 'UnPaid')
        await settlePayment(context, await shop.payByCard(await shop.openPage(order, context)));
      expect((await db.select().from(orders).where(eq(orders._id, order._id)))[0]?.paymentStatus).toBe(
        'Paid',
      );
      const late = placed.get('paid too late')?._id;
      const lines = (await readAttention(db, env)).rows.filter(({ orderId }) => orderId === late);
      expect(lines.map(({ text }) => text)).toEqual([expect.stringContaining('returned in full')]);
    });
  }
});

test('Credit notes of refunds since the backup keep their numbers and URLs', async () => {
  const order = await shop.newOrder();
  const intent = await payAtStripe(order);
  await settlePayment(now(), intent);
  const backup = await backUp(() => Promise.resolve(), 0);
  const own = await shop.refund(order, { amountCents: 1_000 });
  shop.emulator.controls.refund({ paymentIntent: intent.id, amount: 2_000 });
  await shop.reportAll(intent);
  await shop.refund(order, { amountCents: 3_000 });
  const read = async (db: Database) =>
    (await readReceipt({ db, env: shop.env, account: customer }, order._id)).refunds;
  const before = await read(shop.db);
  expect(before.map(({ amountCents }) => amountCents)).toEqual([1_000, 2_000, 3_000]);

  await restore(backup, async (db, env) => {
    const context = openPaymentContext(env, () => undefined, db);
    await takeMissedEvents(context, backup.begunAt - 1_000);
    const after = await read(db);
    const numbers = (rows: typeof before) => rows.map(({ number, amountCents }) => [number, amountCents]);
    expect(numbers(after)).toEqual(numbers(before));
    expect([after[0]?._id, after[2]?._id]).toEqual([own._id, before[2]?._id]);
    expect((await readMails(env, db)).filter((mail) => mail.includes('returning'))).toHaveLength(1);
  });
});

test('Orders since the backup can no longer be paid once it is live, and their payments need attention', async () => {
  const backup = await backUp(() => Promise.resolve(), 0);
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
      `A card payment of $499.50 arrived for an order that is not in the database any more (Order #${paid.number}: Basic package). Return it, or enter the order again. Look the payment ${lost} up in the Stripe dashboard.`,
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

test('Counts of sources, customers, and messages match the restored records', async () => {
  const { db, env } = shop;
  const source = { page: '/', referrer: 'news.example' };
  const order = await placeOrder({ db, env, account: customer }, { ...input, source }, undefined);
  await setByHand(order, 'Paid');
  await shop.refund(order, { amountCents: 1_000 });
  const message = { name: 'Ann', email: 'ann@news.example', number: '1', subject: 'S', message: 'M', source };
  await receiveMessage(db, env, draftMessage(message));
  await db.insert(subscribers).values({ _id: newId(), subemail: 'ann@news.example' });
  await db.insert(inboxCounts).values({ name: 'subscribers', count: 1 });
  const read = () =>
    Promise.all([
      db.select().from(sourceTotals).orderBy(sourceTotals.source),
      db.select().from(customerCounts),
      db.select().from(customers),
      db.select().from(inboxCounts),
    ]);
  const before = await read();
  expect(before[0]).toContainEqual({
    source: 'news.example',
    messages: 1,
    orders: 1,
    paidOrders: 1,
    cents: order.priceCents - 1_000,
  });

  // Counts of another moment, too low and too high.
  await db.update(sourceTotals).set({ messages: 0, orders: 9, paidOrders: 9, cents: 9 });
  await db.insert(sourceTotals).values({ source: 'lost', messages: 2, orders: 1, paidOrders: 1, cents: 5 });
  await db.insert(customers).values({
    ...{
      _id: 'lost',
      hasAccount: true,
      firstOrderId: 'lost',
      email: 'lost@x.example',
      name: 'Of no account',
    },
  });
  await db.update(customerCounts).set({ count: 7 });
  await db.update(inboxCounts).set({ count: 7 });
  for (let time = 0; time < 2; time += 1) await repairBooks(db.$client);
  const after = await read();
  expect(after[0].find((row) => row.source === 'lost')).toEqual({
    source: 'lost',
    messages: 2,
    orders: 0,
    paidOrders: 0,
    cents: 0,
  });
  expect([after[0].filter((row) => row.source !== 'lost'), ...after.slice(1)]).toEqual(before);
  expect(await shop.findBookFaults()).toEqual([]);
});

test('A restored database gets the migrations that it lacks', async () => {
  const client = createClient({ url: 'file::memory:?cache=shared' });
  await makeReady(client, shop.stripe, Date.now(), shop.env);
  expect(await drizzle(client).$count(orders)).toBe(0);
  client.close();
});
