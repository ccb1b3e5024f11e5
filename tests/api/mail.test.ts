/** The outbox in this process, with a mail service that fails on demand, and the emails about orders. */
import { eq, gte, inArray, min } from 'drizzle-orm';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Occasion, queueLimitedMail } from '#worker/accounts/limited-mail.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { newId } from '#contract/ids.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { openDatabase, writeBatch } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { deleteMessages, toMessageRecord, receiveMessage } from '#worker/inbox/messages.ts';
import { defaultAccent } from '#contract/colors.ts';
import { renderMail } from '#worker/mail/layout.ts';
import { deliverMail, maxTries, queueMail, retryDelayMs, retryMail } from '#worker/mail/outbox.ts';
import { mails } from '#worker/mail/schema.ts';
import { queueOrderDigest } from '#worker/orders/digest.ts';
import { changeOrder } from '#worker/orders/changes.ts';
import { orderDigests, orderEvents, orders } from '#worker/orders/schema.ts';
import { readAttention } from '#worker/attention/attention.ts';
import { cancelOrder } from '#worker/payments/cancel.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { followUpUnpaidOrders } from '#worker/payments/unpaid.ts';
import { administrator, byCustomer, customer } from './orders-shop.ts';
import { openWorkShop } from './work-shop.ts';

const shop = await openWorkShop();
beforeEach(() => shop.clearMails());
afterAll(() => shop.close());

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const silent = () => undefined;
const content = {
  subject: 'Hello',
  paragraphs: ['Reset link: https://site.test/?token=secret-token'],
};
/** The content as sent, with the firm's name: the host of the site, because the brand has no name. */
const asSent = {
  subject: content.subject,
  ...renderMail(content, { name: 'site.test', accent: defaultAccent }),
};
const queue = () =>
  writeBatch(shop.db, [queueMail(shop.db, shop.env, { to: 'ann@customers.example', kind: 'test', content })]);
const firstMail = async () => (await shop.db.select().from(mails))[0];
const attention = async () => (await readAttention(shop.db, shop.env)).rows;
const letTimePass = () => shop.db.update(mails).set({ dueAt: Date.now() - 1 });
const openContext = () => shop.openPaymentContext();
const writeMessage = async (subject: string) => {
  const typed = { name: 'Ben', email: 'ben@people.example', number: '1', message: 'A <i>word</i>' };
  const record = toMessageRecord({ ...typed, subject });
  await receiveMessage(shop.db, shop.env, record);
  return record;
};
/** Tries to send the due emails while the service does not answer. */
const failToSend = () => {
  const send = () => Promise.reject(new Error('ann@customers.example is not reachable'));
  return deliverMail({ ...shop.env, EMAIL: { send } }, silent, shop.db);
};

test('An email is sent once, however many senders work at the same time, and leaves nothing behind', async () => {
  for (let count = 0; count < 5; count += 1) await queue();
  await Promise.all(Array.from({ length: 6 }, () => deliverMail(shop.env, silent, openDatabase(shop.env))));
  expect(shop.sent).toHaveLength(5);
  expect(shop.sent[0]).toMatchObject({
    to: 'ann@customers.example',
    from: { email: shop.env.MAIL_FROM, name: 'site.test' },
    ...asSent,
  });
  expect(await shop.db.$count(mails)).toBe(0);
});

test('An email shows a logo that is a photo, and the firm’s name instead of a drawing', async () => {
  const { logo, media } = contentTables;
  onTestFinished(async () => {
    await shop.db.delete(media);
    await shop.db.delete(logo);
  });
  const mailWith = async (type: string, ending: string) => {
    const path = `/media/${newId()}/logo-0123456789abcdef01234567.${ending}`;
    await shop.db.delete(logo);
    await shop.db.insert(logo).values({ _id: newId(), logo: path });
    await shop.db.insert(media).values({ _id: newId(), path, type, width: '960', height: '240' });
    await queue();
    return { path, mail: (await shop.sendMails())[0] };
  };
  expect((await mailWith('image/svg+xml', 'svg')).mail).toMatchObject(asSent);
  const { path, mail } = await mailWith('image/png', 'webp');
  const src = `${shop.env.SITE_URL}${path.replace('.webp', '-480.jpg')}`;
  expect(mail?.html).toContain(`<img src="${src}" width="192" height="48" alt="site.test"`);
});

test('A queued email is sealed, is sent after a key rotation, and needs attention once no key opens it', async () => {
  await queue();
  const stored = JSON.stringify(await firstMail());
  expect(stored).toContain('Hello');
  expect(stored).not.toContain('secret-token');
  const SEALING_KEYS = `the-next-sealing-key-0123456789-01234,${shop.env.SEALING_KEYS}`;
  await deliverMail({ ...shop.env, STRIPE_SECRET_KEY: 'sk_test_rotated', SEALING_KEYS }, silent, shop.db);
  expect(shop.sent.splice(0)).toMatchObject([asSent]);
  await queue();
  await shop.db.update(mails).set({ _id: newId(), dueAt: 1 });
  await queue();
  expect(await shop.sendMails()).toHaveLength(1);
  expect(await shop.db.select({ tries: mails.tries }).from(mails)).toEqual([{ tries: 1 }]);
});

test('If the service refuses email for a day, people can keep working, and afterward each email is sent once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const order = await shop.newOrder();
  await cancelOrder(openContext(), order._id, byCustomer);
  const waiting = await shop.db.$count(mails);
  expect(waiting).toBeGreaterThan(1);
  // The cron trigger runs each minute. Nothing is due between these runs.
  const endsAt = Date.now() + dayMs;
  for (let now = Date.now(); now < endsAt;) {
    await failToSend();
    const [next] = await shop.db.select({ at: min(mails.dueAt) }).from(mails);
    now = Math.max(next?.at ?? endsAt, now + 60_000);
    vi.setSystemTime(now);
  }
  const tries = (await shop.db.select().from(mails)).map((mail) => mail.tries);
  expect([tries.length, Math.max(...tries) < 30, Math.min(...tries) > 10]).toEqual([waiting, true, true]);
  expect((await attention()).filter(({ kind }) => kind === 'unsentMail')).toHaveLength(waiting);
  vi.setSystemTime(Date.now() + retryDelayMs(maxTries));
  expect(await shop.sendMails()).toHaveLength(waiting);
  expect(await shop.db.$count(mails)).toBe(0);
});

test('An email that is never sent needs attention, and a person can send it again', async () => {
  await queue();
  await shop.db.update(mails).set({ tries: maxTries - 2 });
  for (let count = 0; count < 2; count += 1) {
    await letTimePass();
    await failToSend();
  }
  expect(await firstMail()).toMatchObject({ tries: maxTries, dueAt: null });
  expect(await shop.sendMails()).toEqual([]);
  const id = (await firstMail())?._id ?? '';
  expect(await attention()).toMatchObject([{ _id: id, kind: 'unsentMail' }]);
  expect(await retryMail(shop.db, id)).toBe(true);
  expect(await shop.sendMails()).toHaveLength(1);
  expect(await attention()).toEqual([]);
});

test('An email that is sent again while a sender holds it is sent once', async () => {
  await queue();
  const [mail] = await shop.db.update(mails).set({ tries: 5, failure: '503', dueAt: 1 }).returning();
  const id = mail?._id ?? '';
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<undefined>();
  const slow: Env['EMAIL'] = {
    send: async (mailed) => {
      await isAnswered;
      return shop.env.EMAIL.send(mailed);
    },
  };
  const sending = deliverMail({ ...shop.env, EMAIL: slow }, silent, openDatabase(shop.env));
  await expect.poll(async () => (await firstMail())?.tries).toBe(6);
  expect(await retryMail(shop.db, id)).toBe(true);
  expect(await shop.sendMails()).toEqual([]);
  answer(undefined);
  await sending;
  expect(await shop.sendMails()).toHaveLength(1);
  expect(await retryMail(shop.db, id)).toBe(false);
  // An email that no sender has claimed is sent immediately, even if its next attempt is an hour away.
  await queue();
  const dueAt = Date.now() + hourMs;
  const [waiting] = await shop.db.update(mails).set({ tries: maxTries, dueAt, failure: '503' }).returning();
  expect(await retryMail(shop.db, waiting?._id ?? '')).toBe(true);
  expect(await firstMail()).toMatchObject({ tries: 0, failure: null });
  expect(await shop.sendMails()).toHaveLength(1);
});

test('If the sender of an email dies, another sender sends it in time', async () => {
  await queue();
  const dying: Env['EMAIL'] = { send: () => new Promise(() => undefined) };
  void deliverMail({ ...shop.env, EMAIL: dying }, silent, openDatabase(shop.env));
  await expect.poll(async () => (await firstMail())?.tries).toBe(1);
  expect(await shop.sendMails()).toEqual([]);
  await letTimePass();
  expect(await shop.sendMails()).toHaveLength(1);
});

test('Deleting a message also deletes the email about it', async () => {
  const gone = await writeMessage('Gone');
  await writeMessage('Stays');
  expect(await deleteMessages(shop.db, [gone._id], administrator.accountId)).toBe(1);
  expect((await shop.sendMails()).map(({ subject }) => subject)).toEqual(['New message: Stays']);
});

test('The customer is notified of the order and its payment, and the business of the payment and of messages', async () => {
  const order = await shop.newOrder();
  await shop.setPayment(order, 'Paid');
  await writeMessage('Hi');
  const sent = await shop.sendMails();
  const told = new Map(sent.map((mail) => [`${mail.to}: ${mail.subject}`, mail]));
  const placed = `${customer.email}: We received your order: Basic package`;
  const message = `${shop.env.NOTIFY_EMAIL}: New message: Hi`;
  expect([...told.keys()].toSorted()).toEqual(
    [
      placed,
      `${customer.email}: We received your payment: Basic package`,
      message,
      `${shop.env.NOTIFY_EMAIL}: Order paid: Basic, $499.50`,
    ].toSorted(),
  );
  for (const { text, html } of sent.filter(({ subject }) => subject !== 'New message: Hi')) {
    expect(text).toContain(`Order: #${order.number}\n`);
    expect(html).toContain(`>#${order.number}<`);
  }
  expect(told.get(placed)?.text).toContain(`http://site.test/pay-now/${order._id}`);
  expect(told.get(placed)?.html).toContain(`href="http://site.test/pay-now/${order._id}"`);
  expect(told.get(message)?.html).toContain('A &lt;i&gt;word&lt;/i&gt;');
});

test('A payment that is recorded by hand is reported once, however often it is withdrawn; a card payment is always reported', async () => {
  const order = await shop.newOrder();
  await shop.clearMails();
  const both = [
    [customer.email, 'We received your payment: Basic package'],
    [shop.env.NOTIFY_EMAIL, 'Order paid: Basic, $499.50'],
  ].toSorted();
  const sendAll = async () => (await shop.sendMails()).map(({ to, subject }) => [to, subject]).toSorted();
  for (const status of ['Paid', 'UnPaid', 'Paid', 'UnPaid'] as const) await shop.setPayment(order, status);
  expect(await sendAll()).toEqual(both);
  await shop.payByCard(await shop.openPage(order));
  await confirmPayment(openContext(), order._id);
  expect(await sendAll()).toEqual(both);
});

test('The business is notified of new unpaid orders in one email an hour, however many runs there are', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await shop.cancelUnpaid();
  const [unpaid, paid, second] = [await shop.newOrder(), await shop.newOrder(), await shop.newOrder()];
  await shop.setPayment(paid, 'Paid');
  await shop.clearMails();
  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  await shop.db.insert(orderDigests).values({ until: hour - hourMs });
  /**
   * Runs the cron trigger several times concurrently.
   * @returns the subjects of the emails
   */
  const runAfter = async (hours: number) => {
    const now = hour + hours * hourMs;
    await Promise.all([1, 2, 3, 4].map(() => queueOrderDigest(shop.env, openDatabase(shop.env), now)));
    return shop.sendMails();
  };
  expect(await runAfter(1)).toEqual([]);
  const digests = await runAfter(1.5);
  expect(digests.map(({ subject }) => subject)).toEqual(['2 new orders are waiting for payment']);
  for (const { number } of [unpaid, second]) expect(digests[0]?.text).toContain(`#${number}:`);
  expect(digests[0]?.text).not.toContain(`#${paid.number}:`);
  expect([await runAfter(1.6), await runAfter(2.5)]).toEqual([[], []]);
  expect(await shop.db.select().from(orderDigests)).toEqual([{ until: hour + 2 * hourMs }]);
});

test('A customer is reminded once of an unpaid order, which is cancelled after thirty days', async () => {
  await shop.cancelUnpaid();
  const stranger = await shop.addCustomer('somebody@elsewhere.example', false);
  const [paid, delivered, unpaid] = [await shop.newOrder(), await shop.newOrder(), await shop.newOrder()];
  const strangers = await shop.orderOf(stranger, { customerName: 'evil-phish.example' });
  const context = openContext();
  await shop.setPayment(paid, 'Paid');
  await shop.deliverWork(delivered);
  const intentId = await shop.openPage(unpaid);
  await shop.clearMails();
  /** Runs the cron trigger twice concurrently, after a number of days. */
  const runAfter = async (days: number) => {
    const now = Date.now() + days * dayMs;
    await Promise.all([followUpUnpaidOrders(openContext(), now), followUpUnpaidOrders(context, now)]);
    const sent = await shop.sendMails();
    expect(JSON.stringify(sent)).not.toContain('evil-phish');
    return sent.map(({ to, subject, text }) => [to, subject, text]).toSorted();
  };
  const toBoth = (subject: string, words: RegExp) =>
    [customer.email, stranger.email].map((to) => [to, subject, expect.stringMatching(words) as string]);
  const reminder = 'Your order is waiting for your payment: Basic package';
  const farewell = 'Your order is cancelled: Basic package';

  expect(await runAfter(0.9)).toEqual([]);
  expect(await runAfter(1.1)).toEqual([
    [customer.email, reminder, expect.stringMatching(/We delivered your order/)],
    ...toBoth(reminder, /start work as soon[^]*http:\/\/site\.test\/pay-now\//),
  ]);
  expect(await runAfter(29)).toEqual([]);
  expect(await runAfter(30.1)).toEqual(toBoth(farewell, /was not paid within 30 days/));
  expect((await shop.stripe.paymentIntents.retrieve(intentId)).status).toBe('canceled');
  expect(await runAfter(90)).toEqual([]);
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
  // The thirty days start over if a payment is reversed or work on a delivered order continues.
  await shop.setPayment(paid, 'UnPaid');
  const reopened = { kind: 'reopened', by: administrator, set: { orderStatus: 'Pending' } } as const;
  await changeOrder(shop.db, await shop.readOrder(delivered), reopened);
  await shop.db.$client.execute('DROP TRIGGER order_events_keeps_values');
  await shop.db
    .update(orderEvents)
    .set({ at: Date.now() + 10 * dayMs })
    .where(inArray(orderEvents.kind, ['paymentWithdrawn', 'reopened']));
  expect(await runAfter(39)).toEqual([]);
  expect((await runAfter(41)).map(([to, subject]) => [to, subject])).toEqual(
    Array(2).fill([customer.email, farewell]),
  );
});

test('A reminder that waits for its next attempt is dropped once the order is paid', async () => {
  await shop.cancelUnpaid();
  const [paid, unpaid] = [await shop.newOrder(), await shop.newOrder()];
  await shop.clearMails();
  await followUpUnpaidOrders(openContext(), Date.now() + 1.1 * dayMs);
  await shop.db.update(mails).set({ tries: 3 });
  await shop.setPayment(paid, 'Paid');
  const reminders = await shop.db.select().from(mails).where(eq(mails.kind, 'order-reminder'));
  expect(reminders.map(({ topic }) => topic)).toEqual([`reminder of ${unpaid._id}`]);
});

test('An old order whose payment the bank is still processing is left alone, and does not stop others from being cancelled', async () => {
  await shop.cancelUnpaid();
  const [worked, old] = [await shop.newOrder(), await shop.newOrder()];
  const id = await shop.openPage(worked);
  await shop.payByCard(id, 'pm_card_processing');
  const { context, events } = shop.openLogged();
  await followUpUnpaidOrders(context, Date.now() + 31 * dayMs);
  expect(events).toEqual(['order.not-expired']);
  expect((await shop.readOrder(worked)).paymentStatus).toBe('UnPaid');
  expect((await shop.readOrder(old)).paymentStatus).toBe('Cancelled');
  shop.emulator.controls.settlePayment({ paymentIntent: id });
  await shop.settleReports();
});

test('An order of a deleted customer is cancelled immediately, unless its payment was just taken back', async () => {
  const [abandoned, withdrawn] = [await shop.newOrder(), await shop.newOrder()];
  await shop.setPayment(withdrawn, 'Paid');
  await shop.db.update(orders).set({ customerEmail: '' }).where(gte(orders._id, abandoned._id));
  await shop.setPayment(withdrawn, 'UnPaid');
  await followUpUnpaidOrders(openContext(), Date.now());
  expect((await shop.readOrder(abandoned)).paymentStatus).toBe('Cancelled');
  expect((await shop.readOrder(withdrawn)).paymentStatus).toBe('UnPaid');
});

test('No email to a stranger whose address somebody signs up with contains text that a person entered', async () => {
  const stranger = await shop.addCustomer('stranger@elsewhere.example', false);
  const typed = 'Pay at evil-phish.example';
  const details = { customerName: typed, customerAddress: typed, customerCountry: typed };
  const [order, refunded] = [await shop.orderOf(stranger, details), await shop.orderOf(stranger, details)];
  for (const status of ['Paid', 'UnPaid'] as const) await shop.setPayment(order, status);
  await cancelOrder(openContext(), order._id, byCustomer);
  await shop.setPayment(refunded, 'Paid');
  await shop.refund(refunded, { amountCents: 100, note: typed });
  const told = (await shop.sendMails()).filter(({ to }) => to === stranger.email);
  expect([...new Set(told.map(({ subject }) => subject))].toSorted()).toEqual([
    'We are refunding $1: Basic package',
    'We received your order: Basic package',
    'We received your payment: Basic package',
    'Your order is cancelled: Basic package',
  ]);
  for (const { text } of told) expect(text).toMatch(/^Hello,\n/);
  expect(JSON.stringify(told)).not.toContain('phish');
  await shop.newOrder();
  const own = (await shop.sendMails()).find(({ to }) => to === customer.email);
  expect(own?.text).toMatch(/^Hello Ann,\n/);
});

test('An unverified address gets 20 emails an hour: five are reserved for links, and five for known callers', async () => {
  const { id, email } = await shop.addCustomer('crowded@elsewhere.example', false);
  const mailed = async (count: number, occasion: Occasion) => {
    const mail = { accountId: id, to: email, kind: 'test', content };
    for (let sent = 0; sent < count; sent += 1)
      await writeBatch(shop.db, queueLimitedMail(shop.db, shop.env, mail, occasion));
    return shop.db.$count(mails);
  };
  expect(await mailed(12, 'notice')).toBe(10);
  expect(await mailed(7, 'link for a stranger')).toBe(15);
  expect(await mailed(7, 'link for a known caller')).toBe(20);
  await shop.db.update(accounts).set({ emailVerifiedAt: 1 }).where(eq(accounts.id, id));
  expect(await mailed(1, 'notice')).toBe(21);
});
