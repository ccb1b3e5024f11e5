/** The outbox in this process, with a mail service that fails when it is told to; and the mails themselves. */
import { eq, gte, inArray, min, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Occasion, queueLimitedMail } from '#worker/accounts/limited-mail.ts';
import { accounts } from '#worker/accounts/schema.ts';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { openDatabase, writeBatch, type Database } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { deleteMessages, draftMessage, receiveMessage } from '#worker/inbox/messages.ts';
import { brandMail, writeMail } from '#worker/mail/layout.ts';
import { deliverMail, maxTries, queueMail, retryDelayMs, sendAgain } from '#worker/mail/outbox.ts';
import { mails } from '#worker/mail/schema.ts';
import { queueOrderDigest } from '#worker/orders/digest.ts';
import { deliverOrder } from '#worker/conversations/deliver.ts';
import { changeOrder } from '#worker/orders/changes.ts';
import { claimOrders } from '#worker/orders/personal-data.ts';
import { placeOrder, placeOrderForCustomer } from '#worker/orders/place.ts';
import { orderDigests, orderEvents, orders } from '#worker/orders/schema.ts';
import { readAttention } from '#worker/payments/attention.ts';
import { cancelOrder, setPaymentByHand } from '#worker/payments/cancel.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { tendUnpaidOrders } from '#worker/payments/unpaid.ts';
import { administrator, byCustomer, customer, input, openShop, type Shop } from './orders-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  await shop.db.delete(mails);
  shop.sent.length = 0;
});
afterAll(() => shop.close());

const silent = () => undefined;
const toBusiness = () =>
  shop.sent.filter(({ to }) => to === shop.env.NOTIFY_EMAIL).map(({ subject }) => subject);
const content = writeMail({
  subject: 'Hello',
  paragraphs: ['Reset link: https://site.test/?token=secret-token'],
});
const queue = () =>
  writeBatch(shop.db, [
    queueMail(shop.db, shop.env, { to: 'ann@customers.example', kind: 'test', ...content }),
  ]);
/** Lets no order of an earlier test wait for its payment. */
async function cancelUnpaid(): Promise<void> {
  for (const { _id } of await shop.db.select().from(orders).where(eq(orders.paymentStatus, 'UnPaid')))
    await cancelOrder(shop.openPaymentContext(), _id, administrator);
}
async function addUnverified(email: string): Promise<Account> {
  const account = { ...customer, id: newId(), email, emailVerified: false };
  await shop.db.insert(accounts).values({ id: account.id, email, createdAt: Date.now() });
  return account;
}
/** What goes out of it: the firm's name stands in it, which is the site's address where the sender has no name. */
const asSent = { ...content, ...brandMail(content, 'site.test') };
const letTimePass = () => shop.db.update(mails).set({ dueAt: Date.now() - 1 });
const failing: Env['EMAIL'] = {
  send: () => Promise.reject(new Error('ann@customers.example is not reachable')),
};

test('A mail goes out once, however many senders are at work, and leaves nothing behind', async () => {
  for (let count = 0; count < 5; count += 1) await queue();
  await Promise.all(Array.from({ length: 6 }, () => deliverMail(shop.env, silent, openDatabase(shop.env))));
  expect(shop.sent).toHaveLength(5);
  expect(shop.sent[0]).toMatchObject({ to: 'ann@customers.example', from: shop.env.MAIL_FROM, ...asSent });
  expect(await shop.db.select().from(mails)).toEqual([]);
});

test('A mail shows a logo made of pixels in the place of the tally, and no drawing', async () => {
  const { logo, media } = contentTables;
  onTestFinished(async () => {
    await shop.db.delete(media);
    await shop.db.delete(logo);
  });
  const path = (ending: string) => `/media/${newId()}/logo-0123456789abcdef01234567.${ending}`;
  const show = async (type: string, address: string) => {
    await shop.db.delete(logo);
    await shop.db.insert(logo).values({ _id: newId(), logo: address });
    await shop.db.insert(media).values({ _id: newId(), path: address, type, width: '960', height: '240' });
    await queue();
    await deliverMail(shop.env, silent, shop.db);
  };
  await show('image/svg+xml', path('svg'));
  expect(shop.sent[0]).toMatchObject(asSent);
  const address = path('webp');
  await show('image/png', address);
  const src = `${shop.env.SITE_URL}${address.replace('.webp', '-480.webp')}`;
  expect(shop.sent[1]?.html).toContain(`<img src="${src}" width="192" height="48" alt="site.test"`);
});

test('What waits in the database shows neither links nor words', async () => {
  await queue();
  const [row] = await shop.db.all<{ all: string }>(
    sql`SELECT kind || subject || body AS "all" FROM ${mails}`,
  );
  expect(row?.all).toContain('Hello');
  expect(row?.all).not.toContain('secret-token');
});

test('A mail that waits goes out although Stripe’s key and the sealing key were rotated meanwhile', async () => {
  await queue();
  const SEALING_KEYS = `the-next-sealing-key-0123456789-01234,${shop.env.SEALING_KEYS}`;
  const rotated = { ...shop.env, STRIPE_SECRET_KEY: 'sk_test_rotated', SEALING_KEYS };
  await deliverMail(rotated, silent, shop.db);
  expect(shop.sent).toMatchObject([{ to: 'ann@customers.example', ...asSent }]);
});

test('A mail that fails is tried again with growing waits, and goes out when the service is back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await queue();
  const waits: number[] = [];
  for (let tries = 1; tries <= 3; tries += 1) {
    await deliverMail({ ...shop.env, EMAIL: failing }, silent, shop.db);
    const [mail] = await shop.db.select().from(mails);
    expect(mail).toMatchObject({ tries, failure: 'Error' });
    waits.push((mail?.dueAt ?? 0) - Date.now());
    await deliverMail(shop.env, silent, shop.db);
    expect(shop.sent).toEqual([]);
    await letTimePass();
  }
  expect(waits).toEqual([1, 2, 3].map(retryDelayMs));
  expect(waits[2]).toBeGreaterThan(waits[1] ?? NaN);
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent).toHaveLength(1);
});

test('While the service refuses mail for a day people go on, and then each mail goes out once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const refusing = { ...shop.env, EMAIL: failing };
  const order = await shop.newOrder();
  await cancelOrder(shop.openPaymentContext(), order._id, byCustomer);
  const waiting = await shop.db.$count(mails);
  expect(waiting).toBeGreaterThan(1);
  // The cron trigger fires each minute; nothing is due between the times that it is looked for here.
  const endsAt = Date.now() + 86_400_000;
  for (let now = Date.now(); now < endsAt;) {
    await deliverMail(refusing, silent, shop.db);
    const [next] = await shop.db.select({ at: min(mails.dueAt) }).from(mails);
    now = Math.max(next?.at ?? endsAt, now + 60_000);
    vi.setSystemTime(now);
  }
  const tries = (await shop.db.select().from(mails)).map((mail) => mail.tries);
  // Growing waits: a day of refusals asks about each mail some twenty times, and three days give none of them up.
  expect([tries.length, Math.max(...tries) < 30, Math.min(...tries) > 10]).toEqual([waiting, true, true]);
  const attention = (await readAttention(shop.db, shop.env)).rows;
  expect(attention.filter(({ kind }) => kind === 'unsentMail')).toHaveLength(waiting);

  vi.setSystemTime(Date.now() + retryDelayMs(maxTries));
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent).toHaveLength(waiting);
  expect(await shop.db.$count(mails)).toBe(0);
});

test('A mail that never goes out waits for a person, who can send it again', async () => {
  await queue();
  for (let tries = 0; tries < maxTries; tries += 1) {
    await deliverMail({ ...shop.env, EMAIL: failing }, silent, shop.db);
    if (tries < maxTries - 1) await letTimePass();
  }
  const [mail] = await shop.db.select().from(mails);
  expect(mail).toMatchObject({ tries: maxTries, dueAt: null });
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent).toEqual([]);
  expect((await readAttention(shop.db, shop.env)).rows).toMatchObject([
    { _id: mail?._id, kind: 'unsentMail' },
  ]);
  await letTimePass();
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent).toHaveLength(1);
  expect((await readAttention(shop.db, shop.env)).rows).toEqual([]);
});

test('A mail that is sent again while a sender has it in its hands goes out once', async () => {
  await queue();
  const fault = { tries: 5, failure: '503', dueAt: Date.now() };
  const [mail] = await shop.db.update(mails).set(fault).returning();
  const id = mail?._id ?? '';
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const slow: Env['EMAIL'] = {
    send: async (mailed) => {
      await arrived;
      return shop.env.EMAIL.send(mailed);
    },
  };
  const sending = deliverMail({ ...shop.env, EMAIL: slow }, silent, openDatabase(shop.env));
  const stateOf = async () => (await shop.db.select().from(mails))[0];
  await expect.poll(async () => (await stateOf())?.tries).toBe(6);
  expect(await sendAgain(shop.db, id)).toBe(true);
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent).toEqual([]);
  arrive();
  await sending;
  expect(shop.sent).toHaveLength(1);
  expect(await sendAgain(shop.db, id)).toBe(false);
  // One that nobody holds goes out at once, also where its next try is an hour away.
  for (const dueAt of [null, Date.now() + 3_600_000]) {
    await queue();
    const [waiting] = await shop.db.update(mails).set({ tries: maxTries, dueAt, failure: '503' }).returning();
    expect(await sendAgain(shop.db, waiting?._id ?? '')).toBe(true);
    expect(await stateOf()).toMatchObject({ tries: 0, failure: null });
    await deliverMail(shop.env, silent, shop.db);
    expect(await stateOf()).toBeUndefined();
  }
  expect(shop.sent).toHaveLength(3);
});

test('A sender that dies with a mail in its hands gives it back in time', async () => {
  await queue();
  const dying: Env['EMAIL'] = { send: () => new Promise(() => undefined) };
  void deliverMail({ ...shop.env, EMAIL: dying }, silent, openDatabase(shop.env));
  await expect.poll(async () => (await shop.db.select().from(mails))[0]?.tries).toBe(1);
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent).toEqual([]);
  await letTimePass();
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent).toHaveLength(1);
});

test('A change that is not written sends no mail', async () => {
  const order = await shop.newOrder();
  await shop.db.delete(mails);
  await cancelOrder(shop.openPaymentContext(), order._id, byCustomer);
  await cancelOrder(shop.openPaymentContext(), order._id, byCustomer);
  await expect(
    setPaymentByHand(shop.openPaymentContext(), order._id, 'Paid', administrator),
  ).rejects.toThrow();
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent.map(({ subject }) => subject)).toEqual(['Your order is cancelled: Basic package']);
  expect(shop.sent[0]?.text).toContain('Your order is cancelled, and nothing was charged for it.');
});

test('A message that is deleted takes the mail along that still waits to tell of it', async () => {
  const [gone, stays] = ['Gone', 'Stays'].map((subject) =>
    draftMessage({ name: 'Ben', email: 'ben@people.example', number: '1', subject, message: 'A word' }),
  );
  if (!gone || !stays) throw new Error('There are two.');
  for (const record of [gone, stays]) await receiveMessage(shop.db, shop.env, record);
  expect(await deleteMessages(shop.db, [gone._id], administrator.accountId)).toBe(1);
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent.map(({ subject }) => subject)).toEqual(['New message: Stays']);
});

test('An order and its end are told to the customer, payments and messages to the business', async () => {
  const order = await shop.newOrder();
  await setPaymentByHand(shop.openPaymentContext(), order._id, 'Paid', administrator);
  await receiveMessage(
    shop.db,
    shop.env,
    draftMessage({
      name: 'Ben',
      email: 'ben@people.example',
      number: '1',
      subject: 'Hi',
      message: 'A <i>word</i>',
    }),
  );
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent.map(({ to, subject }) => [to, subject]).sort()).toEqual(
    [
      [customer.email, 'We have your order: Basic package'],
      [customer.email, 'We have your payment: Basic package'],
      [shop.env.NOTIFY_EMAIL, 'New message: Hi'],
      [shop.env.NOTIFY_EMAIL, 'Order paid: Basic, $499.50'],
    ].sort(),
  );
  const placed = shop.sent.find(({ subject }) => subject.startsWith('We have your order'));
  for (const { text, html } of shop.sent.filter(({ subject }) => !subject.startsWith('New message'))) {
    expect(text).toContain(`Order: #${order.number}\n`);
    expect(html).toContain(`>#${order.number}<`);
  }
  expect(placed?.text).toContain(`http://site.test/pay-now/${order._id}`);
  expect(placed?.html).toContain(`href="http://site.test/pay-now/${order._id}"`);
  const told = shop.sent.find(({ subject }) => subject === 'New message: Hi');
  expect(told?.html).toContain('A &lt;i&gt;word&lt;/i&gt;');
});

test('The business gets one mail of an order that is paid, however often that is taken back', async () => {
  const order = await shop.newOrder();
  for (const status of ['Paid', 'UnPaid', 'Paid'] as const)
    await setPaymentByHand(shop.openPaymentContext(), order._id, status, administrator);
  await deliverMail(shop.env, silent, shop.db);
  expect(toBusiness()).toEqual(['Order paid: Basic, $499.50']);
});

test('A payment by card is told to both, also after one that was set by mistake', async () => {
  const order = await shop.newOrder();
  const context = shop.openPaymentContext();
  for (const status of ['Paid', 'UnPaid'] as const)
    await setPaymentByHand(context, order._id, status, administrator);
  await shop.db.delete(mails);
  await shop.payByCard(await shop.openPage(order));
  await confirmPayment(context, order._id);
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent.map(({ to, subject }) => [to, subject]).sort()).toEqual(
    [
      [customer.email, 'We have your payment: Basic package'],
      [shop.env.NOTIFY_EMAIL, 'Order paid: Basic, $499.50'],
    ].sort(),
  );
});

test('New unpaid orders are told to the business in one mail an hour, however many runs there are', async () => {
  // The orders and the hour are of one moment, also where an hour ends.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await cancelUnpaid();
  const hourMs = 3_600_000;
  const [unpaid, paid, second] = [await shop.newOrder(), await shop.newOrder(), await shop.newOrder()];
  await setPaymentByHand(shop.openPaymentContext(), paid._id, 'Paid', administrator);
  await shop.db.delete(mails);
  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  await shop.db.insert(orderDigests).values({ until: hour - hourMs });
  /** What the cron trigger does at a time, several runs at once. */
  const tickAt = async (now: number) => {
    await Promise.all(
      Array.from({ length: 4 }, () => queueOrderDigest(shop.env, openDatabase(shop.env), now)),
    );
    await deliverMail(shop.env, silent, shop.db);
  };

  await tickAt(hour + hourMs);
  expect(toBusiness()).toEqual([]);
  await tickAt(hour + 1.5 * hourMs);
  await tickAt(hour + 1.6 * hourMs);
  await tickAt(hour + 2.5 * hourMs);
  expect(toBusiness()).toEqual(['2 new orders are waiting for payment']);
  for (const { number } of [unpaid, second]) expect(shop.sent[0]?.text).toContain(`#${number}:`);
  expect(shop.sent[0]?.text).not.toContain(`#${paid.number}:`);
  expect(await shop.db.select().from(orderDigests)).toEqual([{ until: hour + 2 * hourMs }]);
});

test('A customer is reminded once of an order that is not paid, which is cancelled after thirty days', async () => {
  await cancelUnpaid();
  const dayMs = 86_400_000;
  const stranger = await addUnverified('somebody@elsewhere.example');
  const [paid, delivered, unpaid] = [await shop.newOrder(), await shop.newOrder(), await shop.newOrder()];
  const strangers = await placeOrder(
    { db: shop.db, env: shop.env, account: stranger },
    { ...input, customerEmail: stranger.email, customerName: 'evil-phish.example' },
    undefined,
  );
  const context = shop.openPaymentContext();
  await setPaymentByHand(context, paid._id, 'Paid', administrator);
  await deliverOrder(context, delivered, administrator);
  const intentId = await shop.openPage(unpaid);
  await shop.db.delete(mails);
  /** The cron trigger after so many days, twice at once. */
  const tickAfter = async (days: number) => {
    shop.sent.length = 0;
    const now = Date.now() + days * dayMs;
    await Promise.all([tendUnpaidOrders(shop.openPaymentContext(), now), tendUnpaidOrders(context, now)]);
    await deliverMail(shop.env, silent, shop.db);
    return shop.sent.map(({ to, subject }) => [to, subject]).sort();
  };
  const toBoth = (subject: string) => [customer.email, stranger.email].map((to) => [to, subject]);

  expect(await tickAfter(0.9)).toEqual([]);
  expect(await tickAfter(1.1)).toEqual(toBoth('Your order is waiting for your payment: Basic package'));
  for (const { text } of shop.sent) expect(text).toMatch(/http:\/\/site\.test\/pay-now\//);
  expect(shop.sent.map(({ text }) => text).join()).not.toContain('evil-phish');
  expect(await tickAfter(29)).toEqual([]);
  expect(await tickAfter(30.1)).toEqual(toBoth('Your order is cancelled: Basic package'));
  expect(shop.sent.map(({ text }) => text).join()).not.toContain('evil-phish');
  for (const { text } of shop.sent) expect(text).toContain('was not paid within 30 days');
  expect((await shop.stripe.paymentIntents.retrieve(intentId)).status).toBe('canceled');
  expect(await tickAfter(90)).toEqual([]);
  const statuses = await shop.db
    .select({ _id: orders._id, paymentStatus: orders.paymentStatus })
    .from(orders)
    .where(gte(orders._id, paid._id))
    .orderBy(orders._id);
  expect(statuses).toEqual([
    { _id: paid._id, paymentStatus: 'Paid' },
    { _id: delivered._id, paymentStatus: 'UnPaid' },
    { _id: unpaid._id, paymentStatus: 'Cancelled' },
    { _id: strangers._id, paymentStatus: 'Cancelled' },
  ]);
  // An order whose payment was taken back waits anew from that day, as does one that is to be delivered anew.
  await setPaymentByHand(context, paid._id, 'UnPaid', administrator);
  const reopened = await shop.db.select().from(orders).where(eq(orders._id, delivered._id)).get();
  if (!reopened) throw new Error('There is no such order.');
  await changeOrder(shop.db, reopened, {
    kind: 'reopened',
    by: administrator,
    set: { orderStatus: 'Pending' },
  });
  await shop.db.$client.execute('DROP TRIGGER order_events_keeps_values');
  await shop.db
    .update(orderEvents)
    .set({ at: Date.now() + 10 * dayMs })
    .where(inArray(orderEvents.kind, ['paymentWithdrawn', 'reopened']));
  expect(await tickAfter(39)).toEqual([]);
  expect(await tickAfter(41)).toEqual(
    Array(2).fill([customer.email, 'Your order is cancelled: Basic package']),
  );
});

test('A reminder that waits for its next try goes with the reason for it', async () => {
  await cancelUnpaid();
  const [paid, unpaid] = [await shop.newOrder(), await shop.newOrder()];
  await shop.db.delete(mails);
  await tendUnpaidOrders(shop.openPaymentContext(), Date.now() + 1.1 * 86_400_000);
  await shop.db.update(mails).set({ tries: 3 });
  await setPaymentByHand(shop.openPaymentContext(), paid._id, 'Paid', administrator);
  const waiting = await shop.db
    .select({ topic: mails.topic })
    .from(mails)
    .where(eq(mails.kind, 'order-reminder'));
  expect(waiting).toEqual([{ topic: `reminder of ${unpaid._id}` }]);
});

test('Whose order was delivered before it is paid reads that nothing is left to do', async () => {
  const [open, delivered] = [await shop.newOrder(), await shop.newOrder()];
  const context = shop.openPaymentContext();
  await deliverOrder(context, delivered, administrator);
  for (const { _id } of [open, delivered]) await setPaymentByHand(context, _id, 'Paid', administrator);
  await deliverMail(shop.env, silent, shop.db);
  const textsOf = ({ number }: { number: number }) =>
    shop.sent
      .filter(
        ({ subject, text }) => subject.startsWith('We have your payment') && text.includes(`#${number}`),
      )
      .map(({ text }) => text);
  expect(textsOf(open)).toEqual([expect.stringContaining('We are starting work.')]);
  expect(textsOf(delivered)).toEqual([expect.stringContaining('has been delivered already')]);
});

test('What is written about a refund goes to no address that nobody has verified', async () => {
  const stranger = await addUnverified('refunded@elsewhere.example');
  const order = await placeOrder(
    { db: shop.db, env: shop.env, account: stranger },
    { ...input, customerEmail: stranger.email },
    undefined,
  );
  await setPaymentByHand(shop.openPaymentContext(), order._id, 'Paid', administrator);
  await shop.refund(order, { amountCents: 100, note: 'Dear Ann' });
  await deliverMail(shop.env, silent, shop.db);
  const [told, ...others] = shop.sent.filter(({ subject }) => subject.startsWith('We are returning'));
  expect(others).toEqual([]);
  expect(told).toMatchObject({ to: stranger.email, subject: 'We are returning $1: Basic package' });
  expect(told?.text).not.toContain('Dear Ann');
});

test('An old order that its bank works on is left, and keeps no other from being cancelled', async () => {
  await cancelUnpaid();
  const [worked, old] = [await shop.newOrder(), await shop.newOrder()];
  const slow = await shop.stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4000000000002701', exp_month: 12, exp_year: 2040, cvc: '123' },
  });
  const id = await shop.openPage(worked);
  await shop.payByCard(id, slow.id);
  const { context, events } = shop.openLogged();
  await tendUnpaidOrders(context, Date.now() + 31 * 86_400_000);
  expect(events).toEqual(['order.not-expired']);
  expect((await shop.readOrder(worked)).paymentStatus).toBe('UnPaid');
  expect((await shop.readOrder(old)).paymentStatus).toBe('Cancelled');
  shop.emulator.controls.settlePayment({ paymentIntent: id });
  await shop.settleReports();
});

test('An order of a deleted customer is cancelled at once, but not when its payment was just taken back', async () => {
  const [abandoned, withdrawn] = [await shop.newOrder(), await shop.newOrder()];
  const context = shop.openPaymentContext();
  await setPaymentByHand(context, withdrawn._id, 'Paid', administrator);
  await shop.db.update(orders).set({ customerEmail: '' }).where(gte(orders._id, abandoned._id));
  await setPaymentByHand(context, withdrawn._id, 'UnPaid', administrator);
  await tendUnpaidOrders(context, Date.now());
  const statusOf = async ({ _id }: { _id: string }) =>
    (await shop.db.select().from(orders).where(eq(orders._id, _id)).get())?.paymentStatus;
  expect([await statusOf(abandoned), await statusOf(withdrawn)]).toEqual(['Cancelled', 'UnPaid']);
});

test('An order placed for a customer becomes theirs, whatever happens in that moment', async () => {
  const account = await addUnverified('phoned@customers.example');
  /** A database on which something happens right before the first batch. */
  const openWith = (meanwhile: () => PromiseLike<unknown>) => {
    const db = openDatabase(shop.env);
    const batch = db.$client.batch.bind(db.$client);
    vi.spyOn(db.$client, 'batch').mockImplementationOnce(async (...statements) => {
      await meanwhile();
      return batch(...statements);
    });
    return db;
  };
  const add = (db: Database) =>
    placeOrderForCustomer(
      { db, env: shop.env, account: { ...customer, id: administrator.accountId } },
      { ...input, customerEmail: account.email },
      undefined,
    );
  const ownerOf = async ({ _id }: { _id: string }) =>
    (await shop.db.select().from(orders).where(eq(orders._id, _id)).get())?.accountId;

  const early = await add(shop.db);
  expect(await ownerOf(early)).toBe('');
  const change = { kind: 'reminded', by: administrator, set: {} } as const;
  await claimOrders(
    openWith(() => changeOrder(shop.db, early, change)),
    account,
  );
  expect(await ownerOf(early)).toBe(account.id);

  const isIt = eq(accounts.id, account.id);
  const late = await add(openWith(() => shop.db.update(accounts).set({ emailVerifiedAt: 1 }).where(isIt)));
  expect(await ownerOf(late)).toBe(account.id);
});

test('A stranger whose address somebody signs up with reads nothing that was typed in any mail', async () => {
  const stranger = await addUnverified('stranger@elsewhere.example');
  const typed = 'Pay at evil-phish.example';
  const order = await placeOrder(
    { db: shop.db, env: shop.env, account: stranger },
    {
      ...input,
      customerEmail: stranger.email,
      customerName: typed,
      customerAddress: typed,
      customerCountry: typed,
    },
    undefined,
  );
  await setPaymentByHand(shop.openPaymentContext(), order._id, 'Paid', administrator);
  await setPaymentByHand(shop.openPaymentContext(), order._id, 'UnPaid', administrator);
  await cancelOrder(shop.openPaymentContext(), order._id, byCustomer);
  await deliverMail(shop.env, silent, shop.db);
  const told = shop.sent.filter(({ to }) => to === stranger.email);
  expect(told.map(({ subject }) => subject)).toEqual([
    'We have your order: Basic package',
    'We have your payment: Basic package',
    'Your order is cancelled: Basic package',
  ]);
  for (const { subject, text, html } of told) {
    expect(text).toMatch(/^Hello,\n/);
    expect(`${subject} ${text} ${html}`).not.toContain('phish');
  }
  const own = await shop.newOrder();
  await deliverMail(shop.env, silent, shop.db);
  expect(own.customerEmail).toBe(customer.email);
  expect(shop.sent.findLast(({ to }) => to === customer.email)?.text).toMatch(/^Hello Ann,\n/);
});

test('At most 20 mails an hour go to an address that nobody has verified: five of them wait for links, and five for who is known there', async () => {
  const { id, email } = await addUnverified('crowded@elsewhere.example');
  const tell = (occasion: Occasion) =>
    writeBatch(
      shop.db,
      queueLimitedMail(shop.db, shop.env, { accountId: id, to: email, kind: 'test', ...content }, occasion),
    );
  for (let count = 0; count < 25; count += 1) await tell('notice');
  expect(await shop.db.$count(mails)).toBe(10);
  for (let count = 0; count < 10; count += 1) await tell('link for a stranger');
  expect(await shop.db.$count(mails)).toBe(15);
  for (let count = 0; count < 10; count += 1) await tell('link for a known caller');
  expect(await shop.db.$count(mails)).toBe(20);
  await shop.db.update(accounts).set({ emailVerifiedAt: 1 }).where(eq(accounts.id, id));
  await tell('notice');
  expect(await shop.db.$count(mails)).toBe(21);
});

test('A mail that no secret opens any more waits for a person and stops nobody else’s', async () => {
  await queue();
  const _id = newId();
  await shop.db.update(mails).set({ _id, dueAt: 1 });
  await queue();
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent).toHaveLength(1);
  expect(await shop.db.select({ tries: mails.tries }).from(mails).where(eq(mails._id, _id))).toEqual([
    { tries: 1 },
  ]);
});
