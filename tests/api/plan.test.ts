/** The plan of an order: copied once when it is paid, by days of the firm, done and approved, and told of when it is late. */
import { asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { addDays, displayDate } from '#contract/days.ts';
import { newId } from '#contract/ids.ts';
import type { PlanStep } from '#contract/work.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { openDatabase, writeBatch } from '#worker/db/client.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { mails } from '#worker/mail/schema.ts';
import { orderEvents, type OrderRecord } from '#worker/orders/schema.ts';
import { changeOrder } from '#worker/orders/changes.ts';
import { ordersOfPerson } from '#worker/orders/personal-data.ts';
import { findOrder } from '#worker/orders/read.ts';
import { conversationMessages, conversations, orderFiles } from '#worker/conversations/schema.ts';
import { orderBriefs, orderSteps } from '#worker/work/schema.ts';
import { deliverOrder } from '#worker/conversations/deliver.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { readAttention } from '#worker/payments/attention.ts';
import { setPaymentByHand } from '#worker/payments/cancel.ts';
import { confirmPayment, settleReported } from '#worker/payments/pay.ts';
import { missingBriefs } from '#worker/work/awaited-briefs.ts';
import { answerDay, dueDay } from '#worker/work/due-day.ts';
import { overdueSteps } from '#worker/work/overdue-steps.ts';
import { failedRefunds } from '#worker/payments/failed-refunds.ts';
import { workOfPerson } from '#worker/work/personal-data.ts';
import { answerStep, changeStep, moveStep } from '#worker/work/plan.ts';
import { readWaiting } from '#worker/customers/waiting.ts';
import { readOrderWork, readOwnWork } from '#worker/work/progress.ts';
import { findWalks } from '../support/walks.ts';
import { administrator, customer, input, openShop, type Shop } from './orders-shop.ts';

const dayMs = 24 * 3_600_000;
const today = () => new Date().toISOString().slice(0, 10);
const template = contentTables.planStep;
const staff: Account = {
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
const steps = [
  { _id: newId(), position: 2, title: 'Drafts', dueDays: '14', approval: 'yes', packages: '' },
  {
    _id: newId(),
    position: 1,
    title: 'Review',
    details: 'We read.',
    dueDays: '5',
    approval: 'no',
    packages: 'Basic',
  },
  {
    _id: newId(),
    position: 3,
    title: 'Offices',
    dueDays: '20',
    approval: 'no',
    packages: 'Premium, Standard',
  },
];

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  await shop.db.delete(mails);
  await shop.db.delete(template);
  await shop.db.insert(template).values(steps);
  shop.sent.length = 0;
});
afterAll(() => shop.close());

const as = (account: Account, env = shop.env) => ({ db: openDatabase(shop.env), env, account });
const payByHand = async (order: OrderRecord) =>
  setPaymentByHand(shop.openPaymentContext(), order._id, 'Paid', administrator);
const planOf = async ({ _id }: Pick<OrderRecord, '_id'>) =>
  (await readOrderWork(shop.db, shop.env, _id, customer)).steps;
const titles = (plan: readonly PlanStep[]) => plan.map(({ title }) => title);
const send = () => deliverMail(shop.env, () => undefined, openDatabase(shop.env));

const tick = (state: 'open' | 'done', note: string, files: readonly string[] = []) => ({
  state,
  note,
  files,
});

async function paidOrder(): Promise<{ order: OrderRecord; review: string; drafts: string }> {
  const order = await shop.newOrder();
  await payByHand(order);
  const [review, drafts] = await planOf(order);
  await shop.db.delete(mails);
  return { order, review: review?._id ?? '', drafts: drafts?._id ?? '' };
}

/** Opens a step again as it is shown right now. */
async function openAgain(id: string): Promise<PlanStep> {
  const [step] = await shop.db.select().from(orderSteps).where(eq(orderSteps._id, id));
  const seen = { state: step?.state ?? 'open', doneAt: new Date(step?.doneAt ?? 0).toISOString() };
  return changeStep(as(staff), id, { ...tick('open', ''), seen });
}

/** Answers a step as it is shown right now. */
async function answerSeen(
  account: Account,
  id: string,
  answer: { readonly isApproved: boolean; readonly request: string },
): Promise<PlanStep> {
  const [step] = await shop.db.select().from(orderSteps).where(eq(orderSteps._id, id));
  return answerStep(as(account), id, { ...answer, doneAt: new Date(step?.doneAt ?? 0).toISOString() });
}

test('An order that becomes Paid gets the steps of its package, by any report of the payment and any number of them', async () => {
  const order = await shop.newOrder();
  expect(await planOf(order)).toEqual([]);
  const intent = await shop.openPage(order);
  await shop.payByCard(intent);
  const before = today();
  await Promise.all([
    confirmPayment(shop.openPaymentContext(), order._id),
    settleReported(shop.openPaymentContext(), intent),
    settleReported(shop.openPaymentContext(), intent),
    confirmPayment(shop.openPaymentContext(), order._id),
  ]);
  const plan = await planOf(order);
  expect(titles(plan)).toEqual(['Review', 'Drafts']);
  const paidOn = addDays(plan[0]?.dueDay ?? '', -5);
  expect([before, today()]).toContain(paidOn);
  expect(plan[0]).toMatchObject({ details: 'We read.', state: 'open', wantsApproval: false });
  expect(plan[1]).toMatchObject({
    dueDay: addDays(paidOn, 14),
    wantsApproval: true,
    doneDay: null,
    isOverdue: false,
  });
});

test('A change of the template never changes an order that runs', async () => {
  const { order } = await paidOrder();
  const before = await planOf(order);
  await shop.db.update(template).set({ title: 'Anything else', dueDays: '1' });
  await shop.db.delete(template).where(eq(template.title, 'Drafts'));
  expect(await planOf(order)).toEqual(before);
});

test('A payment that is taken back and set again makes the plan anew, unless it was begun', async () => {
  const { order } = await paidOrder();
  const context = shop.openPaymentContext();
  await setPaymentByHand(context, order._id, 'UnPaid', administrator);
  await shop.db.update(template).set({ title: 'Newer' }).where(eq(template.position, 1));
  await payByHand(order);
  const again = await planOf(order);
  expect(titles(again)).toEqual(['Newer', 'Drafts']);
  await changeStep(as(staff), again[0]?._id ?? '', tick('done', ''));
  await setPaymentByHand(context, order._id, 'UnPaid', administrator);
  await shop.db.update(template).set({ title: 'Newest' });
  await payByHand(order);
  expect(titles(await planOf(order))).toEqual(['Newer', 'Drafts']);
});

test('A step that was sent back or moved was begun, though it is open', async () => {
  const context = shop.openPaymentContext();
  for (const begun of [
    { request: 'Our rate is 6.1 %.' },
    { plannedDay: '2027-01-04' },
    { note: 'Here it is.' },
  ]) {
    const { order } = await paidOrder();
    const [first] = await planOf(order);
    await shop.db
      .update(orderSteps)
      .set(begun)
      .where(eq(orderSteps._id, first?._id ?? ''));
    await setPaymentByHand(context, order._id, 'UnPaid', administrator);
    await payByHand(order);
    expect((await planOf(order))[0]).toMatchObject({ _id: first?._id, ...begun });
  }
});

test('Due days begin with the day in the firm’s time zone', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 2, 10, 2) });
  const env = { ...shop.env, SITE_TIMEZONE: 'America/Los_Angeles' };
  const order = await shop.newOrder();
  await setPaymentByHand({ ...shop.openPaymentContext(), env }, order._id, 'Paid', administrator);
  expect((await planOf(order)).map((step) => step.dueDay)).toEqual(['2027-03-14', '2027-03-23']);
  vi.useRealTimers();
});

test('Working days leave out weekends, from every day of the week', async () => {
  const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  function counted(from: string, days: number): string {
    let day = from;
    for (let left = days; left > 0;) {
      day = addDays(day, 1);
      if (!isWeekend(day)) left -= 1;
    }
    while (isWeekend(day)) day = addDays(day, 1);
    return day;
  }
  const counts = Array.from({ length: 23 }, (_, days) => days);
  for (const from of Array.from({ length: 7 }, (_, index) => addDays('2027-03-01', index))) {
    const columns = counts.map((days) => dueDay(from, sql`CAST(${String(days)} AS INTEGER)`, true));
    const [row] = await shop.db.values<[string]>(sql`SELECT json_array(${sql.join(columns, sql`, `)})`);
    expect({ from, due: JSON.parse(row?.[0] ?? '') as unknown }).toEqual({
      from,
      due: counts.map((days) => counted(from, days)),
    });
  }
});

test('A step that is ticked off tells its customer once, and asks where it wants approval', async () => {
  const { order, review, drafts } = await paidOrder();
  await changeStep(as(staff), review, tick('done', 'Twelve repairs.'));
  await changeStep(as(staff), review, tick('done', 'Twelve repairs.'));
  expect((await planOf(order))[0]).toMatchObject({
    state: 'done',
    note: 'Twelve repairs.',
    doneDay: expect.anything() as string,
  });
  await changeStep(as(staff), drafts, tick('done', ''));
  expect((await planOf(order))[1]).toMatchObject({ state: 'waiting' });
  await send();
  expect(shop.sent.map(({ to, subject }) => [to, subject])).toEqual([
    [customer.email, 'Done: Review'],
    [customer.email, 'Please approve: Drafts'],
  ]);
  for (const { text } of shop.sent) expect(text).toMatch(/^Hello Ann,\n/);
  expect(shop.sent[0]?.text).toContain('Twelve repairs.');
});

test('A customer sends a step back with words, and approves it once it is right', async () => {
  const { order, review, drafts } = await paidOrder();
  await expect(answerSeen(customer, drafts, { isApproved: true, request: '' })).rejects.toMatchObject({
    status: 409,
  });
  await changeStep(as(staff), drafts, tick('done', 'Here they are.'));
  await expect(answerSeen(customer, drafts, { isApproved: false, request: '' })).rejects.toMatchObject({
    status: 422,
  });
  await answerSeen(customer, drafts, { isApproved: false, request: 'Our rate is 6.1%.' });
  expect((await planOf(order))[1]).toMatchObject({
    state: 'open',
    request: 'Our rate is 6.1%.',
    doneDay: null,
  });
  const seenRequest = 'Our rate is 6.1%.';
  await changeStep(as(staff), drafts, { ...tick('done', 'Now with your rate.'), seenRequest });
  // Two clicks, and two windows at once.
  await Promise.all([1, 2, 3].map(() => answerSeen(customer, drafts, { isApproved: true, request: '' })));
  expect((await planOf(order))[1]).toMatchObject({ state: 'done', note: 'Now with your rate.', request: '' });
  const events = await shop.db.select().from(orderEvents).where(eq(orderEvents.orderId, order._id));
  expect(
    events.filter(({ kind }) => kind.startsWith('step')).map(({ kind, after }) => [kind, after['note']]),
  ).toEqual([
    ['stepDone', 'Here they are.'],
    ['stepSentBack', 'Our rate is 6.1%.'],
    ['stepDone', 'Now with your rate.'],
    ['stepApproved', undefined],
  ]);
  await send();
  const toFirm = shop.sent.filter(({ to }) => to === shop.env.NOTIFY_EMAIL);
  expect(toFirm.map(({ subject }) => subject.split(',')[0])).toEqual([
    'Change wanted: Drafts',
    'Approved: Drafts',
  ]);
  expect(review).not.toBe('');
});

test('An answer goes to the version of a step that its customer has seen, and to no newer one', async () => {
  const { order, drafts } = await paidOrder();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 });
  const { doneAt } = await changeStep(as(staff), drafts, tick('done', 'Our rate is 6.4%.'));
  vi.useRealTimers();
  await openAgain(drafts);
  await changeStep(as(staff), drafts, tick('done', 'Our rate is 9.9%.'));
  const seen = { doneAt: doneAt ?? '', request: '' };
  await expect(answerStep(as(customer), drafts, { ...seen, isApproved: true })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('newer version') as string,
  });
  await expect(
    answerStep(as(customer), drafts, { ...seen, isApproved: false, request: 'No' }),
  ).rejects.toMatchObject({ status: 409 });
  expect((await planOf(order))[1]).toMatchObject({ state: 'waiting', request: '' });
  // Asked for twice, because the first answer was lost, it is one change.
  for (let times = 0; times < 2; times += 1)
    await answerSeen(customer, drafts, { isApproved: false, request: 'Our rate is 6.1%.' });
  await send();
  expect(shop.sent.filter(({ subject }) => subject.startsWith('Change wanted'))).toHaveLength(1);
});

test('A stale page takes back no approval and no newer version', async () => {
  const { order, drafts } = await paidOrder();
  const { doneAt, state } = await changeStep(as(staff), drafts, tick('done', ''));
  const seen = { state, doneAt: doneAt ?? '' };
  await expect(changeStep(as(staff), drafts, tick('open', ''))).rejects.toMatchObject({ status: 422 });
  await answerSeen(customer, drafts, { isApproved: true, request: '' });
  const reopen = () => changeStep(as(staff), drafts, { ...tick('open', ''), seen });
  await expect(reopen()).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('approved this step since you saw it') as string,
  });
  expect((await planOf(order))[1]).toMatchObject({ state: 'done' });
  expect(await openAgain(drafts)).toMatchObject({ state: 'open' });
  await changeStep(as(staff), drafts, tick('done', 'Anew.'));
  await shop.db
    .update(orderSteps)
    .set({ doneAt: Date.parse(seen.doneAt) + 1 })
    .where(eq(orderSteps._id, drafts));
  await expect(reopen()).rejects.toMatchObject({ status: 409 });
});

test('A stale page ticks off no step for which its customer has asked for a change meanwhile', async () => {
  const { order, drafts } = await paidOrder();
  const request = 'Our rate is 6.1%.';
  await changeStep(as(staff), drafts, tick('done', 'Here they are.'));
  await answerSeen(customer, drafts, { isApproved: false, request });
  // A page from before it was ticked off, and one that shows what the customer wanted once before.
  for (const seenRequest of [undefined, 'Another logo.'])
    await expect(
      changeStep(as(staff), drafts, { ...tick('done', 'Here they are.'), seenRequest }),
    ).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('asked for a change since you saw this step') as string,
    });
  expect((await planOf(order))[1]).toMatchObject({ state: 'open', request });
  const done = { ...tick('done', 'Now with your rate.'), seenRequest: request };
  expect(await changeStep(as(staff), drafts, done)).toMatchObject({ state: 'waiting', request: '' });
  // Sent again because the answer was lost, it is there.
  await changeStep(as(staff), drafts, done);
  // What a page shows and is no longer wanted keeps nobody from ticking off.
  await openAgain(drafts);
  await changeStep(as(staff), drafts, done);
});

test('A step that is ticked off takes no second note and no other files, and says so', async () => {
  const { order, review } = await paidOrder();
  await changeStep(as(staff), review, tick('done', 'Twelve repairs.'));
  await expect(changeStep(as(staff), review, tick('done', 'Thirteen repairs.'))).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('write it as a message') as string,
  });
  await expect(
    changeStep(as(staff), review, tick('done', 'Twelve repairs.', [newId()])),
  ).rejects.toMatchObject({
    status: 409,
  });
  // What says nothing of its own loses nothing.
  await changeStep(as(staff), review, tick('done', ''));
  expect((await planOf(order))[0]).toMatchObject({ state: 'done', note: 'Twelve repairs.' });
  // Sent again because the answer was lost, it is there, also when the order was delivered meanwhile.
  await deliverOrder(as(staff), await findOrder(shop.db, order._id), administrator);
  await changeStep(as(staff), review, tick('done', 'Twelve repairs.'));
  await send();
  expect(shop.sent.filter(({ subject }) => subject === 'Done: Review')).toHaveLength(1);
});

test('The mail about an answer that one of us records says who recorded it', async () => {
  const { drafts } = await paidOrder();
  await changeStep(as(staff), drafts, tick('done', ''));
  await answerSeen(staff, drafts, { isApproved: false, request: 'By phone: 6.1%.' });
  await changeStep(as(staff), drafts, { ...tick('done', ''), seenRequest: 'By phone: 6.1%.' });
  await answerSeen(staff, drafts, { isApproved: true, request: '' });
  await send();
  const toFirm = shop.sent.filter(({ to }) => to === shop.env.NOTIFY_EMAIL).map(({ text }) => text);
  expect(toFirm).toHaveLength(2);
  for (const text of toFirm) {
    expect(text).toContain('admin@site.test has recorded');
    expect(text).not.toMatch(/A customer (has approved|asks)/);
  }
});

test('Files of a step go with it and into the conversation, and only those that the caller has uploaded', async () => {
  const { order, drafts } = await paidOrder();
  const sentUp = (accountId: string) => {
    const file = {
      _id: newId(),
      orderId: order._id,
      accountId,
      name: 'drafts.pdf',
      type: 'application/pdf' as const,
    };
    return { ...file, bytes: 5, at: 1 };
  };
  const [ours, theirs] = [sentUp(staff.id), sentUp(customer.id)];
  await shop.db.insert(orderFiles).values([ours, theirs]);
  await expect(changeStep(as(staff), drafts, tick('done', '', [theirs._id]))).rejects.toMatchObject({
    status: 422,
  });
  const done = await changeStep(as(staff), drafts, tick('done', 'Two drafts.', [ours._id]));
  expect(done).toMatchObject({ state: 'waiting', files: [{ _id: ours._id, name: 'drafts.pdf' }] });
  expect((await planOf(order))[1]?.files).toEqual(done.files);
  const said = await shop.db
    .select()
    .from(conversationMessages)
    .where(eq(conversationMessages.orderId, order._id));
  expect(said.map(({ side, text }) => [side, text])).toEqual([['staff', 'Drafts\n\nTwo drafts.']]);
  await send();
  expect(shop.sent).toHaveLength(1);
});

test('A step that is moved shows the day planned first, is done by its new day, and tells its customer once of several', async () => {
  const { order, review, drafts } = await paidOrder();
  const first = (await planOf(order))[0]?.dueDay ?? '';
  const paidOn = addDays(first, -5);
  const later = addDays(paidOn, 9);
  expect(await moveStep(as(staff), review, later)).toMatchObject({ dueDay: later, plannedDay: first });
  await moveStep(as(staff), drafts, addDays(paidOn, 20));
  await moveStep(as(staff), review, later);
  expect((await planOf(order))[0]).toMatchObject({ dueDay: later, plannedDay: first, isOverdue: false });
  const late = async (days: number) =>
    (await readAttention(shop.db, shop.env, Date.now() + days * dayMs)).rows.some(
      ({ _id }) => _id === review,
    );
  expect([await late(6), await late(10)]).toEqual([false, true]);
  // At midnight the last day that is too far would be near enough.
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const day of [addDays(today(), -1), addDays(today(), 731)])
    await expect(moveStep(as(staff), review, day)).rejects.toMatchObject({ status: 422 });
  vi.useRealTimers();

  await shop.db.update(mails).set({ dueAt: 0 });
  await send();
  expect(shop.sent.map(({ to, subject }) => [to, subject])).toEqual([
    [customer.email, `New dates for your order #${order.number}`],
  ]);
  const beforeDone = today();
  await changeStep(as(staff), review, tick('done', ''));
  const daysDone = [beforeDone, today()];
  await expect(moveStep(as(staff), review, addDays(paidOn, 30))).rejects.toMatchObject({ status: 409 });
  const events = await shop.db.select().from(orderEvents).where(eq(orderEvents.orderId, order._id));
  expect(
    events
      .filter(({ after }) => after['step'] === 'Review')
      .map(({ kind, role, after }) => [kind, role, after]),
  ).toEqual([
    ['stepMoved', 'administrator', { step: 'Review', stepId: review, dueDay: later, movedFrom: first }],
    [
      'stepDone',
      'administrator',
      { step: 'Review', dueDay: later, plannedDay: first, doneDay: expect.toBeOneOf(daysDone) as string },
    ],
  ]);
  // Back where it was, it was not moved.
  await moveStep(as(staff), drafts, addDays(paidOn, 14));
  expect((await planOf(order))[1]).toMatchObject({ plannedDay: null });
});

test('A customer is told of new dates only while there are any', async () => {
  const { order, review, drafts } = await paidOrder();
  const [first, second] = (await planOf(order)).map(({ dueDay }) => dueDay);
  const told = async () => (await shop.db.select().from(mails)).map(({ kind }) => kind);
  const move = (id: string, from: string | undefined, days: number) =>
    moveStep(as(staff), id, addDays(from ?? '', days));

  // Moved, and moved back before anybody was told.
  await move(review, first, 3);
  await move(review, first, 4);
  expect(await told()).toEqual(['plan-moved']);
  await move(review, first, 0);
  expect(await told()).toEqual([]);

  // What is moved back takes no other step's news with it.
  await move(review, first, 3);
  await move(drafts, second, 3);
  await move(review, first, 0);
  expect(await told()).toEqual(['plan-moved']);
  await shop.db.update(mails).set({ dueAt: 0 });
  await send();
  expect(shop.sent).toHaveLength(1);

  // The customer knows the new day: the first one again is news.
  await move(drafts, second, 0);
  expect(await told()).toEqual(['plan-moved']);
  await move(drafts, second, 3);
  expect(await told()).toEqual([]);
});

test('No new dates are told once the work on an order is over', async () => {
  const told = async () => (await shop.db.select().from(mails)).map(({ kind }) => kind);
  for (const end of [
    async ({ _id }: OrderRecord) => deliverOrder(as(staff), await findOrder(shop.db, _id), administrator),
    ({ _id }: OrderRecord) => setPaymentByHand(shop.openPaymentContext(), _id, 'UnPaid', administrator),
  ]) {
    const { order, review } = await paidOrder();
    await moveStep(as(staff), review, addDays(today(), 30));
    expect(await told()).toEqual(['plan-moved']);
    await end(order);
    expect(await told()).not.toContain('plan-moved');
  }
});

test('The business reads that the work can begin only where it has not ended', async () => {
  const open = await shop.newOrder();
  const delivered = await shop.newOrder();
  await deliverOrder(as(staff), await findOrder(shop.db, delivered._id), administrator);
  for (const order of [open, delivered]) await payByHand(order);
  await send();
  const notices = shop.sent.filter(({ to }) => to === shop.env.NOTIFY_EMAIL);
  expect(notices.map(({ text }) => /The work (can begin|is delivered already)\./.exec(text)?.[1])).toEqual([
    'can begin',
    'is delivered already',
  ]);
});

test('A plan ends with the delivery: nothing is ticked off, moved or answered until the order is taken up again', async () => {
  const { order, review, drafts } = await paidOrder();
  await changeStep(as(staff), drafts, tick('done', ''));
  await deliverOrder(as(staff), await findOrder(shop.db, order._id), administrator);
  const before = await planOf(order);
  for (const attempt of [
    () => changeStep(as(staff), review, tick('done', '')),
    () => openAgain(drafts),
    () => moveStep(as(staff), review, addDays(today(), 30)),
    () => answerSeen(customer, drafts, { isApproved: true, request: '' }),
    () => answerSeen(customer, drafts, { isApproved: false, request: 'More' }),
  ])
    await expect(attempt()).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('delivered') as string,
    });
  expect(await planOf(order)).toEqual(before);
});

test('A customer has days for their answer however late we are, and a change that they ask for late is not late at once', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 2, 10, 12) });
  const day = today();
  const { order, drafts } = await paidOrder();
  const due = (dueDay: string) =>
    shop.db.update(orderSteps).set({ dueDay }).where(eq(orderSteps._id, drafts));
  const late = async (days: number) =>
    (await readAttention(shop.db, shop.env, Date.now() + days * dayMs)).rows.find(
      ({ _id }) => _id === drafts,
    );
  // We are five days late; the customer is not.
  await due(addDays(day, -5));
  await changeStep(as(staff), drafts, tick('done', ''));
  const wanted = addDays(day, 3);
  expect((await planOf(order))[1]).toMatchObject({ answerDay: wanted, isOverdue: false });
  expect([await late(0), await late(3)]).toEqual([undefined, undefined]);
  expect((await late(4))?.text).toContain(`which we asked for by ${displayDate(wanted)}`);
  // The customer answers after the day; we have days for the change.
  await answerSeen(customer, drafts, { isApproved: false, request: 'Our rate is 6.1%.' });
  expect((await planOf(order))[1]).toMatchObject({
    dueDay: wanted,
    plannedDay: addDays(day, -5),
    answerDay: null,
    isOverdue: false,
  });
  await changeStep(as(staff), drafts, { ...tick('done', ''), seenRequest: 'Our rate is 6.1%.' });
  // A day that is still far stays.
  await due(addDays(day, 20));
  await answerSeen(customer, drafts, { isApproved: false, request: 'And our name.' });
  expect((await planOf(order))[1]).toMatchObject({ dueDay: addDays(day, 20) });
  vi.useRealTimers();
});

test('The days for an answer are working days where plans count those, on the list as on the page', async () => {
  const env = { ...shop.env, PLAN_DAYS: 'working', SITE_TIMEZONE: 'America/Los_Angeles' } as const;
  const { drafts } = await paidOrder();
  // A Friday evening there, Saturday in UTC.
  const asked = Date.parse('2026-03-07T02:00:00Z');
  await shop.db
    .update(orderSteps)
    .set({ state: 'waiting', doneAt: asked, dueDay: '2026-03-02' })
    .where(eq(orderSteps._id, drafts));
  expect(answerDay(env, { dueDay: '2026-03-02', doneAt: asked })).toBe('2026-03-11');
  const isLate = async (at: string) =>
    (await readAttention(shop.db, env, Date.parse(at))).rows.some(({ _id }) => _id === drafts);
  expect([await isLate('2026-03-12T06:59:00Z'), await isLate('2026-03-12T07:01:00Z')]).toEqual([false, true]);
});

test('Nobody else’s step can be seen or answered', async () => {
  const { order, drafts } = await paidOrder();
  await changeStep(as(staff), drafts, tick('done', ''));
  const stranger: Account = { ...customer, id: newId(), email: 'eve@plans.example' };
  await expect(readOrderWork(shop.db, shop.env, order._id, stranger)).rejects.toMatchObject({ status: 404 });
  await expect(answerSeen(stranger, drafts, { isApproved: true, request: '' })).rejects.toMatchObject({
    status: 404,
  });
});

test('The orders that wait for their customer are told of however old they are, among many newer ones', async () => {
  const owner: Account = { ...customer, id: newId(), email: 'many@plans.example' };
  await shop.db
    .insert(accounts)
    .values({ id: owner.id, email: owner.email, emailVerifiedAt: 1, createdAt: 1 });
  const place = () => placeOrder(as(owner), { ...input, customerEmail: owner.email }, undefined);
  const [approved, unpaid, written] = [await place(), await place(), await place()];
  for (const order of [approved, written]) await payByHand(order);
  const { steps: plan } = await readOrderWork(shop.db, shop.env, approved._id, owner);
  await changeStep(as(staff), plan[1]?._id ?? '', tick('done', ''));
  await shop.db
    .insert(conversations)
    .values({ orderId: written._id, fromStaff: 1, readByCustomer: 0, lastAt: 1 });
  const newer: string[] = [];
  for (let count = 0; count < 7; count += 1) {
    const order = await place();
    await payByHand(order);
    newer.unshift(order._id);
  }
  const shown = async () =>
    (await readOwnWork(shop.db, shop.env, owner.id)).map(({ order, work }) => {
      expect(work.orderId).toBe(order._id);
      return order._id;
    });
  expect(await shown()).toEqual([...newer.slice(0, 5), written._id, unpaid._id, approved._id]);
  const question = { _id: newId(), position: 1, question: 'Your website?', kind: 'link', required: 'yes' };
  await shop.db.insert(contentTables.briefQuestion).values(question);
  // Asked of none that was paid before.
  expect(await shown()).toEqual([...newer.slice(0, 5), written._id, unpaid._id, approved._id]);
  await shop.db.update(orderBriefs).set({ awaitedSince: 1 });
  await shop.db
    .insert(orderBriefs)
    .values(newer.map((orderId) => ({ orderId, awaitedSince: 1 })))
    .onConflictDoNothing();
  expect(await shown()).toEqual([...newer, written._id, unpaid._id, approved._id]);
  await shop.db.delete(contentTables.briefQuestion);
  // The questions of the content are few.
  expect(await findWalks(shop.db, (db) => readOwnWork(db, shop.env, owner.id))).toEqual([
    'SCAN brief_questions',
  ]);
});

test('A step that is late is on the list of what needs a person until it is done, its order delivered or refunded', async () => {
  const [first, second, third] = [await paidOrder(), await paidOrder(), await paidOrder()];
  const ours = new Set([first, second, third].map(({ order }) => order._id));
  const late = async (days: number) =>
    (await readAttention(shop.db, shop.env, Date.now() + days * dayMs)).rows
      .filter(({ kind, orderId = '' }) => kind === 'overdueStep' && ours.has(orderId))
      .map(({ text }) => text);
  expect(await late(5)).toEqual([]);
  expect(await late(6)).toHaveLength(3);
  expect((await late(6)).join()).toContain('Review');
  await changeStep(as(staff), first.review, tick('done', ''));
  await deliverOrder(as(staff), await findOrder(shop.db, second.order._id), administrator);
  expect(await late(6)).toHaveLength(1);
  await shop.refund(third.order);
  expect(await late(6)).toEqual([]);
  await expect(changeStep(as(staff), third.review, tick('done', ''))).rejects.toMatchObject({
    status: 409,
  });
  // A step that waits for its customer is late too.
  await changeStep(as(staff), first.drafts, tick('done', ''));
  expect((await late(15)).join()).toContain('approval');
});

test('The list of what needs a person counts all there is, and begins with what has waited longest', async () => {
  const { order } = await paidOrder();
  const [step] = await shop.db.select().from(orderSteps).where(eq(orderSteps.orderId, order._id));
  if (!step) throw new Error('The order has no plan.');
  const late = Array.from({ length: 130 }, (_, index) => ({
    ...step,
    _id: newId(),
    position: 10 + index,
    dueDay: addDays('2021-01-01', 130 - index),
  }));
  const before = await readAttention(shop.db, shop.env);
  await shop.db.insert(orderSteps).values(late);
  const unsent = newId(Date.UTC(2021, 0, 1));
  await shop.db.insert(mails).values({
    _id: unsent,
    kind: 'order-paid',
    recipient: '',
    subject: '',
    body: '',
    createdAt: Date.UTC(2021, 0, 1),
    dueAt: null,
    failure: '500',
  });

  const total = before.total + 131;
  expect((await readWaiting(shop.db, shop.env, staff.id)).attention).toBe(total);
  const listed: string[] = [];
  for (let page = 1; page <= 3; page += 1) {
    const found = await readAttention(shop.db, shop.env, Date.now(), { page, pageSize: 50 });
    expect(found.total).toBe(total);
    listed.push(...found.rows.map(({ _id }) => _id));
  }
  expect(listed.slice(0, 131)).toEqual([unsent, ...late.map(({ _id }) => _id).reverse()]);
  await shop.db.delete(orderSteps).where(
    inArray(
      orderSteps._id,
      late.map(({ _id }) => _id),
    ),
  );
});

test('Nothing waits for the approval of a customer who has deleted their account', async () => {
  const leaving: Account = { ...customer, id: newId(), email: 'gone@plans.example' };
  await shop.db
    .insert(accounts)
    .values({ id: leaving.id, email: leaving.email, emailVerifiedAt: 1, createdAt: 1 });
  await shop.db.update(template).set({ approval: 'yes' });
  const order = await placeOrder(as(leaving), { ...input, customerEmail: leaving.email }, undefined);
  await payByHand(order);
  const plan = async () => (await readOrderWork(shop.db, shop.env, order._id, staff)).steps;
  const [review, drafts] = await plan();
  await changeStep(as(staff), review?._id ?? '', tick('done', ''));
  expect((await plan()).map(({ state }) => state)).toEqual(['waiting', 'open']);
  await writeBatch(
    shop.db,
    [workOfPerson, ordersOfPerson].flatMap((part) => [...part.forget(shop.db, leaving)]),
  );
  expect((await plan()).map(({ state }) => state)).toEqual(['done', 'open']);
  const { rows: lines } = await readAttention(shop.db, shop.env, Date.now() + 30 * dayMs);
  expect(lines.filter(({ orderId }) => orderId === order._id).map(({ text }) => text)).toEqual([
    expect.stringMatching(/is not done\. The account of its customer was deleted\.$/),
  ]);
  await shop.db.delete(mails);
  await changeStep(as(staff), drafts?._id ?? '', tick('done', ''));
  expect((await plan()).map(({ state }) => state)).toEqual(['done', 'done']);
  expect(await shop.db.select().from(mails)).toEqual([]);
});

test('What is late is looked for among running work alone, however much is over', async () => {
  const question = { _id: newId(), position: 1, question: 'Your website?', kind: 'link', required: 'yes' };
  await shop.db.insert(contentTables.briefQuestion).values(question);
  const [runs, delivered, refunded] = [await paidOrder(), await paidOrder(), await paidOrder()];
  await deliverOrder(as(staff), await findOrder(shop.db, delivered.order._id), administrator);
  await shop.refund(refunded.order);
  const paidLate = await shop.newOrder();
  await deliverOrder(as(staff), paidLate, administrator);
  await payByHand(paidLate);
  const known = new Set([runs, delivered, refunded].map(({ order }) => order._id)).add(paidLate._id);
  const inIndex = async (query: SQL) =>
    (await shop.db.all<{ orderId: string }>(query))
      .map(({ orderId }) => orderId)
      .filter((orderId) => known.has(orderId));
  const running = [
    sql`SELECT DISTINCT "orderId" FROM "order_steps" INDEXED BY "order_steps_due" WHERE "state" <> 'done' AND "isOver" = 0`,
    sql`SELECT "orderId" FROM "order_briefs" INDEXED BY "order_briefs_awaited" WHERE "sentAt" IS NULL AND "isOver" = 0`,
  ];
  for (const query of running) expect(await inIndex(query)).toEqual([runs.order._id]);
  for (const [query, index] of [
    [overdueSteps(shop.db, shop.env, Date.now()), 'order_steps USING INDEX order_steps_due (dueDay<?)'],
    [
      missingBriefs(shop.db, Date.now()),
      'order_briefs USING INDEX order_briefs_awaited (awaitedSince>? AND awaitedSince<?)',
    ],
  ] as const)
    for (const each of [query.count, query.first({ order: asc, limit: 100 })]) {
      const plan = await shop.db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${each.getSQL()}`);
      expect(plan.map(({ detail }) => detail)).toContain(`SEARCH ${index}`);
    }
  for (const each of [
    failedRefunds(shop.db).count,
    failedRefunds(shop.db).first({ order: asc, limit: 100 }),
  ]) {
    const plan = await shop.db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${each.getSQL()}`);
    const ofRefunds = plan.map(({ detail }) => detail).filter((detail) => detail.includes(' refunds '));
    expect(ofRefunds).toEqual([
      expect.stringContaining('SEARCH refunds USING INDEX sqlite_autoindex_refunds_1'),
      'SCAN refunds USING INDEX refunds_unseen',
      expect.stringContaining('SEARCH refunds USING INDEX refunds_check (checkAt>?)'),
    ]);
  }
  // Taken up again, it runs again.
  const order = await findOrder(shop.db, delivered.order._id);
  await changeOrder(shop.db, order, { kind: 'reopened', by: administrator, set: { orderStatus: 'Pending' } });
  for (const query of running) expect(await inIndex(query)).toHaveLength(2);
  await shop.db.delete(contentTables.briefQuestion);
});

test('What was written about a step is in its customer’s export, and gone with their account', async () => {
  const leaving: Account = { ...customer, id: newId(), email: 'leaving@plans.example' };
  await shop.db
    .insert(accounts)
    .values({ id: leaving.id, email: leaving.email, emailVerifiedAt: 1, createdAt: 1 });
  const order = await placeOrder(as(leaving), { ...input, customerEmail: leaving.email }, undefined);
  await payByHand(order);
  const { steps: plan } = await readOrderWork(shop.db, shop.env, order._id, leaving);
  const drafts = plan[1]?._id ?? '';
  await changeStep(as(staff), drafts, tick('done', 'For Ann Lopez'));
  await answerSeen(leaving, drafts, { isApproved: false, request: 'Ann Lopez wants red' });
  expect(JSON.stringify(await workOfPerson.export(shop.db, leaving, shop.env))).toContain(
    'Ann Lopez wants red',
  );
  await writeBatch(shop.db, [...workOfPerson.forget(shop.db, leaving)]);
  const kept = await shop.db.all(
    sql`SELECT "note" || "request" AS "text" FROM "order_steps" WHERE "_id" = ${drafts}`,
  );
  expect(kept).toEqual([{ text: '' }]);
  const events = await shop.db.select().from(orderEvents).where(eq(orderEvents.orderId, order._id));
  expect(JSON.stringify(events)).not.toContain('Ann Lopez');
  expect(JSON.stringify(events)).toContain('Drafts');
});
