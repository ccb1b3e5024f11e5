/** The brief of an order: what is asked, kept and sent, who may do it, and who is reminded of it when. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { workCalls } from '#contract/calls/work.ts';
import { newId } from '#contract/ids.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { openDatabase, writeBatch } from '#worker/db/client.ts';
import { check } from '#worker/http/body.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { mails } from '#worker/mail/schema.ts';
import { deliverOrder } from '#worker/conversations/deliver.ts';
import { markRead } from '#worker/conversations/messages.ts';
import { changeOrder } from '#worker/orders/changes.ts';
import { orderEvents, type OrderRecord } from '#worker/orders/schema.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { findOrder } from '#worker/orders/read.ts';
import { readAttention } from '#worker/payments/attention.ts';
import { cancelOrder, setPaymentByHand } from '#worker/payments/cancel.ts';
import { remindOfBriefs } from '#worker/work/awaited-briefs.ts';
import { changeBrief, readBrief } from '#worker/work/brief.ts';
import { readOrderWork, readOwnWork } from '#worker/work/progress.ts';
import { workOfPerson } from '#worker/work/personal-data.ts';
import { orderBriefs } from '#worker/work/schema.ts';
import { administrator, customer, input, openShop, type Shop } from './orders-shop.ts';

const dayMs = 24 * 3_600_000;
const questions = contentTables.briefQuestion;
const [site, loans, built, offices] = [newId(), newId(), newId(), newId()] as const;
const owner: Account = {
  id: administrator.accountId,
  email: 'admin@site.test',
  emailVerified: true,
  role: 'Support',
  lacks: null,
  hasPasskey: false,
  sessionId: '',
  confirmedAt: 0,
  shown: 'nothing',
};

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  await shop.db.insert(questions).values([
    { _id: site, position: 1, question: 'Your website?', kind: 'link', required: 'yes' },
    {
      _id: loans,
      position: 2,
      question: 'Which loans?',
      kind: 'text',
      required: 'yes',
      packages: 'Premium,Basic',
    },
    {
      _id: built,
      position: 3,
      question: 'Built with?',
      kind: 'choice',
      choices: 'Wix\n\nWordPress\nWix',
      required: 'no',
    },
    {
      _id: offices,
      position: 4,
      question: 'Offices?',
      kind: 'text',
      required: 'yes',
      packages: 'Premium, Standard',
    },
  ]);
});
beforeEach(async () => {
  await shop.db.delete(mails);
  shop.sent.length = 0;
});
afterAll(() => shop.close());

const as = (account: Account) => ({ db: openDatabase(shop.env), env: shop.env, account });
const write = (order: OrderRecord, change: Parameters<typeof changeBrief>[2], account = customer) =>
  changeBrief(as(account), order._id, change);
const answersOf = ({ questions: asked }: Awaited<ReturnType<typeof readBrief>>) =>
  Object.fromEntries(asked.map(({ _id, answer }) => [_id, answer]));
const pay = (order: OrderRecord) =>
  setPaymentByHand(shop.openPaymentContext(), order._id, 'Paid', administrator);
const send = () => deliverMail(shop.env, () => undefined, openDatabase(shop.env));
const complete = { [site]: 'lopezlending.com', [loans]: 'FHA purchase loans' };
const kindsOf = async ({ _id }: OrderRecord) =>
  (await shop.db.select().from(orderEvents).where(eq(orderEvents.orderId, _id))).map(({ kind }) => kind);

test('An order asks the questions of its package and those of all packages, in their order', async () => {
  const brief = await readBrief(shop.db, (await shop.newOrder())._id, customer);
  expect(brief).toMatchObject({ status: 'open', sentAt: null, isEditable: true });
  expect(brief.questions.map(({ _id }) => _id)).toEqual([site, loans, built]);
  expect(brief.questions[2]).toMatchObject({
    kind: 'choice',
    choices: ['Wix', 'WordPress'],
    isRequired: false,
  });
});

test('Two windows of one customer lose none of each other’s answers', async () => {
  const order = await shop.newOrder();
  await Promise.all([
    write(order, { answers: { [site]: 'lopez' } }),
    write(order, { answers: { [loans]: ' half a sent' } }),
    write(order, { answers: { [built]: 'none of these' } }),
  ]);
  expect(answersOf(await readBrief(shop.db, order._id, customer))).toEqual({
    [site]: 'lopez',
    [loans]: ' half a sent',
    [built]: 'none of these',
  });
  await write(order, { answers: { [loans]: '' } });
  expect(answersOf(await readBrief(shop.db, order._id, customer))).toMatchObject({
    [site]: 'lopez',
    [loans]: '',
  });
});

test('An answer that is too long, or to a question that was removed, keeps no other from being saved', async () => {
  const order = await shop.newOrder();
  const gone = newId();
  for (const status of [undefined, 'sent'] as const)
    await expect(
      write(order, {
        answers: { [site]: 'lopez.example', [loans]: 'x'.repeat(5_001), [gone]: 'Red' },
        status,
      }),
    ).rejects.toMatchObject({
      status: 422,
      extensions: {
        errors: {
          [loans]: expect.stringContaining('it has 5,001 characters') as string,
          [gone]: expect.stringContaining('not asked any more') as string,
        },
      },
    });
  expect(await readBrief(shop.db, order._id, customer)).toMatchObject({ status: 'open' });
  expect(answersOf(await readBrief(shop.db, order._id, customer))).toMatchObject({
    [site]: 'lopez.example',
    [loans]: '',
  });
  const body = { answers: { [site]: 'x'.repeat(5_001) } };
  expect(check(workCalls['PUT /order/:id/brief'].body, body)).toEqual(body);
});

test('An answer that another window keeps while a brief is sent is in it, or the window is told', async () => {
  const order = await shop.newOrder();
  await write(order, { answers: complete });
  const sender = as(customer);
  const { $client } = sender.db;
  const batch = $client.batch.bind($client);
  let meanwhile: readonly Record<string, string>[] = [{ [built]: 'Wix' }, { [built]: 'Drupal' }];
  $client.batch = async (statements, mode) => {
    const [next, ...rest] = meanwhile;
    if (mode === 'write' && next) {
      meanwhile = rest;
      await write(order, { answers: next });
    }
    return batch(statements, mode);
  };
  // The second of them does not hold, so that what is sent is looked at again.
  await expect(changeBrief(sender, order._id, { status: 'sent' })).rejects.toMatchObject({ status: 422 });
  await write(order, { answers: { [built]: 'Wix' } });
  meanwhile = [{ [built]: 'WordPress' }];
  expect(
    await changeBrief(sender, order._id, { answers: { [loans]: 'VA loans' }, status: 'sent' }),
  ).toMatchObject({
    status: 'sent',
  });
  expect(answersOf(await readBrief(shop.db, order._id, customer))).toEqual({
    [site]: 'lopezlending.com',
    [loans]: 'VA loans',
    [built]: 'WordPress',
  });
  expect((await kindsOf(order)).filter((kind) => kind === 'briefSent')).toHaveLength(1);
});

test('A brief is sent once all is answered that must be, and says where it is not', async () => {
  const order = await shop.newOrder();
  await expect(
    write(order, { answers: { [site]: 'my site', [built]: 'Drupal' }, status: 'sent' }),
  ).rejects.toMatchObject({
    status: 422,
    extensions: {
      errors: {
        [site]: 'Please type a web address, such as lopezlending.com.',
        [loans]: 'Please answer this question.',
        [built]: 'Please choose one of the answers.',
      },
    },
  });
  await write(order, { answers: { ...complete, [built]: '' } });
  expect(await write(order, { status: 'sent' })).toMatchObject({ status: 'sent', isEditable: false });
  await expect(write(order, { answers: { [site]: 'other.example' } })).rejects.toMatchObject({ status: 409 });
  // Sent twice is sent once.
  await write(order, { status: 'sent' });
  expect((await kindsOf(order)).filter((kind) => kind === 'briefSent')).toHaveLength(1);
  await send();
  expect(shop.sent.filter(({ to }) => to === shop.env.NOTIFY_EMAIL)).toHaveLength(1);
  expect(shop.sent.map(({ text }) => text).join()).not.toContain('lopezlending');
});

test('A sent brief keeps its questions when they change, until an administrator opens it again', async () => {
  const order = await shop.newOrder();
  await write(order, { answers: complete, status: 'sent' });
  await shop.db.update(questions).set({ question: 'Your new website?' }).where(eq(questions._id, site));
  expect((await readBrief(shop.db, order._id, owner)).questions[0]?.question).toBe('Your website?');
  await expect(write(order, { status: 'open' })).rejects.toMatchObject({ status: 403 });
  await write(order, { status: 'open' }, owner);
  const opened = await readBrief(shop.db, order._id, customer);
  expect(opened).toMatchObject({ status: 'open', isEditable: true });
  expect(opened.questions[0]).toMatchObject({ question: 'Your new website?', answer: 'lopezlending.com' });
  await send();
  expect(shop.sent.some(({ to, subject }) => to === customer.email && subject.includes('again'))).toBe(true);
  await shop.db.update(questions).set({ question: 'Your website?' }).where(eq(questions._id, site));
});

test('What was sent stays in a brief that is opened again, also of questions that were removed since', async () => {
  const order = await shop.newOrder();
  await write(order, { answers: complete, status: 'sent' });
  await pay(order);
  const all = await shop.db.select().from(questions);
  const ids = async (account: Account) =>
    (await readBrief(shop.db, order._id, account)).questions.map(({ _id }) => _id);
  await shop.db.delete(questions).where(eq(questions._id, site));
  await write(order, { status: 'open' }, owner);
  expect(await ids(customer)).toEqual([loans, built, site]);
  await shop.db.delete(questions);
  for (const account of [customer, owner]) {
    const opened = await readBrief(shop.db, order._id, account);
    expect([opened.status, answersOf(opened)]).toEqual(['open', { ...complete, [built]: '' }]);
  }
  expect(await readOrderWork(shop.db, shop.env, order._id, customer)).toMatchObject({
    brief: 'open',
    isBriefReopened: true,
  });
  await write(order, { answers: { [site]: 'new.example' }, status: 'sent' });
  const sent = await readBrief(shop.db, order._id, owner);
  expect([sent.status, answersOf(sent)]).toEqual([
    'sent',
    { ...complete, [site]: 'new.example', [built]: '' },
  ]);
  await shop.db.insert(questions).values(all);
});

test('Nobody but its customer writes a brief, and nobody else but an administrator reads it', async () => {
  const order = await shop.newOrder();
  const stranger: Account = { ...customer, id: newId(), email: 'eve@customers.example' };
  await shop.db.insert(accounts).values({ id: stranger.id, email: stranger.email, createdAt: 1 });
  await expect(readBrief(shop.db, order._id, stranger)).rejects.toMatchObject({ status: 404 });
  await expect(write(order, { answers: complete }, stranger)).rejects.toMatchObject({ status: 404 });
  await expect(write(order, { answers: complete }, owner)).rejects.toMatchObject({ status: 403 });
  await expect(write(order, { answers: { [offices]: 'x' } })).rejects.toMatchObject({ status: 422 });
  await cancelOrder(shop.openPaymentContext(), order._id, administrator);
  await expect(write(order, { answers: complete })).rejects.toMatchObject({ status: 409 });
});

test('A customer is reminded once, two days after paying, and after four the business is told', async () => {
  const [late, sent, delivered] = [await shop.newOrder(), await shop.newOrder(), await shop.newOrder()];
  for (const order of [late, sent, delivered]) await pay(order);
  await write(sent, { answers: complete, status: 'sent' });
  await deliverOrder(as(owner), await findOrder(shop.db, delivered._id), administrator);
  const unpaid = await shop.newOrder();
  await write(unpaid, { answers: { [site]: 'x' } });
  await shop.db.delete(mails);
  const remindedAt = async (days: number) => {
    shop.sent.length = 0;
    await remindOfBriefs(shop.env, shop.db, Date.now() + days * dayMs);
    await send();
    return shop.sent.map(({ text }) => text.split('/order-brief/')[1]?.split('\n')[0]);
  };
  expect(await remindedAt(1.9)).toEqual([]);
  expect(await remindedAt(2.1)).toEqual([late._id]);
  expect(await remindedAt(3)).toEqual([]);
  const told = async (days: number) =>
    (await readAttention(shop.db, shop.env, Date.now() + days * dayMs)).rows
      .filter(({ kind }) => kind === 'missingBrief')
      .map(({ orderId }) => orderId);
  expect(await told(3.9)).toEqual([]);
  expect(await told(4.1)).toEqual([late._id]);
  await write(late, { answers: complete, status: 'sent' });
  expect(await told(9)).toEqual([]);
});

test('The mail about a payment asks for the brief where it is open, says what is true, and comes once', async () => {
  const mailOf = async (order: OrderRecord) => {
    await pay(order);
    await send();
    const sent = shop.sent.splice(0).filter(({ to }) => to === customer.email);
    return sent.filter(({ subject }) => subject.startsWith('We have your payment'));
  };
  const asked = await shop.newOrder();
  const [mail, ...others] = await mailOf(asked);
  expect(others).toEqual([]);
  expect(mail?.text).toContain('one thing to do next');
  expect(mail?.text).toContain(`/order-brief/${asked._id}`);
  expect(mail?.text).not.toContain('We are starting work');
  await setPaymentByHand(shop.openPaymentContext(), asked._id, 'UnPaid', administrator);
  expect(await mailOf(asked)).toEqual([]);

  const answered = await shop.newOrder();
  await write(answered, { answers: complete, status: 'sent' });
  expect((await mailOf(answered)).map(({ text }) => text.includes('We are starting work'))).toEqual([true]);

  const delivered = await shop.newOrder();
  await deliverOrder(as(owner), delivered, administrator);
  await shop.db.delete(mails);
  const [last] = await mailOf(delivered);
  expect(last?.text).toContain('delivered already');
  expect(last?.text).not.toMatch(/starting work|to do next/);
});

test('Questions that come after the payment are not asked of an order, in no place', async () => {
  const asked = await shop.db.select().from(questions);
  await shop.db.delete(questions);
  const order = await shop.newOrder();
  await pay(order);
  await shop.db.insert(questions).values(asked);
  expect((await readOrderWork(shop.db, shop.env, order._id, customer)).brief).toBe('none');
  const waits = await shop.newOrder();
  await pay(waits);
  expect((await readOrderWork(shop.db, shop.env, waits._id, customer)).brief).toBe('open');
});

test('A brief that is opened again is spoken of as that, on the page and in its reminder', async () => {
  const order = await shop.newOrder();
  await write(order, { answers: complete, status: 'sent' });
  await pay(order);
  const read = () => readOrderWork(shop.db, shop.env, order._id, customer);
  expect(await read()).toMatchObject({ brief: 'sent', isBriefReopened: false });
  await write(order, { status: 'open' }, owner);
  expect(await read()).toMatchObject({ brief: 'open', isBriefReopened: true });
  await shop.db.delete(mails);
  await remindOfBriefs(shop.env, shop.db, Date.now() + 2.1 * dayMs);
  await send();
  const [mail] = shop.sent.filter(({ text }) => text.includes(`/order-brief/${order._id}`));
  expect(mail?.subject).toBe('Your answers are still open: Basic package');
});

test('A brief that is opened again after the delivery waits for its customer, and one that the delivery has ended does not', async () => {
  const order = await shop.newOrder();
  await pay(order);
  await write(order, { answers: complete, status: 'sent' });
  const deliver = async () => {
    await deliverOrder(as(owner), await findOrder(shop.db, order._id), administrator);
    await markRead(shop.db, customer, order._id, 1);
  };
  const seen = async () => {
    const { brief, isBriefReopened } = await readOrderWork(shop.db, shop.env, order._id, customer);
    return [brief, isBriefReopened];
  };
  // So many newer orders that it is told of only where it waits for its customer.
  for (let count = 0; count < 6; count += 1) {
    const { _id } = await shop.newOrder();
    await cancelOrder(shop.openPaymentContext(), _id, administrator);
  }
  const isListed = async () =>
    (await readOwnWork(shop.db, shop.env, customer.id)).some(({ work }) => work.orderId === order._id);
  await write(order, { status: 'open' }, owner);
  expect([await seen(), await isListed()]).toEqual([['open', true], true]);
  await deliver();
  expect([await seen(), await isListed()]).toEqual([['open', false], false]);
  await write(order, { answers: {}, status: 'sent' });
  await write(order, { status: 'open' }, owner);
  expect([await seen(), await isListed()]).toEqual([['open', true], true]);
  expect((await readBrief(shop.db, order._id, customer)).isEditable).toBe(true);
  await write(order, { answers: complete, status: 'sent' });
  expect([await seen(), await isListed()]).toEqual([['sent', false], false]);
});

test('Who was reminded is not reminded again when a payment is taken back and set anew', async () => {
  const order = await shop.newOrder();
  await pay(order);
  await remindOfBriefs(shop.env, shop.db, Date.now() + 2.1 * dayMs);
  await setPaymentByHand(shop.openPaymentContext(), order._id, 'UnPaid', administrator);
  await pay(order);
  await remindOfBriefs(shop.env, shop.db, Date.now() + 5 * dayMs);
  expect((await kindsOf(order)).filter((kind) => kind === 'reminded')).toHaveLength(1);
});

test('Work that is taken up again waits for its brief from then on', async () => {
  const months = Date.now() - 90 * dayMs;
  const runs = { orderStatus: 'Pending', paymentStatus: 'Paid' } as const;
  const late = async () => {
    await remindOfBriefs(shop.env, shop.db, Date.now() + 1.9 * dayMs);
    const { rows: items } = await readAttention(shop.db, shop.env, Date.now() + 3.9 * dayMs);
    return items.map(({ orderId }) => orderId);
  };
  for (const over of [{ orderStatus: 'Delivered' }, { paymentStatus: 'Refunded' }] as const) {
    const order = await shop.newOrder();
    await pay(order);
    await shop.db
      .update(orderBriefs)
      .set({ awaitedSince: months, remindedAt: months })
      .where(eq(orderBriefs.orderId, order._id));
    for (const set of [over, runs]) {
      const now = await findOrder(shop.db, order._id);
      await changeOrder(shop.db, now, { kind: 'reopened', by: administrator, set });
    }
    expect(await late()).not.toContain(order._id);
    expect(await kindsOf(order)).not.toContain('reminded');
    await remindOfBriefs(shop.env, shop.db, Date.now() + 2.1 * dayMs);
    expect(await kindsOf(order)).toContain('reminded');
  }
});

test('Nobody is reminded of a brief that nothing asks for', async () => {
  const order = await shop.newOrder();
  const all = await shop.db.select().from(questions);
  await shop.db.delete(questions);
  await pay(order);
  await shop.db.insert(questions).values(all);
  await remindOfBriefs(shop.env, shop.db, Date.now() + 3 * dayMs);
  expect(await kindsOf(order)).not.toContain('reminded');
});

test('A person’s answers are in their export, and gone with their account', async () => {
  const leaving: Account = { ...customer, id: newId(), email: 'leaving@customers.example' };
  await shop.db
    .insert(accounts)
    .values({ id: leaving.id, email: leaving.email, emailVerifiedAt: 1, createdAt: 1 });
  const order = await placeOrder(as(leaving), { ...input, customerEmail: leaving.email }, undefined);
  await write(order, { answers: complete, status: 'sent' }, leaving);
  expect(await workOfPerson.export(shop.db, leaving, shop.env)).toMatchObject({
    briefs: [
      {
        orderId: order._id,
        answers: [
          { question: 'Your website?', answer: 'lopezlending.com' },
          { question: 'Which loans?', answer: 'FHA purchase loans' },
        ],
      },
    ],
  });
  await writeBatch(shop.db, [...workOfPerson.forget(shop.db, leaving)]);
  expect(await shop.db.select().from(orderBriefs).where(eq(orderBriefs.orderId, order._id))).toEqual([]);
  // A save that was under way when the account was deleted leaves nothing behind.
  await shop.db.delete(accounts).where(eq(accounts.id, leaving.id));
  await expect(write(order, { answers: complete }, leaving)).rejects.toThrow();
  expect(await shop.db.select().from(orderBriefs).where(eq(orderBriefs.orderId, order._id))).toEqual([]);
});
