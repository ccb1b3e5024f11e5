/** The brief of an order: what it asks, stores and sends, who may write it, and who gets which reminder when. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { briefProblems } from '#contract/plans.ts';
import { planCalls } from '#contract/plans.calls.ts';
import { newId } from '#contract/ids.ts';
import { pageSizes } from '#contract/paging.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { check } from '#worker/http/body.ts';
import { markRead } from '#worker/fulfillment/messages.ts';
import { changeOrder, stripeActor } from '#worker/orders/changes.ts';
import { orderEvents, type OrderRecord } from '#worker/orders/schema.ts';
import { findOrder } from '#worker/orders/read.ts';
import { readAttention } from '#worker/attention/attention.ts';
import { cancelOrder } from '#worker/payments/cancel.ts';
import { remindOfBriefs } from '#worker/fulfillment/awaited-briefs.ts';
import { changeBrief, readBrief } from '#worker/fulfillment/brief.ts';
import { readOrderWork, readOwnWork } from '#worker/fulfillment/progress.ts';
import { orderBriefs } from '#worker/fulfillment/plan-schema.ts';
import { administrator, customer } from './orders-shop.ts';
import { openWorkShop, refusal, support } from './work-shop.ts';

const dayMs = 24 * 3_600_000;
const questions = contentTables.briefQuestion;
const [site, loans, built, offices] = [newId(), newId(), newId(), newId()] as const;
const asked = [
  { _id: site, question: 'Your website?', kind: 'link', required: 'yes' },
  { _id: loans, question: 'Which loans?', kind: 'text', required: 'yes', packages: 'Premium,Basic' },
  { _id: built, question: 'Built with?', kind: 'choice', choices: 'Wix\n\nWordPress\nWix', required: 'no' },
  { _id: offices, question: 'Offices?', kind: 'text', required: 'yes', packages: 'Premium, Standard' },
].map((question, index) => ({ ...question, position: index + 1 }));

const shop = await openWorkShop();
beforeEach(async () => {
  await shop.db.delete(questions);
  await shop.db.insert(questions).values(asked);
  await shop.clearMails();
});
afterAll(() => shop.close());

const write = (order: OrderRecord, change: Parameters<typeof changeBrief>[2], account = customer) =>
  changeBrief(shop.as(account), order._id, change);
const read = ({ _id }: OrderRecord, account = customer) => readBrief(shop.db, _id, account);
const answersOf = ({ questions: all }: Awaited<ReturnType<typeof readBrief>>) =>
  Object.fromEntries(all.map(({ _id, answer }) => [_id, answer]));
const workOf = async ({ _id }: OrderRecord) => {
  const { brief, isBriefReopened } = await readOrderWork(shop.db, shop.env, _id, customer);
  return [brief, isBriefReopened];
};
const complete = { [site]: 'lopezlending.com', [loans]: 'FHA purchase loans' };
const sendComplete = (order: OrderRecord) => write(order, { answers: complete, status: 'sent' });
const openAgain = (order: OrderRecord) => write(order, { status: 'open' }, support);
const countEvents = async ({ _id }: OrderRecord, wanted: string) =>
  (await shop.db.select().from(orderEvents).where(eq(orderEvents.orderId, _id))).filter(
    ({ kind }) => kind === wanted,
  ).length;
/**
 * Sends the reminders that the cron trigger would send some days later.
 * @returns how often the customer of an order has been reminded
 */
async function remindAfter(days: number, order: OrderRecord): Promise<number> {
  await remindOfBriefs(shop.env, shop.db, Date.now() + days * dayMs);
  return countEvents(order, 'reminded');
}
/** Whether the attention list shows the missing brief of an order some days later. */
const isMissingAfter = async (days: number, order: OrderRecord) =>
  (await readAttention(shop.db, shop.env, Date.now() + days * dayMs)).rows.some(
    ({ kind, orderId }) => kind === 'missingBrief' && orderId === order._id,
  );

test("The brief of a second order offers what the customer answered for the first, and nobody else's answers", async () => {
  const [first, second] = [await shop.newOrder(), await shop.newOrder()];
  expect((await read(second)).earlier).toBeNull();
  await sendComplete(first);
  expect((await read(second)).earlier).toEqual({ number: first.number, answers: complete });
  // Orders no longer ask a question that was deleted.
  await shop.db.delete(questions).where(eq(questions._id, loans));
  expect((await read(second)).earlier?.answers).toEqual({ [site]: complete[site] });
  expect((await read(second, support)).earlier).toBeNull();
  await write(second, { answers: { [site]: 'other.example' } });
  expect((await read(first)).earlier).toBeNull();
  await openAgain(first);
  expect((await read(first)).earlier).toEqual({
    number: second.number,
    answers: { [site]: 'other.example' },
  });
});

test('An order asks the questions of its package and those of all packages, in their order', async () => {
  const brief = await read(await shop.newOrder());
  expect(brief).toMatchObject({ status: 'open', sentAt: null, isEditable: true });
  expect(brief.questions.map(({ _id }) => _id)).toEqual([site, loans, built]);
  expect(brief.questions[2]).toMatchObject({ choices: ['Wix', 'WordPress'], isRequired: false });
});

test('Two windows of one customer lose none of each other’s answers', async () => {
  const order = await shop.newOrder();
  const answers = { [site]: 'lopez', [loans]: ' half a sent', [built]: 'none of these' };
  await Promise.all(Object.entries(answers).map(([id, text]) => write(order, { answers: { [id]: text } })));
  expect(answersOf(await read(order))).toEqual(answers);
  await write(order, { answers: { [loans]: '' } });
  expect(answersOf(await read(order))).toEqual({ ...answers, [loans]: '' });
});

test('An answer that is too long, or to a removed question, does not stop the others from being saved', async () => {
  const order = await shop.newOrder();
  const gone = newId();
  const answers = { [site]: 'lopez.example', [loans]: 'x'.repeat(5_001), [gone]: 'Red' };
  const errors = {
    [loans]: expect.stringContaining('it has 5,001 characters') as string,
    [gone]: expect.stringContaining('no longer ask this question') as string,
  };
  for (const status of [undefined, 'sent'] as const)
    await expect(write(order, { answers, status })).rejects.toMatchObject({
      status: 422,
      extensions: { errors },
    });
  const kept = await read(order);
  expect([kept.status, answersOf(kept)]).toMatchObject(['open', { [site]: 'lopez.example', [loans]: '' }]);
  // The call accepts it, so that the others are saved.
  const body = { answers: { [site]: 'x'.repeat(5_001) } };
  expect(check(planCalls['PUT /order/:id/brief'].body, body)).toEqual(body);
});

test('A brief is not sent without an answer that is too long to be saved', () => {
  const question = { _id: site, kind: 'line', choices: [], isRequired: false } as const;
  expect(briefProblems([{ ...question, answer: 'x'.repeat(5_000) }])).toEqual({});
  expect(briefProblems([{ ...question, answer: 'x'.repeat(5_001) }])[site]).toContain('5,001 characters');
});

test('An answer that another window saves while a brief is being sent becomes part of it, or the brief is not sent', async () => {
  const order = await shop.newOrder();
  await write(order, { answers: complete });
  const sender = shop.as(customer);
  const { $client } = sender.db;
  const batch = $client.batch.bind($client);
  let meanwhile: readonly string[] = ['Wix', 'Drupal'];
  $client.batch = async (statements, mode) => {
    const [next, ...rest] = meanwhile;
    if (mode === 'write' && next !== undefined) {
      meanwhile = rest;
      await write(order, { answers: { [built]: next } });
    }
    return batch(statements, mode);
  };
  // The second answer is not a valid choice, so the brief cannot be sent with it.
  await expect(changeBrief(sender, order._id, { status: 'sent' })).rejects.toMatchObject(refusal(422));
  await write(order, { answers: { [built]: 'Wix' } });
  meanwhile = ['WordPress'];
  const answers = { [loans]: 'VA loans' };
  expect(await changeBrief(sender, order._id, { answers, status: 'sent' })).toMatchObject({ status: 'sent' });
  expect(answersOf(await read(order))).toEqual({ ...complete, ...answers, [built]: 'WordPress' });
  expect(await countEvents(order, 'briefSent')).toBe(1);
});

test('A brief is sent only once all required questions are answered, and says which are not', async () => {
  const order = await shop.newOrder();
  await expect(
    write(order, { answers: { [site]: 'my site', [built]: 'Drupal' }, status: 'sent' }),
  ).rejects.toMatchObject({
    status: 422,
    extensions: {
      errors: {
        [site]: 'Please enter a web address, such as lopezlending.com.',
        [loans]: 'Please answer this question.',
        [built]: 'Please choose one of the answers.',
      },
    },
  });
  await write(order, { answers: { ...complete, [built]: '' } });
  for (let times = 0; times < 2; times += 1)
    expect(await write(order, { status: 'sent' })).toMatchObject({ status: 'sent', isEditable: false });
  await expect(write(order, { answers: { [site]: 'other.example' } })).rejects.toMatchObject(refusal(409));
  expect(await countEvents(order, 'briefSent')).toBe(1);
  const sent = await shop.sendMails();
  expect(sent.filter(({ to }) => to === shop.env.NOTIFY_EMAIL)).toHaveLength(1);
  expect(JSON.stringify(sent)).not.toContain('lopezlending');
});

test('A sent brief keeps its questions, even removed ones, until an administrator reopens it', async () => {
  const order = await shop.newOrder();
  await sendComplete(order);
  await shop.setPayment(order, 'Paid');
  expect(await workOf(order)).toEqual(['sent', false]);
  await shop.db.update(questions).set({ question: 'Which mortgages?' }).where(eq(questions._id, loans));
  await shop.db.delete(questions).where(eq(questions._id, site));
  expect((await read(order, support)).questions).toMatchObject([
    { question: 'Your website?', answer: 'lopezlending.com' },
    { question: 'Which loans?' },
    {},
  ]);
  await expect(write(order, { status: 'open' })).rejects.toMatchObject(refusal(403));
  await shop.clearMails();
  await openAgain(order);
  expect(await shop.sendMails()).toMatchObject([
    { to: customer.email, subject: 'Please look at your answers again: Basic package' },
  ]);
  expect(await workOf(order)).toEqual(['open', true]);
  const opened = await read(order);
  expect(opened).toMatchObject({ status: 'open', isEditable: true });
  expect(opened.questions.map(({ question }) => question)).toEqual([
    'Which mortgages?',
    'Built with?',
    'Your website?',
  ]);
  await shop.db.delete(questions);
  expect(answersOf(await read(order))).toEqual({ ...complete, [built]: '' });
  await remindAfter(2.1, order);
  expect(await shop.sendMails()).toMatchObject([
    { subject: 'We are still waiting for your answers: Basic package' },
  ]);
  await write(order, { answers: { [site]: 'new.example' }, status: 'sent' });
  expect(answersOf(await read(order, support))).toEqual({ ...complete, [site]: 'new.example', [built]: '' });
});

test('Staff cannot write a customer’s answers, and nobody answers the questions of a cancelled order', async () => {
  const order = await shop.newOrder();
  await expect(write(order, { answers: complete }, support)).rejects.toMatchObject(refusal(403));
  await expect(write(order, { answers: { [offices]: 'x' } })).rejects.toMatchObject(refusal(422));
  await cancelOrder(shop.openPaymentContext(), order._id, administrator);
  await expect(write(order, { answers: complete })).rejects.toMatchObject(refusal(409));
});

test('A customer is reminded once, two days after paying, and the business gets an email after four', async () => {
  const [late, sent, delivered] = [await shop.newOrder(), await shop.newOrder(), await shop.newOrder()];
  for (const order of [late, sent, delivered]) await shop.setPayment(order, 'Paid');
  await sendComplete(sent);
  await shop.deliverWork(delivered);
  const unpaid = await shop.newOrder();
  await write(unpaid, { answers: { [site]: 'x' } });
  await shop.clearMails();
  expect([await remindAfter(1.9, late), await remindAfter(2.1, late), await remindAfter(3, late)]).toEqual([
    0, 1, 1,
  ]);
  const reminders = await shop.sendMails();
  expect(reminders.map(({ text }) => text.includes(`/order-brief/${late._id}`))).toEqual([true]);
  expect([await isMissingAfter(3.9, late), await isMissingAfter(4.1, late)]).toEqual([false, true]);
  for (const order of [sent, delivered, unpaid]) expect(await isMissingAfter(4.1, order)).toBe(false);
  for (const status of ['UnPaid', 'Paid'] as const) await shop.setPayment(late, status);
  expect(await remindAfter(5, late)).toBe(1);
  await sendComplete(late);
  expect(await isMissingAfter(9, late)).toBe(false);
});

test('A customer whose whole payment is being refunded is not asked for their brief, even if the refund fails', async () => {
  const account = await shop.addCustomer(`${newId()}@agency.example`);
  const order = await shop.orderOf(account);
  await shop.setPayment(order, 'Paid');
  const paid = await findOrder(shop.db, order._id);
  const details = { amount: '499', isWhole: 'yes' };
  await changeOrder(shop.db, paid, { kind: 'refundFailed', by: stripeActor, set: {}, details });
  expect(await remindAfter(3, order)).toBe(0);
  expect(await isMissingAfter(5, order)).toBe(false);
  for (let newer = 0; newer < pageSizes.customerOrders; newer++) await shop.orderOf(account);
  const listed = await readOwnWork(shop.db, shop.env, account.id);
  expect(listed.map(({ order: { _id } }) => _id)).not.toContain(order._id);
});

test('The emails about a payment say what comes next: the brief, our work, or nothing after a delivery', async () => {
  const pay = async (order: OrderRecord) => {
    await shop.clearMails();
    await shop.setPayment(order, 'Paid');
    const sent = await shop.sendMails();
    const toCustomer = sent.filter(({ to }) => to === customer.email).map(({ text }) => text);
    return [
      toCustomer,
      sent.flatMap(({ to, text }) => (to === shop.env.NOTIFY_EMAIL ? [text] : [])),
    ] as const;
  };
  const [open, answered, delivered] = [await shop.newOrder(), await shop.newOrder(), await shop.newOrder()];
  await sendComplete(answered);
  await shop.deliverWork(delivered);
  const told = (words: RegExp) => [expect.stringMatching(words) as string];
  const next = new RegExp(`one thing to do next[^]*/order-brief/${open._id}`);
  expect(await pay(open)).toEqual([told(next), told(/The work can begin\./)]);
  expect(await pay(answered)).toEqual([told(/We are starting work/), told(/The work can begin\./)]);
  const [last, notice] = await pay(delivered);
  expect([last, notice]).toEqual([
    told(/already been delivered/),
    told(/The work has already been delivered\./),
  ]);
  expect(last.join()).not.toMatch(/starting work|to do next/);
  await shop.setPayment(open, 'UnPaid');
  expect(await pay(open)).toEqual([[], []]);
});

test('An order does not ask questions that were added after its payment', async () => {
  await shop.db.delete(questions);
  const order = await shop.newOrder();
  await shop.setPayment(order, 'Paid');
  await shop.db.insert(questions).values(asked);
  const later = await shop.newOrder();
  await shop.setPayment(later, 'Paid');
  expect([await workOf(order), await workOf(later)]).toEqual([
    ['none', false],
    ['open', false],
  ]);
  expect([await remindAfter(3, order), await isMissingAfter(5, order)]).toEqual([0, false]);
});

test('A delivery ends the questions of a brief, until the brief is reopened', async () => {
  const order = await shop.newOrder();
  await shop.setPayment(order, 'Paid');
  await sendComplete(order);
  // With six newer orders, it is listed only while it waits for its customer.
  for (let count = 0; count < 6; count += 1) {
    const { _id } = await shop.newOrder();
    await cancelOrder(shop.openPaymentContext(), _id, administrator);
  }
  const isListed = async () =>
    (await readOwnWork(shop.db, shop.env, customer.id)).some(({ work }) => work.orderId === order._id);
  await openAgain(order);
  expect([await workOf(order), await isListed()]).toEqual([['open', true], true]);
  await shop.deliverWork(order);
  await markRead(shop.db, customer, order._id, 1);
  expect([await workOf(order), await isListed()]).toEqual([['open', false], false]);
  await write(order, { status: 'sent' });
  await openAgain(order);
  expect([await workOf(order), await isListed()]).toEqual([['open', true], true]);
  expect(await read(order)).toMatchObject({ isEditable: true });
  await sendComplete(order);
  expect([await workOf(order), await isListed()]).toEqual([['sent', false], false]);
});

test('A reopened order waits for its brief from the time of reopening', async () => {
  const months = Date.now() - 90 * dayMs;
  const running = { orderStatus: 'Pending', paymentStatus: 'Paid' } as const;
  for (const over of [{ orderStatus: 'Delivered' }, { paymentStatus: 'Refunded' }] as const) {
    const order = await shop.newOrder();
    await shop.setPayment(order, 'Paid');
    const isIts = eq(orderBriefs.orderId, order._id);
    await shop.db.update(orderBriefs).set({ awaitedSince: months, remindedAt: months }).where(isIts);
    for (const set of [over, running]) {
      const change = { kind: 'reopened', by: administrator, set } as const;
      await changeOrder(shop.db, await findOrder(shop.db, order._id), change);
    }
    expect([await remindAfter(1.9, order), await isMissingAfter(3.9, order)]).toEqual([0, false]);
    expect(await remindAfter(2.1, order)).toBe(1);
  }
});

test('A save that is in progress while its account is deleted leaves nothing behind', async () => {
  const leaving = await shop.addCustomer('leaving@customers.example');
  const order = await shop.orderOf(leaving);
  await shop.db.delete(accounts).where(eq(accounts.id, leaving.id));
  await expect(write(order, { answers: complete }, leaving)).rejects.toThrow();
  expect(await shop.db.$count(orderBriefs, eq(orderBriefs.orderId, order._id))).toBe(0);
});
