/** What a conversation leaves elsewhere: emails, files within their limits, and nothing once its time is over. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { maxFileBytes, unverifiedFiles } from '#contract/conversations.ts';
import { newId } from '#contract/ids.ts';
import { deliverOrder } from '#worker/fulfillment/deliver.ts';
import { fileKey, receiveFile } from '#worker/fulfillment/files.ts';
import { markRead, writeMessage } from '#worker/fulfillment/messages.ts';
import { listUnread, readConversation } from '#worker/fulfillment/read-conversation.ts';
import { conversationsOfPerson } from '#worker/fulfillment/conversation-personal-data.ts';
import { conversationMessages, conversations, orderFiles } from '#worker/fulfillment/conversation-schema.ts';
import { sweepConversations, sweepFiles } from '#worker/fulfillment/sweep.ts';
import { storeReplyFiles, sweepReplyFiles } from '#worker/inbox/reply-files.ts';
import { replyFiles } from '#worker/inbox/schema.ts';
import { readInboxCounts } from '#worker/customers/inbox-counts.ts';
import { mails } from '#worker/mail/schema.ts';
import { recordRun } from '#worker/operations/jobs.ts';
import { jobRuns } from '#worker/operations/schema.ts';
import { orders, type OrderRecord } from '#worker/orders/schema.ts';
import { openBucket } from '../support/bucket.ts';
import { customer, staff } from './orders-shop.ts';
import { openWorkShop, refusal, support } from './work-shop.ts';

const silent = () => undefined;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const bucket = await openBucket();
const shop = await openWorkShop({ FILES: bucket });
afterAll(() => shop.close());
beforeEach(() => shop.clearMails());

const write = (account: Account, { _id }: OrderRecord, text: string, files: string[] = []) =>
  writeMessage(shop.as(account), _id, { kind: 'message', text, files }, undefined);
const noticesWaiting = () => shop.db.select().from(mails).where(eq(mails.kind, 'order-message-notice'));

/** An order whose customer has been notified of it. */
async function newOrder(account = customer): Promise<OrderRecord> {
  const order = await shop.orderOf(account);
  await shop.clearMails();
  return order;
}

type Kept = Partial<typeof orderFiles.$inferInsert>;
/** The row of a file, as an upload writes it. */
const fileRow = (orderId: string, accountId: string, given: Kept = {}) => ({
  _id: newId(),
  orderId,
  accountId,
  messageId: '',
  at: Date.now(),
  name: 'a.txt',
  type: 'text/plain' as const,
  bytes: 1,
  ...given,
});
async function keepFile({ _id }: OrderRecord, accountId: string, given: Kept = {}) {
  const file = fileRow(_id, accountId, given);
  await bucket.put(fileKey(file), 'x');
  await shop.db.insert(orderFiles).values(file);
  return file;
}
const isKept = async (file: Parameters<typeof fileKey>[0]) => (await bucket.head(fileKey(file))) !== null;

/**
 * Uploads a file.
 * @param bytes the claimed size
 */
function upload(account: Account, order: OrderRecord, bytes?: number, body: BodyInit = 'words') {
  const headers = bytes === undefined ? {} : { 'Content-Length': String(bytes) };
  const init = { method: 'POST', body, headers, duplex: 'half' } as const;
  const request = new Request('http://site.test', init);
  return receiveFile(shop.as(account), order._id, { name: 'a.txt', idempotencyKey: undefined }, request);
}
const statusesOf = async (sending: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(sending)).map((sent) =>
    sent.status === 'fulfilled' ? 201 : (sent.reason as { status: number }).status,
  );

test('A burst of messages causes one email, or none if they are read; only the customer gets their text', async () => {
  const order = await newOrder();
  for (const text of ['My password', 'is hunter2', 'Please hurry']) await write(customer, order, text);
  const [waiting, ...more] = await noticesWaiting();
  expect(more).toEqual([]);
  expect((waiting?.dueAt ?? 0) - (waiting?.createdAt ?? 0)).toBeGreaterThan(60_000);
  const sent = await shop.sendAllMails();
  expect(sent).toMatchObject([{ to: shop.env.NOTIFY_EMAIL }]);
  expect(sent[0]?.text).toContain(`/admin/payment-status/${order._id}`);
  expect(JSON.stringify(sent)).not.toMatch(/hunter2|password/);

  await write(customer, order, 'Are you there?');
  const counts = [(await noticesWaiting()).length];
  for (const readTo of [3, 4]) {
    await markRead(shop.db, staff, order._id, readTo);
    counts.push((await noticesWaiting()).length);
  }
  expect(counts).toEqual([1, 1, 0]);

  await Promise.all(['Yes', 'We are'].map((text) => write(staff, order, text)));
  const answers = await shop.sendAllMails();
  expect(answers).toMatchObject([{ to: customer.email }]);
  expect(answers[0]?.text).toContain(`/order/${order._id}`);
  expect(answers[0]?.text).toMatch(
    /We sent you a message about your order:\n\n(Yes\n\nWe are|We are\n\nYes)\n/,
  );
  await write(staff, order, 'And tomorrow.');
  const [later] = await shop.sendAllMails();
  expect(later?.text).toContain('And tomorrow.');
});

test('Until an email is verified, the messages on all its unpaid orders cause one email an hour, and none once we read them', async () => {
  const writer = await shop.addCustomer('chatty@elsewhere.example', false);
  const [first, second] = [await newOrder(writer), await newOrder(writer)];
  const stranger = await shop.addCustomer('unheard@elsewhere.example', false);
  const strangers = await newOrder(stranger);
  for (const order of [first, first, second]) await write(writer, order, 'Hello?');
  await write(stranger, strangers, 'And me?');
  const mailedAbout = async () => (await noticesWaiting()).map(({ about }) => about);
  const [notice] = await noticesWaiting();
  expect((notice?.dueAt ?? 0) - (notice?.createdAt ?? 0)).toBe(hourMs);
  for (const [reader, { _id }, readTo] of [
    [staff, first, 1],
    [staff, first, 2],
    [writer, second, 1],
  ] as const) {
    await markRead(shop.db, reader, _id, readTo);
    expect(await mailedAbout()).toEqual([first._id, strangers._id]);
  }
  await markRead(shop.db, staff, second._id, 1);
  expect(await mailedAbout()).toEqual([strangers._id]);
  await write(writer, first, 'Still there?');
  expect(await mailedAbout()).toEqual([strangers._id, first._id]);
  // A message on a paid order is emailed immediately.
  await shop.setPayment(second, 'Paid');
  await write(writer, second, 'And now?');
  expect(await mailedAbout()).toEqual([strangers._id, first._id, second._id]);
});

test('A message that a staff member writes on their own order is unread for the others, and never for themselves', async () => {
  const order = await newOrder();
  const both: Account = { ...customer, role: 'Admin' };
  const newFor = async (reader: Account) => {
    const listed = await listUnread(shop.db, reader.id, 'staff');
    const { conversations: count } = await readInboxCounts(shop.db, shop.env, reader);
    return { isListed: listed.some(({ orderId }) => orderId === order._id), count };
  };
  const before = [await newFor(both), await newFor(staff)] as const;
  await write(both, order, 'A note to ourselves.');
  expect(await newFor(both)).toEqual({ isListed: false, count: before[0].count });
  expect(await newFor(staff)).toEqual({ isListed: true, count: before[1].count + 1 });
  await markRead(shop.db, staff, order._id, 1);
  expect(await newFor(staff)).toEqual(before[1]);
});

test('A conversation of any length is read fifty messages at a time, and exported in full', async () => {
  const [first, second] = [await newOrder(), await newOrder()];
  const texts = Array.from({ length: 1_100 }, (_, index) => `Message ${index}`);
  const rows = texts.map((text, index) => ({
    ...({ _id: newId(), side: 'customer', kind: 'message', text, at: Date.now() } as const),
    orderId: index % 2 ? first._id : second._id,
    sequence: index + 1,
    accountId: customer.id,
  }));
  await shop.db.insert(conversationMessages).values(rows);
  const ofSecond = texts.filter((_, index) => index % 2 === 0);
  const page = async (before?: number) => {
    const { messages, hasEarlier } = await readConversation(shop.as(customer), second._id, before);
    return [messages.map(({ text }) => text), hasEarlier];
  };
  expect(await page()).toEqual([ofSecond.slice(-50), true]);
  expect(await page(61)).toEqual([ofSecond.slice(0, 30), false]);
  const { conversations: exported = [] } = await conversationsOfPerson.export(shop.db, customer, shop.env);
  await shop.db.delete(conversationMessages);
  const textsOf = (id: string) => exported.flatMap(({ orderId, text }) => (orderId === id ? [text] : []));
  expect(textsOf(second._id)).toEqual(ofSecond);
  expect(textsOf(first._id)).toEqual(texts.filter((_, index) => index % 2 === 1));
});

test('An account that has sent too many messages or files learns how long to wait', async () => {
  const order = await newOrder();
  const limits = { LIMIT_CONVERSATION_MESSAGES: '2', LIMIT_CONVERSATION_FILES: '2' };
  const writer = { ...support, id: (await shop.addCustomer('counted@site.test')).id };
  const caller = { ...shop.as(writer), env: { ...shop.env, ...limits } };
  const init = { method: 'POST', body: 'words', headers: { 'Content-Length': '5' } };
  const file = () => new Request('http://site.test', init);
  for (const send of [
    () => writeMessage(caller, order._id, { kind: 'message', text: 'Hello', files: [] }, undefined),
    () => receiveFile(caller, order._id, { name: 'a.txt', idempotencyKey: undefined }, file()),
  ]) {
    for (let count = 0; count < 2; count += 1) await send();
    const wait = { 'Retry-After': expect.stringMatching(/^\d+$/) as string };
    await expect(send()).rejects.toMatchObject({ status: 429, headers: wait });
  }
});

test('A file is accepted completely or not at all', async () => {
  const order = await newOrder();
  const [unannounced, cut, tooLarge] = [undefined, 6, maxFileBytes + 1];
  const sent = [unannounced, cut, tooLarge].map((bytes) => upload(customer, order, bytes));
  expect(await statusesOf(sent)).toEqual([411, 400, 413]);
  expect(await shop.db.$count(orderFiles, eq(orderFiles.orderId, order._id))).toBe(0);
  expect((await bucket.list({ prefix: `orders/${order._id}` })).objects).toEqual([]);
});

test('An order accepts 100 files, however many are sent at the same time', async () => {
  const order = await newOrder();
  const rows = Array.from({ length: 98 }, () => fileRow(order._id, customer.id));
  await shop.db.insert(orderFiles).values(rows);
  const sent = await statusesOf([1, 2, 3, 4].map(() => upload(customer, order, 5)));
  expect(sent.toSorted()).toEqual([201, 201, 409, 409]);
  expect(await statusesOf([upload(customer, order, 5)])).toEqual([409]);
});

test('Until an email is verified, unpaid orders accept few files, even if many arrive at the same time', async () => {
  const stranger = await shop.addCustomer('files@elsewhere.example', false);
  const [first, second] = [await newOrder(stranger), await newOrder(stranger)];
  const large = fileRow(second._id, stranger.id, { bytes: unverifiedFiles.bytes - 5 });
  await shop.db.insert(orderFiles).values(large);
  await expect(upload(stranger, first, 6, 'larger')).rejects.toMatchObject(
    refusal(409, 'Until your email is verified, unpaid orders can have at most 10 files and 25 MB in total'),
  );
  await upload(stranger, first, 5);
  await shop.db.update(orderFiles).set({ bytes: 1 }).where(eq(orderFiles._id, large._id));
  const many = Array.from({ length: 10 }, (_, index) => upload(stranger, index % 2 ? first : second, 5));
  expect((await statusesOf(many)).toSorted()).toEqual([...Array<number>(8).fill(201), 409, 409]);
  await shop.setPayment(first, 'Paid');
  expect(await statusesOf([upload(stranger, first, 5)])).toEqual([201]);
});

test('A verified customer stores at most 100 MB on unpaid orders', async () => {
  const order = await newOrder();
  const mebibyte = 1024 * 1024;
  const rows = Array.from({ length: 4 }, () => fileRow(order._id, customer.id, { bytes: 24 * mebibyte }));
  await shop.db.insert(orderFiles).values(rows);
  await expect(upload(customer, order, 5 * mebibyte)).rejects.toMatchObject(
    refusal(409, 'Until you have paid'),
  );
  await shop.db.delete(orderFiles).where(eq(orderFiles.orderId, order._id));
});

test('Only a verified address is emailed the note and the files of a delivery, or any text that a person entered', async () => {
  const stranger = await shop.addCustomer('stranger@elsewhere.example', false);
  const order = await newOrder(stranger);
  for (let count = 0; count < 3; count += 1) await write(staff, order, `evil-phish.example ${count}`);
  const burst = await shop.sendAllMails();
  const deliver = async (to: OrderRecord) => {
    const file = await keepFile(to, staff.id);
    await shop.deliverWork(to, { note: 'See evil-phish.example', files: [file._id] });
    return shop.sendMails();
  };
  const delivered = await deliver(order);
  expect([...burst, ...delivered].map(({ to }) => to)).toEqual([stranger.email, stranger.email]);
  expect(JSON.stringify([burst, delivered])).not.toMatch(/evil-phish|a\.txt|Ann/);
  const [mail] = await deliver(await newOrder());
  expect(mail?.text).toMatch(/^Hello Ann,\n[^]*See evil-phish\.example[^]*Files: a\.txt/);
});

test('A file whose customer deletes their account during the upload is not kept', async () => {
  const order = await newOrder();
  const body = new ReadableStream(
    {
      async pull(controller) {
        await shop.db.update(orders).set({ customerEmail: '' }).where(eq(orders._id, order._id));
        controller.enqueue(new TextEncoder().encode('x'));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  await expect(upload(staff, order, 1, body)).rejects.toMatchObject(refusal(409));
  expect(await shop.db.$count(orderFiles, eq(orderFiles.orderId, order._id))).toBe(0);
});

test('An unsent file is deleted after a day, and bytes without a row after an hour, but not after a restore', async () => {
  const order = await newOrder();
  const now = Date.now();
  const old = await keepFile(order, customer.id, { at: now - 25 * hourMs });
  const fresh = await keepFile(order, customer.id);
  const sent = await keepFile(order, customer.id, { at: now - 25 * hourMs, messageId: newId() });
  const orphan = { orderId: order._id, _id: newId() };
  await bucket.put(fileKey(orphan), 'x');
  await bucket.put('media/other', 'x');
  const keptAfter = async (hours: number) => {
    await sweepFiles(shop.env, shop.db, silent, now + hours * hourMs);
    return Promise.all([old, fresh, sent, orphan].map(isKept));
  };
  expect(await keptAfter(0)).toEqual([false, true, true, true]);
  expect(await shop.db.$count(orderFiles, eq(orderFiles._id, old._id))).toBe(0);
  // A better backup may contain files that are missing from a restored database.
  await recordRun(shop.db, 'restore', null);
  expect(await keptAfter(29 * 24)).toEqual([false, true, true, true]);
  await shop.db.delete(jobRuns).where(eq(jobRuns.name, 'restore'));
  expect(await keptAfter(2)).toEqual([false, true, true, false]);
  expect(await bucket.head('media/other')).not.toBeNull();
});

test('The bytes of a file that came by email are deleted after its message', async () => {
  const ids = { messageId: newId(), replyId: newId() };
  const files = ['gone', 'kept'].map((name) => ({ name, bytes: new TextEncoder().encode('words') }));
  const [gone, kept] = await storeReplyFiles(shop.env, ids, files);
  if (!gone || !kept) throw new Error('Nothing was stored.');
  await shop.db.insert(replyFiles).values(kept);
  const there = ({ _id }: typeof kept) => bucket.head(`messages/${ids.messageId}/${_id}`);
  await sweepReplyFiles(shop.env, shop.db, silent, Date.now());
  expect(await there(gone)).not.toBeNull();
  await sweepReplyFiles(shop.env, shop.db, silent, Date.now() + 2 * hourMs);
  expect([await there(gone), (await there(kept)) !== null]).toEqual([null, true]);
});

test('The texts on an order are deleted after 24 months, in bounded steps; its files, deliveries and newer texts stay', async () => {
  const [order, busy] = [await newOrder(), await newOrder()];
  vi.useFakeTimers({ toFake: ['Date'] });
  const file = await keepFile(order, customer.id);
  const sent = await write(customer, order, 'Old words', [file._id]);
  const work = await keepFile(order, staff.id);
  await deliverOrder(
    shop,
    order,
    { role: 'administrator', accountId: staff.id },
    { note: 'All done', files: [work._id] },
  );
  await write(staff, order, 'An old answer');
  await write(customer, busy, 'Long ago');
  const old = Array.from({ length: 1_000 }, (_, index) => ({
    ...({ _id: newId(), side: 'staff', kind: 'message', text: 'Old news', at: Date.now() } as const),
    orderId: busy._id,
    sequence: index + 2,
    accountId: staff.id,
  }));
  await shop.db.insert(conversationMessages).values(old);
  const { orderId } = conversationMessages;
  const textsOf = async ({ _id }: OrderRecord) =>
    (await shop.db.select().from(conversationMessages).where(eq(orderId, _id))).map(({ text }) => text);
  vi.setSystemTime(Date.now() + 731 * dayMs);
  await write(customer, busy, 'News');
  await sweepConversations(shop.env, silent, shop.db);
  expect((await textsOf(busy)).length).toBeGreaterThan(1);
  await sweepConversations(shop.env, silent, shop.db);
  expect([await textsOf(order), await textsOf(busy)]).toEqual([['', 'All done'], ['News']]);
  expect([await isKept(file), await isKept(work)]).toEqual([true, true]);
  expect((await readConversation(shop.as(customer), order._id)).messages).toMatchObject([
    { _id: sent._id, text: '', files: [{ _id: file._id }] },
    { text: 'All done', files: [{ _id: work._id }] },
  ]);
  // The number of a deleted message is not reused. Otherwise, the next message would count as read.
  await write(customer, order, 'Anybody there?');
  const [begun] = await shop.db.select().from(conversations).where(eq(conversations.orderId, order._id));
  expect(begun).toMatchObject({ fromCustomer: 4, fromStaff: 3 });
});
