/** What conversations leave elsewhere: mails, and nothing once their customer is gone. */
import { eq, like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { deliverOrder } from '#worker/conversations/deliver.ts';
import { fileKey, receiveFile } from '#worker/conversations/files.ts';
import { markRead, writeMessage } from '#worker/conversations/messages.ts';
import { listUnread } from '#worker/conversations/read.ts';
import { conversationsOfPerson } from '#worker/conversations/personal-data.ts';
import { conversationMessages, conversations, orderFiles } from '#worker/conversations/schema.ts';
import { sweepConversations, sweepFiles } from '#worker/conversations/sweep.ts';
import { writeBatch } from '#worker/db/client.ts';
import { readWaiting } from '#worker/customers/waiting.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { mails } from '#worker/mail/schema.ts';
import { noteRun } from '#worker/operations/jobs.ts';
import { jobRuns } from '#worker/operations/schema.ts';
import { ordersOfPerson } from '#worker/orders/personal-data.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { orders } from '#worker/orders/schema.ts';
import { setPaymentByHand } from '#worker/payments/cancel.ts';
import { openBucket } from '../support/bucket.ts';
import { administrator, customer, input, openShop, type Shop } from './orders-shop.ts';
import { accounts } from '#worker/accounts/schema.ts';

const staff: Account = {
  id: administrator.accountId,
  email: 'admin@site.test',
  emailVerified: true,
  role: 'Admin',
  lacks: null,
  hasPasskey: false,
  sessionId: '',
  confirmedAt: 0,
  shown: 'nothing',
};
const silent = () => undefined;
const hourMs = 3_600_000;

let shop: Shop;
let bucket: Awaited<ReturnType<typeof openBucket>>;
beforeAll(async () => {
  bucket = await openBucket();
  shop = await openShop({ FILES: bucket.files });
});
afterAll(async () => {
  await shop.close();
  await bucket.close();
});
beforeEach(async () => {
  await shop.db.delete(mails);
  shop.sent.length = 0;
});

const write = (account: Account, orderId: string, text: string, files: string[] = []) =>
  writeMessage({ db: shop.db, env: shop.env, account }, orderId, { kind: 'message', text, files }, undefined);

const waitingOf = (kind: string) => shop.db.select().from(mails).where(eq(mails.kind, kind));

/** Lets the mails that wait go out. */
async function sendWaiting() {
  await shop.db.update(mails).set({ dueAt: Date.now() });
  await deliverMail(shop.env, silent, shop.db);
  return shop.sent.splice(0);
}

/** A file as an upload leaves it. */
async function keepFile(orderId: string, accountId: string, { at = Date.now(), messageId = '' } = {}) {
  const file = {
    _id: newId(),
    orderId,
    accountId,
    messageId,
    at,
    name: 'a.txt',
    type: 'text/plain',
    bytes: 1,
  } as const;
  await bucket.files.put(fileKey(file), 'x');
  await shop.db.insert(orderFiles).values({ ...file, idempotencyKey: null });
  return file;
}

async function addUnverified(email: string) {
  const account: Account = {
    id: newId(),
    email,
    emailVerified: false,
    role: 'User',
    lacks: null,
    hasPasskey: false,
    sessionId: '',
    confirmedAt: 0,
    shown: 'nothing',
  };
  await shop.db.insert(accounts).values({ id: account.id, email, createdAt: 1 });
  const order = await placeOrder(
    { db: shop.db, env: shop.env, account },
    { ...input, customerEmail: email },
    undefined,
  );
  await shop.db.delete(mails);
  return { account, order };
}

test('A burst of messages is one mail, which says nothing of them, and none once they are read', async () => {
  const order = await shop.newOrder();
  await shop.db.delete(mails);
  for (const text of ['My password', 'is hunter2', 'Please hurry']) await write(customer, order._id, text);
  const [waiting, ...more] = await waitingOf('order-message-notice');
  expect(more).toEqual([]);
  expect((waiting?.dueAt ?? 0) - Date.now()).toBeGreaterThan(60_000);
  const [told, ...others] = await sendWaiting();
  expect([told?.to, others.length]).toEqual([shop.env.NOTIFY_EMAIL, 0]);
  expect(told?.text).toContain(`/admin/payment-status/${order._id}`);
  expect(`${told?.subject} ${told?.text}`).not.toMatch(/hunter2|password/);

  // A later one is told again; one that is read meanwhile is not.
  await write(customer, order._id, 'Are you there?');
  expect(await waitingOf('order-message-notice')).toHaveLength(1);
  await markRead(shop.db, staff, order._id, 3);
  expect(await waitingOf('order-message-notice')).toHaveLength(1);
  await markRead(shop.db, staff, order._id, 4);
  expect(await waitingOf('order-message-notice')).toEqual([]);

  await Promise.all(['Yes', 'We are'].map((text) => write(staff, order._id, text)));
  const answers = await sendWaiting();
  expect(answers.map(({ to }) => to)).toEqual([customer.email]);
  expect(answers[0]?.text).toContain(`/order/${order._id}`);
});

test('Whoever has not verified an email nor paid has one mail an hour sent to us, on however many orders they write', async () => {
  const { account, order } = await addUnverified('chatty@elsewhere.example');
  const caller = { db: shop.db, env: shop.env, account };
  const other = await placeOrder(caller, { ...input, customerEmail: account.email }, undefined);
  for (const { _id } of [order, other, order]) await write(account, _id, 'Hello?');
  const notices = await waitingOf('order-message-notice');
  expect(notices.map(({ dueAt }) => Math.round(((dueAt ?? 0) - Date.now()) / hourMs))).toEqual([1]);
  await setPaymentByHand(shop.openPaymentContext(), other._id, 'Paid', administrator);
  await write(account, other._id, 'And now?');
  expect(await waitingOf('order-message-notice')).toHaveLength(2);
});

test('The hourly mail about who has not verified an email is not sent once all that they wrote is read', async () => {
  const { account, order } = await addUnverified('heard@elsewhere.example');
  const caller = { db: shop.db, env: shop.env, account };
  const other = await placeOrder(caller, { ...input, customerEmail: account.email }, undefined);
  const stranger = await addUnverified('unheard@elsewhere.example');
  for (const { _id } of [order, order, other]) await write(account, _id, 'Hello?');
  await write(stranger.account, stranger.order._id, 'And me?');
  const mailedAbout = async () => (await waitingOf('order-message-notice')).map(({ about }) => about);
  const both = [order._id, stranger.order._id];
  // One of several messages, then all of one order of two; their own reading is no reading of ours.
  for (const [reader, id, readTo] of [
    [staff, order._id, 1],
    [staff, order._id, 2],
    [account, other._id, 1],
  ] as const) {
    await markRead(shop.db, reader, id, readTo);
    expect(await mailedAbout()).toEqual(both);
  }
  await markRead(shop.db, staff, other._id, 1);
  expect(await mailedAbout()).toEqual([stranger.order._id]);
  // What they write later is told again.
  await write(account, order._id, 'Still there?');
  expect(await mailedAbout()).toEqual([stranger.order._id, order._id]);
});

test('What one of us writes on an order of their own is new for the others, and never for themselves', async () => {
  const { _id } = await shop.newOrder();
  const both: Account = { ...customer, role: 'Admin' };
  const newFor = async ({ id }: Account) => {
    const listed = await listUnread(shop.db, id, 'staff');
    const { conversations: count } = await readWaiting(shop.db, shop.env, id);
    return { isListed: listed.some(({ orderId }) => orderId === _id), count };
  };
  const before = [await newFor(both), await newFor(staff)] as const;
  await write(both, _id, 'A note to ourselves.');
  expect(await newFor(both)).toEqual({ isListed: false, count: before[0].count });
  expect(await newFor(staff)).toEqual({ isListed: true, count: before[1].count + 1 });
  await markRead(shop.db, staff, _id, 1);
  expect(await newFor(staff)).toEqual(before[1]);
});

test('A conversation of any length is exported whole, in its order', async () => {
  const [first, second] = [await shop.newOrder(), await shop.newOrder()];
  const texts = Array.from({ length: 1_100 }, (_, index) => `Message ${index}`);
  const rows = texts.map((text, index) => ({
    ...({ _id: newId(), side: 'customer', kind: 'message', text, at: Date.now() } as const),
    ...{ orderId: index % 2 ? first._id : second._id, sequence: index + 1 },
    ...{ accountId: customer.id, idempotencyKey: null },
  }));
  await shop.db.insert(conversationMessages).values(rows);
  const { conversations: exported = [] } = await conversationsOfPerson.export(shop.db, customer, shop.env);
  await shop.db.delete(conversationMessages);
  const textsOf = (id: string) => exported.flatMap(({ orderId, text }) => (orderId === id ? [text] : []));
  expect(textsOf(second._id)).toEqual(texts.filter((_, index) => index % 2 === 0));
  expect(textsOf(first._id)).toEqual(texts.filter((_, index) => index % 2 === 1));
});

test('Messages and files of an account are counted, and the next one says how long to wait', async () => {
  const { _id } = await shop.newOrder();
  const limits = { LIMIT_CONVERSATION_MESSAGES: '2', LIMIT_CONVERSATION_FILES: '2' };
  const writer: Account = { ...staff, id: newId(), email: 'counted@site.test', role: 'Support' };
  await shop.db.insert(accounts).values({ id: writer.id, email: writer.email, createdAt: 1 });
  const caller = { db: shop.db, env: { ...shop.env, ...limits }, account: writer };
  const body = () => ({ method: 'POST', body: 'words', headers: { 'Content-Length': '5' } });
  for (const send of [
    () => writeMessage(caller, _id, { kind: 'message', text: 'Hello', files: [] }, undefined),
    () =>
      receiveFile(
        caller,
        _id,
        { name: 'a.txt', idempotencyKey: undefined },
        new Request('http://site.test', body()),
      ),
  ]) {
    for (let count = 0; count < 2; count += 1) await send();
    await expect(send()).rejects.toMatchObject({
      status: 429,
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) as string },
    });
  }
});

test('An address that nobody has verified gets one mail for a burst too, and no word of what was written', async () => {
  const { order } = await addUnverified('stranger@elsewhere.example');
  for (let count = 0; count < 3; count += 1) await write(staff, order._id, `evil-phish.example ${count}`);
  const [first, ...more] = await sendWaiting();
  expect([first?.to, more.length]).toEqual(['stranger@elsewhere.example', 0]);
  const file = await keepFile(order._id, staff.id);
  await deliverOrder(shop, order, administrator, { note: 'evil-phish.example', files: [file._id] });
  const [delivered] = await sendWaiting();
  expect(delivered?.subject).toContain('delivered');
  expect(order.customerName).toBe('Ann');
  for (const { text, html, subject } of [first, delivered].filter((mail) => mail !== undefined))
    expect(`${subject}${text}${html}`).not.toMatch(/evil-phish|a\.txt|Ann/);
});

test('The mail of a delivery carries its note and the names of its files to a verified customer', async () => {
  const order = await shop.newOrder();
  await shop.db.delete(mails);
  const file = await keepFile(order._id, administrator.accountId);
  await deliverOrder(shop, order, administrator, { note: 'Twelve pages.', files: [file._id] });
  const [mail] = await sendWaiting();
  expect(mail?.text).toMatch(/^Hello Ann,\n/);
  expect(mail?.text).toContain('Twelve pages.');
  expect(mail?.text).toContain('Files: a.txt');
});

test('With an account go its conversations and files, from the bucket too; its own words elsewhere lose their name', async () => {
  const { account, order } = await addUnverified('leaving@elsewhere.example');
  const file = await keepFile(order._id, account.id);
  await write(account, order._id, 'My words', [file._id]);
  const unsent = await keepFile(order._id, account.id);
  const staying = await shop.newOrder();
  await write(customer, staying._id, 'I stay');

  const { conversations: exported } = await conversationsOfPerson.export(shop.db, account, shop.env);
  expect(exported).toEqual([
    expect.objectContaining({
      orderId: order._id,
      text: 'My words',
      files: [
        expect.objectContaining({
          name: 'a.txt',
          address: `${shop.env.SITE_URL}/api/order-file/${file._id}`,
        }),
      ],
    }),
  ]);
  expect((await conversationsOfPerson.files?.(shop.db, account))?.toSorted()).toEqual(
    [fileKey(file), fileKey(unsent)].toSorted(),
  );
  await writeBatch(shop.db, [
    ...conversationsOfPerson.forget(shop.db, account),
    ...ordersOfPerson.forget(shop.db, account),
  ]);
  const ofOrder = (table: typeof conversationMessages | typeof conversations | typeof orderFiles) =>
    shop.db.$count(table, eq(table.orderId, order._id));
  expect(await Promise.all([conversationMessages, conversations, orderFiles].map(ofOrder))).toEqual([
    0, 0, 0,
  ]);
  expect(await shop.db.$count(conversationMessages, like(conversationMessages.text, 'I stay'))).toBe(1);
  await expect(write(staff, order._id, 'Are you there?')).rejects.toMatchObject({ status: 409 });

  // The bytes go with the answer to the deletion; what that leaves behind, the sweep takes.
  await sweepFiles(shop.env, shop.db, silent, Date.now() + 2 * hourMs);
  expect(await bucket.files.head(fileKey(file))).toBeNull();
});

test('A file that has come when its customer is gone is not kept', async () => {
  const order = await shop.newOrder();
  const isIt = eq(orders._id, order._id);
  const body = new ReadableStream(
    {
      async pull(controller) {
        await shop.db.update(orders).set({ customerEmail: '' }).where(isIt);
        controller.enqueue(new TextEncoder().encode('x'));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const request = { method: 'POST', body, headers: { 'Content-Length': '1' }, duplex: 'half' } as const;
  await expect(
    receiveFile(
      { db: shop.db, env: shop.env, account: staff },
      order._id,
      { name: 'x.txt', idempotencyKey: undefined },
      new Request('https://site.test/', request),
    ),
  ).rejects.toMatchObject({ status: 409 });
  expect(await shop.db.$count(orderFiles, eq(orderFiles.orderId, order._id))).toBe(0);
});

test('A file that nobody sends is swept after a day, bytes without a row after an hour, and nothing else', async () => {
  const order = await shop.newOrder();
  const now = Date.now();
  const [old, fresh, sent] = await Promise.all([
    keepFile(order._id, customer.id, { at: now - 25 * hourMs }),
    keepFile(order._id, customer.id),
    keepFile(order._id, customer.id, { at: now - 25 * hourMs, messageId: newId() }),
  ]);
  const orphan = `orders/${order._id}/${newId()}`;
  await bucket.files.put(orphan, 'x');
  await bucket.files.put('media/other', 'x');
  await sweepFiles(shop.env, shop.db, silent, now);
  const isThere = async (key: string) => (await bucket.files.head(key)) !== null;
  expect(await Promise.all([old, fresh, sent].map((file) => isThere(fileKey(file))))).toEqual([
    false,
    true,
    true,
  ]);
  expect(await isThere(orphan)).toBe(true);
  // A database that was restored since may not know a file that a better backup does.
  await noteRun(shop.db, 'restore', null);
  await sweepFiles(shop.env, shop.db, silent, now + 29 * 24 * hourMs);
  expect([await isThere(orphan), await isThere(fileKey(fresh))]).toEqual([true, true]);
  await shop.db.delete(jobRuns).where(eq(jobRuns.name, 'restore'));
  await sweepFiles(shop.env, shop.db, silent, now + 2 * hourMs);
  expect([await isThere(orphan), await isThere('media/other')]).toEqual([false, true]);
  expect(await shop.db.$count(orderFiles, sql`${orderFiles._id} = ${old._id}`)).toBe(0);
});

test('What was written on an order goes with its files after 24 months, in bounded steps; what came since stays', async () => {
  const order = await shop.newOrder();
  const busy = await shop.newOrder();
  vi.useFakeTimers({ toFake: ['Date'] });
  const file = await keepFile(order._id, customer.id);
  await write(customer, order._id, 'Old words', [file._id]);
  await write(staff, order._id, 'An old answer');
  await write(customer, busy._id, 'Long ago');
  const write200 = Array.from({ length: 200 }, (_, index) => ({
    _id: newId(),
    orderId: busy._id,
    sequence: index + 2,
    side: 'staff' as const,
    accountId: staff.id,
    kind: 'message' as const,
    text: 'Old news',
    at: Date.now(),
  }));
  await shop.db.insert(conversationMessages).values(write200);
  const textsOf = async ({ _id }: typeof order) =>
    (
      await shop.db
        .select({ text: conversationMessages.text })
        .from(conversationMessages)
        .where(eq(conversationMessages.orderId, _id))
    ).map(({ text }) => text);
  vi.setSystemTime(Date.now() + 729 * 24 * hourMs);
  await write(customer, busy._id, 'News');
  await sweepConversations(shop.env, silent);
  expect(await textsOf(order)).toEqual(['Old words', 'An old answer']);
  vi.setSystemTime(Date.now() + 2 * 24 * hourMs);
  await sweepConversations(shop.env, silent);
  expect((await textsOf(busy)).length).toBeGreaterThan(1);
  await sweepConversations(shop.env, silent);
  expect([await textsOf(order), await textsOf(busy)]).toEqual([[], ['News']]);
  expect(await shop.db.$count(orderFiles, eq(orderFiles.orderId, order._id))).toBe(0);
  expect(await bucket.files.head(fileKey(file))).toBeNull();
  // A conversation that begins again is as unread as a new one.
  await write(customer, order._id, 'Anybody there?');
  const [begun] = await shop.db.select().from(conversations).where(eq(conversations.orderId, order._id));
  expect(begun).toMatchObject({ fromCustomer: 1, fromStaff: 0, readByStaff: 0 });
  vi.useRealTimers();
});
