/** The plan of an order: copied once when it is paid, done and approved step by step, and reported when it is late. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { addDays, displayDate } from '#contract/days.ts';
import { newId } from '#contract/ids.ts';
import type { PlanStep, StepChange } from '#contract/plans.calls.ts';
import { writeBatch } from '#worker/db/client.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { mails } from '#worker/mail/schema.ts';
import { changeOrder } from '#worker/orders/changes.ts';
import { ordersOfPerson } from '#worker/orders/personal-data.ts';
import { findOrder } from '#worker/orders/read.ts';
import { orderEvents, type OrderRecord } from '#worker/orders/schema.ts';
import { conversationMessages, conversations, orderFiles } from '#worker/fulfillment/conversation-schema.ts';
import { queueAlerts } from '#worker/attention/alerts.ts';
import { readAttention } from '#worker/attention/attention.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { settleReported } from '#worker/payments/reported-payment.ts';
import { setPaymentByHand } from '#worker/payments/cancel.ts';
import { workOfPerson } from '#worker/fulfillment/plan-personal-data.ts';
import { answerStep } from '#worker/fulfillment/answer-step.ts';
import { changeStep } from '#worker/fulfillment/change-step.ts';
import { moveStep } from '#worker/fulfillment/move-step.ts';
import { readOrderWork, readOwnWork } from '#worker/fulfillment/progress.ts';
import { orderBriefs, orderSteps } from '#worker/fulfillment/plan-schema.ts';
import { administrator, customer, stranger } from './orders-shop.ts';
import { openWorkShop, refusal, support } from './work-shop.ts';

const dayMs = 24 * 3_600_000;
const template = contentTables.planStep;
const templateStep = (position: number, title: string, dueDays: string, packages: string) => ({
  _id: newId(),
  position,
  title,
  dueDays,
  packages,
  approval: 'no',
});
const steps = [
  { ...templateStep(2, 'Drafts', '14', ''), approval: 'yes' },
  { ...templateStep(1, 'Review', '5', 'Basic'), details: 'We read.' },
  templateStep(3, 'Offices', '20', 'Premium, Standard'),
];

const shop = await openWorkShop();
beforeEach(async () => {
  // Noon, so that no day ends during a test.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 2, 10, 12) });
  await shop.db.delete(template);
  await shop.db.insert(template).values(steps);
  await shop.clearMails();
});
afterAll(() => shop.close());

const paidOn = '2027-03-10';
/** Ids and emails sort by time, so the clock must move between them. */
const wait = (ms = 1_000): void => void vi.setSystemTime(Date.now() + ms);
const planOf = async ({ _id }: Pick<OrderRecord, '_id'>, account = customer) =>
  (await readOrderWork(shop.db, shop.env, _id, account)).steps;
const titles = (plan: readonly PlanStep[]) => plan.map(({ title }) => title);
const eventsOf = ({ _id }: OrderRecord) =>
  shop.db.select().from(orderEvents).where(eq(orderEvents.orderId, _id));
const messagesOn = ({ _id }: OrderRecord) =>
  shop.db.select().from(conversationMessages).where(eq(conversationMessages.orderId, _id));
const change = (id: string, set: Partial<typeof orderSteps.$inferInsert>) =>
  shop.db.update(orderSteps).set(set).where(eq(orderSteps._id, id));

async function paidOrder(
  account = customer,
): Promise<{ order: OrderRecord; review: string; drafts: string }> {
  wait();
  const order = await shop.orderOf(account);
  await shop.setPayment(order, 'Paid');
  const [review, drafts] = await planOf(order, account);
  await shop.clearMails();
  return { order, review: review?._id ?? '', drafts: drafts?._id ?? '' };
}

/** Completes a step. */
function tick(id: string, note = '', more: Partial<StepChange> = {}): Promise<PlanStep> {
  wait();
  return changeStep(shop.as(support), id, { state: 'done', seenRequest: '', note, files: [], ...more });
}

const reopen = (id: string, seen: StepChange['seen']) =>
  changeStep(shop.as(support), id, { state: 'open', seenRequest: '', note: '', files: [], seen });

/** A step in its current state. */
async function seenNow(id: string) {
  const [step] = await shop.db.select().from(orderSteps).where(eq(orderSteps._id, id));
  return { state: step?.state ?? 'open', doneAt: new Date(step?.doneAt ?? 0).toISOString() };
}
const reopenSeen = async (id: string) => reopen(id, await seenNow(id));

/** Asks for a change to a step in its current state, or approves it. */
async function answer(
  account: Account,
  id: string,
  request?: string,
  files: readonly string[] = [],
): Promise<PlanStep> {
  wait();
  const { doneAt } = await seenNow(id);
  return answerStep(shop.as(account), id, {
    isApproved: request === undefined,
    request: request ?? '',
    files,
    doneAt,
  });
}

/** A file that an account has uploaded to an order but not sent yet. */
const uploadOf = ({ _id: orderId }: OrderRecord, { id: accountId }: Account) => ({
  _id: newId(),
  orderId,
  accountId,
  name: 'drafts.pdf',
  type: 'application/pdf' as const,
  bytes: 5,
  at: 1,
});

/** The sent emails to the business. */
const mailsToFirm = async () => (await shop.sendMails()).filter(({ to }) => to === shop.env.NOTIFY_EMAIL);

/** The lines about these orders in the attention list some days later. */
const linesAfter = async (days: number, ...ofOrders: readonly OrderRecord[]) =>
  (await readAttention(shop.db, shop.env, Date.now() + days * dayMs)).rows.filter(({ orderId }) =>
    ofOrders.some(({ _id }) => _id === orderId),
  );
/** The lines about late steps. */
const lateAfter = async (days: number, ...ofOrders: readonly OrderRecord[]) =>
  (await linesAfter(days, ...ofOrders)).flatMap(({ kind, text }) => (kind === 'overdueStep' ? [text] : []));

test('An order that becomes Paid gets the steps of its package once, however often the payment is reported', async () => {
  const order = await shop.newOrder();
  expect(await planOf(order)).toEqual([]);
  const intent = await shop.openPage(order);
  await shop.payByCard(intent);
  await Promise.all([
    confirmPayment(shop.openPaymentContext(), order._id),
    settleReported(shop.openPaymentContext(), intent),
    settleReported(shop.openPaymentContext(), intent),
    confirmPayment(shop.openPaymentContext(), order._id),
  ]);
  expect(await planOf(order)).toMatchObject([
    { title: 'Review', details: 'We read.', state: 'open', wantsApproval: false, dueDay: '2027-03-15' },
    { title: 'Drafts', dueDay: '2027-03-24', wantsApproval: true, doneDay: null, isOverdue: false },
  ]);
});

test('A change to the template does not affect an order in progress; recording a payment again renews only a plan that was not started', async () => {
  const { order } = await paidOrder();
  const before = await planOf(order);
  await shop.db.update(template).set({ title: 'Newer' }).where(eq(template.position, 1));
  expect(await planOf(order)).toEqual(before);
  const payAgain = async () => {
    await shop.setPayment(order, 'UnPaid');
    await shop.setPayment(order, 'Paid');
    return planOf(order);
  };
  const renewed = await payAgain();
  expect(titles(renewed)).toEqual(['Newer', 'Drafts']);
  const id = renewed[0]?._id ?? '';
  await shop.db.update(template).set({ title: 'Newest' });
  const untouched = { state: 'open', request: '', plannedDay: '', note: '' } as const;
  for (const begun of [
    { state: 'done' },
    { request: 'Our rate is 6.1 %.' },
    { plannedDay: '2027-01-04' },
    { note: 'Here it is.' },
  ] as const) {
    await change(id, { ...untouched, ...begun });
    expect((await payAgain())[0]).toMatchObject({ _id: id, title: 'Newer', ...begun });
  }
});

test('Due days begin with the day in the firm’s time zone', async () => {
  vi.setSystemTime(Date.UTC(2027, 2, 10, 2));
  const env = { ...shop.env, SITE_TIMEZONE: 'America/Los_Angeles' };
  const order = await shop.newOrder();
  await setPaymentByHand({ ...shop.openPaymentContext(), env }, order._id, 'Paid', administrator);
  expect((await planOf(order)).map((step) => step.dueDay)).toEqual(['2027-03-14', '2027-03-23']);
});

test('A step that is completed twice is reported to its customer once, with a request to approve it if it needs approval', async () => {
  const { order, review, drafts } = await paidOrder();
  for (let times = 0; times < 2; times += 1) await tick(review, 'Twelve repairs.');
  await tick(drafts);
  expect(await planOf(order)).toMatchObject([
    { state: 'done', note: 'Twelve repairs.', doneDay: paidOn },
    { state: 'waiting' },
  ]);
  const sent = await shop.sendMails();
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
    [customer.email, 'Done: Review'],
    [customer.email, 'Please approve: Drafts'],
  ]);
  expect(sent[0]?.text).toMatch(/^Hello Ann,\n[^]*Twelve repairs\./);
});

test('A customer sends a step back with a comment, and approves it once it is right', async () => {
  const { order, drafts } = await paidOrder();
  await expect(answer(customer, drafts)).rejects.toMatchObject(refusal(409));
  await tick(drafts, 'Here they are.');
  await expect(answer(customer, drafts, '')).rejects.toMatchObject(refusal(422));
  await expect(answer(stranger, drafts)).rejects.toMatchObject(refusal(404));
  const request = 'Our rate is 6.1%.';
  await answer(customer, drafts, request);
  expect((await planOf(order))[1]).toMatchObject({ state: 'open', request, doneDay: null });
  await tick(drafts, 'Now with your rate.', { seenRequest: request });
  await Promise.all([1, 2, 3].map(() => answer(customer, drafts)));
  expect((await planOf(order))[1]).toMatchObject({ state: 'done', note: 'Now with your rate.', request: '' });
  const events = (await eventsOf(order)).filter(({ kind }) => kind.startsWith('step'));
  expect(events.map(({ kind, after }) => [kind, after['note']])).toEqual([
    ['stepDone', 'Here they are.'],
    ['stepSentBack', request],
    ['stepDone', 'Now with your rate.'],
    ['stepApproved', undefined],
  ]);
  const toFirm = await mailsToFirm();
  expect(toFirm.map(({ subject }) => subject.split(',')[0])).toEqual([
    'Change requested: Drafts',
    'Approved: Drafts',
  ]);
});

test('A change that a customer asks for needs attention until the step is completed, as one line', async () => {
  const { order, drafts } = await paidOrder();
  await tick(drafts);
  await answer(customer, drafts, 'Our rate is 6.1%.');
  const about = expect.stringContaining(`order #${order.number} asks for a change to “Drafts”`) as string;
  expect(await linesAfter(0, order)).toMatchObject([
    { kind: 'changeWanted', text: about, at: new Date(Date.now()).toISOString() },
  ]);
  // The line names the button of the step.
  expect((await linesAfter(0, order))[0]?.text).toContain('ask for approval again');
  const late = (await linesAfter(30, order)).filter(({ _id }) => _id === drafts);
  expect(late).toMatchObject([
    { kind: 'overdueStep', text: expect.stringContaining('The customer asked for a change.') as string },
  ]);
  // The business has a separate email about the change. A different alert address still gets an alert.
  await shop.clearMails();
  await queueAlerts(shop.env, shop.db);
  expect((await shop.sendMails()).filter(({ text }) => text.includes('asks for a change'))).toEqual([]);
  await queueAlerts({ ...shop.env, ALERT_EMAIL: 'duty@site.test' }, shop.db);
  expect(await shop.sendMails()).toMatchObject([{ to: 'duty@site.test', text: about }]);
  await tick(drafts, '', { seenRequest: 'Our rate is 6.1%.' });
  expect(await linesAfter(0, order)).toEqual([]);
});

test('An answer counts for the version of a step that its customer saw, and for no newer one', async () => {
  const { order, drafts } = await paidOrder();
  const { doneAt } = await tick(drafts, 'Our rate is 6.4%.');
  await reopenSeen(drafts);
  await tick(drafts, 'Our rate is 9.9%.');
  for (const stale of [
    { isApproved: true, request: '' },
    { isApproved: false, request: 'No' },
  ])
    await expect(
      answerStep(shop.as(customer), drafts, { ...stale, files: [], doneAt: doneAt ?? '' }),
    ).rejects.toMatchObject(refusal(409, 'newer version'));
  expect((await planOf(order))[1]).toMatchObject({ state: 'waiting', request: '' });
  for (let times = 0; times < 2; times += 1) await answer(customer, drafts, 'Our rate is 6.1%.');
  const sent = await shop.sendMails();
  expect(sent.filter(({ subject }) => subject.startsWith('Change requested'))).toHaveLength(1);
});

test('An outdated page reopens neither an approved step nor a newer version', async () => {
  const { order, drafts } = await paidOrder();
  await tick(drafts);
  const seen = await seenNow(drafts);
  await expect(reopen(drafts, undefined)).rejects.toMatchObject(refusal(422));
  await answer(customer, drafts);
  await expect(reopen(drafts, seen)).rejects.toMatchObject(
    refusal(409, 'approved this step since you saw it'),
  );
  expect((await planOf(order))[1]).toMatchObject({ state: 'done' });
  expect(await reopenSeen(drafts)).toMatchObject({ state: 'open' });
  await tick(drafts, 'Anew.');
  await expect(reopen(drafts, seen)).rejects.toMatchObject(refusal(409));
});

test('An outdated page does not complete a step for which its customer has asked for a change', async () => {
  const { order, drafts } = await paidOrder();
  const request = 'Our rate is 6.1%.';
  await tick(drafts, 'Here they are.');
  await answer(customer, drafts, request);
  for (const seenRequest of ['', 'Another logo.'])
    await expect(tick(drafts, 'Here they are.', { seenRequest })).rejects.toMatchObject(
      refusal(409, 'asked for a change since you saw this step'),
    );
  expect((await planOf(order))[1]).toMatchObject({ state: 'open', request });
  const again = () => tick(drafts, 'Now with your rate.', { seenRequest: request });
  expect(await again()).toMatchObject({ state: 'waiting', request: '' });
  await again();
  await reopenSeen(drafts);
  await again();
});

test('A completed step accepts no other note and no other files', async () => {
  const { order, review } = await paidOrder();
  await tick(review, 'Twelve repairs.');
  for (const other of [
    tick(review, 'Thirteen repairs.'),
    tick(review, 'Twelve repairs.', { files: [newId()] }),
  ])
    await expect(other).rejects.toMatchObject(refusal(409, 'Send them as a message'));
  await tick(review);
  expect((await planOf(order))[0]).toMatchObject({ state: 'done', note: 'Twelve repairs.' });
  // A repeated request succeeds even if the order was delivered in the meantime.
  await shop.deliverWork(order);
  await tick(review, 'Twelve repairs.');
  const sent = await shop.sendMails();
  expect(sent.filter(({ subject }) => subject === 'Done: Review')).toHaveLength(1);
});

test('The email about an answer that a staff member records says who recorded it', async () => {
  const { drafts } = await paidOrder();
  const request = 'By phone: 6.1%.';
  await tick(drafts);
  await answer(support, drafts, request);
  await tick(drafts, '', { seenRequest: request });
  await answer(support, drafts);
  const toFirm = await mailsToFirm();
  expect(toFirm).toHaveLength(2);
  for (const { text } of toFirm) expect(text).toContain(`${support.email} recorded`);
});

test('Only files that the caller uploaded are attached to a step, and the conversation shows them too', async () => {
  const { order, drafts } = await paidOrder();
  const [ours, theirs] = [uploadOf(order, support), uploadOf(order, customer)];
  await shop.db.insert(orderFiles).values([ours, theirs]);
  await expect(tick(drafts, '', { files: [theirs._id] })).rejects.toMatchObject(refusal(422));
  const done = await tick(drafts, 'Two drafts.', { files: [ours._id] });
  expect(done).toMatchObject({ state: 'waiting', files: [{ _id: ours._id, name: 'drafts.pdf' }] });
  expect((await planOf(order))[1]?.files).toEqual(done.files);
  const said = await messagesOn(order);
  expect(said.map(({ side, text }) => [side, text])).toEqual([['staff', 'Drafts\n\nTwo drafts.']]);
  expect(await shop.sendMails()).toHaveLength(1);
});

test('Files that a customer adds to a request for a change appear in the conversation', async () => {
  const { order, drafts } = await paidOrder();
  await tick(drafts, 'Two drafts.');
  const file = uploadOf(order, customer);
  await expect(answer(customer, drafts, 'Use our rates.', [file._id])).rejects.toMatchObject(refusal(422));
  await shop.db.insert(orderFiles).values(file);
  await expect(answer(support, drafts, 'Use our rates.', [file._id])).rejects.toMatchObject(refusal(422));
  for (let times = 0; times < 2; times += 1) await answer(customer, drafts, 'Use our rates.', [file._id]);
  const said = await messagesOn(order);
  expect(said.map(({ side, text }) => [side, text])).toEqual([['customer', 'Drafts\n\nUse our rates.']]);
  const [sent] = await shop.db.select().from(orderFiles).where(eq(orderFiles._id, file._id));
  expect(sent?.messageId).toBe(said[0]?._id);
  // A repeated request with another file is refused, because the file would be lost.
  const other = { ...file, _id: newId() };
  await shop.db.insert(orderFiles).values(other);
  const both = [file._id, other._id];
  await expect(answer(customer, drafts, 'Use our rates.', both)).rejects.toMatchObject(refusal(409));
});

test('A moved step shows its first planned day, and several moves cause one email', async () => {
  const { order, review, drafts } = await paidOrder();
  const [first, later] = ['2027-03-15', '2027-03-19'];
  expect(await moveStep(shop.as(support), review, later)).toMatchObject({ dueDay: later, plannedDay: first });
  await moveStep(shop.as(support), drafts, '2027-03-30');
  await moveStep(shop.as(support), review, later);
  expect([await lateAfter(9, order), (await lateAfter(10, order)).length]).toEqual([[], 1]);
  for (const day of [addDays(paidOn, -1), addDays(paidOn, 731)])
    await expect(moveStep(shop.as(support), review, day)).rejects.toMatchObject(refusal(422));
  expect((await shop.sendAllMails()).map(({ to, subject }) => [to, subject])).toEqual([
    [customer.email, `New dates for your order #${order.number}`],
  ]);
  await tick(review);
  await expect(moveStep(shop.as(support), review, '2027-04-09')).rejects.toMatchObject(refusal(409));
  const ofReview = (await eventsOf(order)).filter(({ after }) => after['step'] === 'Review');
  expect(ofReview.map(({ kind, role, after }) => [kind, role, after])).toEqual([
    ['stepMoved', 'administrator', { step: 'Review', stepId: review, dueDay: later, movedFrom: first }],
    ['stepDone', 'administrator', { step: 'Review', dueDay: later, plannedDay: first, doneDay: paidOn }],
  ]);
  await moveStep(shop.as(support), drafts, '2027-03-24');
  expect((await planOf(order))[1]).toMatchObject({ plannedDay: null });
});

test('A customer is notified of new dates only while there are any, and the work continues', async () => {
  const { order, review, drafts } = await paidOrder();
  const move = async (id: string, day: string) => {
    wait();
    await moveStep(shop.as(support), id, day);
    return shop.db.$count(mails, eq(mails.kind, 'plan-moved'));
  };
  expect(await move(review, '2027-03-18')).toBe(1);
  expect(await move(review, '2027-03-15')).toBe(0);
  // Moving one step back keeps the news about another.
  expect([
    await move(review, '2027-03-18'),
    await move(drafts, '2027-03-27'),
    await move(review, '2027-03-15'),
  ]).toEqual([1, 1, 1]);
  await shop.sendAllMails();
  // The customer knows the new day, so moving the step back to the first day is news.
  expect([await move(drafts, '2027-03-24'), await move(drafts, '2027-03-27')]).toEqual([1, 0]);
  for (const [day, end] of [
    ['2027-04-01', () => shop.setPayment(order, 'UnPaid')],
    ['2027-04-02', () => shop.deliverWork(order)],
  ] as const) {
    await shop.setPayment(order, 'Paid');
    expect(await move(review, day)).toBe(1);
    await end();
    expect(await shop.db.$count(mails, eq(mails.kind, 'plan-moved'))).toBe(0);
  }
});

test('After the delivery, no step can be completed, moved or answered until the order is reopened', async () => {
  const { order, review, drafts } = await paidOrder();
  await tick(drafts);
  await shop.deliverWork(order);
  const before = await planOf(order);
  for (const attempt of [
    () => tick(review),
    () => reopenSeen(drafts),
    () => moveStep(shop.as(support), review, '2027-04-09'),
    () => answer(customer, drafts),
    () => answer(customer, drafts, 'More'),
  ])
    await expect(attempt()).rejects.toMatchObject(refusal(409, 'delivered'));
  expect(await planOf(order)).toEqual(before);
  expect(before.map(({ isUntracked }) => isUntracked)).not.toContain(true);
  // An order that is paid after delivery has a plan that nobody has followed.
  const late = await shop.newOrder();
  await shop.deliverWork(late);
  await shop.setPayment(late, 'Paid');
  expect((await planOf(late)).map(({ isUntracked }) => isUntracked)).not.toContain(false);
});

test('A customer always has three days to answer, and we always have three days for a requested change', async () => {
  const { order, drafts } = await paidOrder();
  const wanted = '2027-03-13';
  // We are five days late.
  await change(drafts, { dueDay: '2027-03-05' });
  await tick(drafts);
  expect((await planOf(order))[1]).toMatchObject({ answerDay: wanted, isOverdue: false });
  await change((await planOf(order))[0]?._id ?? '', { state: 'done' });
  expect(await lateAfter(3, order)).toEqual([]);
  expect(await lateAfter(4, order)).toEqual([
    expect.stringContaining(`which was due on ${displayDate(wanted)}`),
  ]);
  await answer(customer, drafts, 'Our rate is 6.1%.');
  expect((await planOf(order))[1]).toMatchObject({
    dueDay: wanted,
    plannedDay: '2027-03-05',
    answerDay: null,
    isOverdue: false,
  });
  await tick(drafts, '', { seenRequest: 'Our rate is 6.1%.' });
  // A day that is far in the future does not change.
  await change(drafts, { dueDay: '2027-03-30' });
  await answer(customer, drafts, 'And our name.');
  expect((await planOf(order))[1]).toMatchObject({ dueDay: '2027-03-30' });
});

test('Orders that wait for their customer are listed however old they are, next to the five newest', async () => {
  const owner = await shop.addCustomer('many@plans.example');
  const { order: approved, drafts } = await paidOrder(owner);
  wait();
  const unpaid = await shop.orderOf(owner);
  const { order: written } = await paidOrder(owner);
  await tick(drafts);
  await shop.db
    .insert(conversations)
    .values({ orderId: written._id, fromStaff: 1, readByCustomer: 0, lastAt: 1 });
  const newer: string[] = [];
  for (let count = 0; count < 7; count += 1) newer.unshift((await paidOrder(owner)).order._id);
  const shown = async () =>
    (await readOwnWork(shop.db, shop.env, owner.id)).map(({ order, work }) => {
      expect(work.orderId).toBe(order._id);
      return order._id;
    });
  const waiting = [written._id, unpaid._id, approved._id];
  expect(await shown()).toEqual([...newer.slice(0, 5), ...waiting]);
  const { briefQuestion } = contentTables;
  await shop.db
    .insert(briefQuestion)
    .values({ _id: newId(), position: 1, question: 'Your website?', kind: 'link', required: 'yes' });
  expect(await shown()).toEqual([...newer.slice(0, 5), ...waiting]);
  await shop.db.insert(orderBriefs).values(newer.map((orderId) => ({ orderId, awaitedSince: 1 })));
  expect(await shown()).toEqual([...newer, ...waiting]);
  await shop.db.delete(briefQuestion);
});

test('Staff see whether the email of an order is verified', async () => {
  for (const isVerified of [true, false]) {
    const owner = await shop.addCustomer(`verified-${String(isVerified)}@lender.example`, isVerified);
    const { _id } = await shop.orderOf(owner);
    expect((await readOrderWork(shop.db, shop.env, _id, support)).isEmailVerified).toBe(isVerified);
  }
});

test('A late step needs attention until it is done, or its order is delivered or refunded', async () => {
  const [first, second, third] = [await paidOrder(), await paidOrder(), await paidOrder()];
  const late = (days: number) => lateAfter(days, first.order, second.order, third.order);
  expect(await late(5)).toEqual([]);
  expect(await late(6)).toEqual(Array(3).fill(expect.stringContaining('Review')));
  await tick(first.review);
  await shop.deliverWork(second.order);
  expect(await late(6)).toHaveLength(1);
  await shop.refund(third.order);
  expect(await late(6)).toEqual([]);
  await expect(tick(third.review)).rejects.toMatchObject(refusal(409));
  const delivered = await findOrder(shop.db, second.order._id);
  const set = { orderStatus: 'Pending' } as const;
  await changeOrder(shop.db, delivered, { kind: 'reopened', by: administrator, set });
  expect(await late(6)).toHaveLength(1);
  await tick(first.drafts);
  expect(await lateAfter(15, first.order)).toEqual([expect.stringContaining('approval')]);
});

test('A late step is dated with the day it was due in the firm’s time zone', async () => {
  const { order } = await paidOrder();
  const env = { ...shop.env, SITE_TIMEZONE: 'America/Chicago' };
  const { rows } = await readAttention(shop.db, env, Date.UTC(2027, 2, 17, 12));
  const dates = rows.flatMap(({ orderId, at }) => (orderId === order._id ? [at] : []));
  expect(dates).toEqual(['2027-03-15T05:00:00.000Z']);
});

test('No step of a delivered order is late, because its plan has ended', async () => {
  const { order } = await paidOrder();
  vi.setSystemTime(Date.UTC(2027, 2, 17, 12));
  const isLate = async () => (await planOf(order))[0]?.isOverdue;
  expect(await isLate()).toBe(true);
  await shop.deliverWork(order);
  expect(await isLate()).toBe(false);
});

test('Texts about a step are in its customer’s export, and are deleted with their account', async () => {
  const leaving = await shop.addCustomer('leaving@plans.example');
  await shop.db.update(template).set({ approval: 'yes' });
  const { order, review, drafts } = await paidOrder(leaving);
  await tick(review, 'For Ann Lopez');
  await answer(leaving, review, 'Ann Lopez wants red');
  await tick(review, 'Red for Ann Lopez', { seenRequest: 'Ann Lopez wants red' });
  await tick(drafts);
  await answer(leaving, drafts, 'Ann Lopez wants blue');
  const exported = JSON.stringify(await workOfPerson.export(shop.db, leaving, shop.env));
  expect(exported).toMatch(/Red for Ann Lopez[^]*Ann Lopez wants blue/);
  const forget = [workOfPerson, ordersOfPerson].flatMap((part) => [...part.forget(shop.db, leaving)]);
  await writeBatch(shop.db, forget);
  const kept = await shop.db.select().from(orderSteps).where(eq(orderSteps.orderId, order._id));
  expect(JSON.stringify([kept, await eventsOf(order)])).not.toContain('Ann Lopez');
  expect(JSON.stringify(await eventsOf(order))).toContain('Drafts');
  // No one is left to approve a step, or to be notified that it is done.
  expect((await planOf(order, support)).map(({ state }) => state)).toEqual(['done', 'open']);
  expect(await lateAfter(30, order)).toEqual([
    expect.stringMatching(/is not done\. The customer's account was deleted\.$/),
  ]);
  await shop.clearMails();
  await tick(drafts);
  expect((await planOf(order, support)).map(({ state }) => state)).toEqual(['done', 'done']);
  expect(await shop.db.$count(mails)).toBe(0);
});
