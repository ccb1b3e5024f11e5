/**
 * Disputes, from the webhook and from missed events: their money, what the administrator reads about them, and
 * responses of Stripe that arrive late or not at all.
 */
import { eq } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import type Stripe from 'stripe';
import type { Account } from '#contract/accounts.ts';
import type { OrderRefunds } from '#contract/refunds.calls.ts';
import { changeOrder, stripeActor } from '#worker/orders/changes.ts';
import { readTimeline } from '#worker/orders/read.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import { queueAlerts } from '#worker/attention/alerts.ts';
import { settleDispute } from '#worker/payments/disputes.ts';
import { readOpenDisputes } from '#worker/payments/open-disputes.ts';
import { readReceipt } from '#worker/payments/receipts.ts';
import { disputes, ledger } from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { handleMissedEvents } from '#worker/payments/webhook-events.ts';
import { customer, openShop, staff } from './orders-shop.ts';

const shop = await openShop();
afterAll(() => shop.close());

/** A new order with a disputed payment that the site does not know about yet. */
const newDisputedOrder = () => shop.newPayment('pm_card_createDispute');

/** A new order with a disputed payment that is recorded, and the dispute, which the site does not know about yet. */
async function newDispute() {
  const { order, intent } = await newDisputedOrder();
  await settlePayment(shop.openPaymentContext(), intent);
  const [dispute] = (await shop.stripe.disputes.list({ payment_intent: intent.id })).data;
  if (!dispute) throw new Error('There is no dispute.');
  return { order, intent, dispute };
}

/** Settles a dispute as if Stripe returned something else about it. */
function openSettling(dispute: Stripe.Dispute, context = shop.openPaymentContext()) {
  const retrieve = vi.spyOn(context.stripe.disputes, 'retrieve');
  return async (said: Partial<Stripe.Dispute>) => {
    retrieve.mockResolvedValue({ ...dispute, ...said, lastResponse: {} as never });
    await settleDispute(context, dispute.id);
  };
}

async function deliverAll(intent: Stripe.PaymentIntent): Promise<void> {
  for (const event of await shop.eventsOf(intent)) expect(await shop.deliver(event)).toBe(200);
}

const disputesOf = ({ _id }: OrderRecord) => shop.db.select().from(disputes).where(eq(disputes.orderId, _id));
const receiptOf = ({ _id }: OrderRecord) =>
  readReceipt({ db: shop.db, env: shop.env, account: customer }, _id);
const kindsOf = async ({ _id }: OrderRecord) =>
  (await readTimeline(shop.db, _id, customer))
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('dispute'));

test('Duplicate and late deliveries about a dispute move the money once each way', async () => {
  const { order, intent } = await newDisputedOrder();
  for (const event of (await shop.eventsOf(intent)).slice(-4).reverse())
    expect(await shop.deliver(event)).toBe(200);
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'disputeWithdrawn -49950']);
  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'won' });
  // All events arrive again after the decision.
  for (const event of (await shop.eventsOf(intent)).slice(-6).reverse()) {
    const statuses = await Promise.all([1, 2, 3].map(() => shop.deliver(event)));
    expect(statuses).toEqual([200, 200, 200]);
  }
  expect(await shop.ledgerEntriesOf(order)).toEqual([
    'payment 49950',
    'disputeWithdrawn -49950',
    'disputeReinstated 49950',
  ]);
  const [dispute] = await disputesOf(order);
  expect(dispute).toMatchObject({
    status: 'won',
    reason: 'fraudulent',
    amountCents: 49_950,
    paymentIntentId: intent.id,
  });
  // Only the withdrawal has a fee.
  const ofDispute = shop.db
    .select()
    .from(ledger)
    .where(eq(ledger.stripeId, dispute?.disputeId ?? ''));
  expect((await ofDispute.orderBy(ledger.sequence)).map(({ kind }) => kind)).toEqual([
    'disputeWithdrawn',
    'fee',
    'disputeReinstated',
  ]);
  expect(await kindsOf(order)).toEqual(['disputeOpened', 'disputeClosed']);
  expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
  expect(await receiptOf(order)).toMatchObject({ totalCents: 49_950, disputedCents: 0 });
});

test('An administrator reads about a dispute until it is decided, and its customer does not', async () => {
  const { order, intent } = await newDisputedOrder();
  const before = await readOpenDisputes(shop.db);
  await deliverAll(intent);
  expect(await readOpenDisputes(shop.db)).toEqual({
    payments: before.payments + 1,
    cents: before.cents + 49_950,
    orderIds: [...before.orderIds, order._id],
    lostCents: before.lostCents,
    lostOrderIds: before.lostOrderIds,
  });
  const [item] = await shop.attentionFor(order);
  expect(item).toMatchObject({ kind: 'dispute', text: expect.stringContaining('$499.50') as string });
  await queueAlerts(shop.env, shop.db);
  const sent = await shop.sendMails();
  expect(sent.findLast(({ to }) => to === shop.env.NOTIFY_EMAIL)?.text).toContain(
    'Send your evidence in Stripe',
  );
  const refundsAs = async (account: Account) =>
    (await shop.callAs(account, 'GET', `/order/${order._id}/refunds`)).json as OrderRefunds;
  const disputesAs = async (account: Account) => (await refundsAs(account)).disputes;
  expect((await refundsAs(staff)).obstacle).toContain('until it is decided');
  expect((await refundsAs(customer)).obstacle).toBe('');
  expect(await disputesAs(staff)).toEqual(await shop.attentionFor(order));
  expect(await disputesAs(customer)).toEqual([]);

  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'lost' });
  await deliverAll(intent);
  expect(await disputesAs(staff)).toEqual([]);
  expect((await refundsAs(staff)).obstacle).toContain('nothing left to refund');
  expect(await shop.attentionFor(order)).toMatchObject([
    { kind: 'lostDispute', text: expect.stringContaining('$499.50') as string },
  ]);
  expect(await receiptOf(order)).toMatchObject({ totalCents: 49_950, disputedCents: 49_950 });
  await changeOrder(shop.db, await shop.readOrder(order), {
    kind: 'delivered',
    by: stripeActor,
    set: { orderStatus: 'Delivered' },
  });
  expect(await shop.attentionFor(order)).toEqual([]);
  expect(await readOpenDisputes(shop.db)).toEqual({
    ...before,
    lostCents: before.lostCents + 49_950,
    lostOrderIds: [...before.lostOrderIds, order._id],
  });
});

test('A dispute and its decision are found without webhooks, once Stripe answers', async () => {
  const since = Date.now() - 1_000;
  const { order, intent } = await newDisputedOrder();
  const context = shop.openPaymentContext();
  const readMissed = () => handleMissedEvents(context, since);
  const away = vi.spyOn(context.stripe.disputes, 'retrieve').mockRejectedValue(new Error('Stripe is down.'));
  await expect(readMissed()).rejects.toThrow('Stripe is down.');
  away.mockRestore();
  expect(await disputesOf(order)).toEqual([]);
  await readMissed();
  const { data } = await shop.stripe.disputes.list({ payment_intent: intent.id });
  const openedAt = (data[0]?.created ?? 0) * 1_000;
  expect(await disputesOf(order)).toMatchObject([{ status: 'needs_response', openedAt, closedAt: null }]);
  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'lost' });
  await readMissed();
  expect(await disputesOf(order)).toMatchObject([{ status: 'lost' }]);
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'disputeWithdrawn -49950']);
});

test('A dispute records each status that Stripe reports, once', async () => {
  const { order, intent, dispute } = await newDispute();
  const { context, events } = shop.openLogged();
  const settleAs = openSettling(dispute, context);
  const settle = async (said: Partial<Stripe.Dispute>) => {
    await settleAs(said);
    const [{ status, evidenceDueAt, closedAt } = {}] = await disputesOf(order);
    return { status, evidenceDueAt, closedAt };
  };
  const dueAt = (dispute.evidence_details.due_by ?? 0) * 1_000;
  const inEuros = { currency: 'eur', amount: -46_000 };
  const inquiry = {
    status: 'warning_needs_response',
    evidence_details: { ...dispute.evidence_details, due_by: null },
    balance_transactions: dispute.balance_transactions.map((one) => ({ ...one, ...inEuros })),
  } as const;
  expect(await settle(inquiry)).toEqual({ status: inquiry.status, evidenceDueAt: null, closedAt: null });
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'disputeWithdrawn -49950']);
  await settle(inquiry);
  expect(await kindsOf(order)).toEqual(['disputeOpened']);

  const { closedAt } = await settle({ status: 'warning_closed', payment_intent: intent });
  expect(closedAt).toEqual(expect.any(Number));
  // The time of the decision does not change.
  expect(await settle({ status: 'prevented' })).toEqual({
    status: 'prevented',
    evidenceDueAt: dueAt,
    closedAt,
  });
  expect(await settle({})).toEqual({ status: 'needs_response', evidenceDueAt: dueAt, closedAt: null });
  for (const status of ['won', 'needs_response', 'lost'] as const) await settle({ status });
  expect(await kindsOf(order)).toEqual([
    ...['disputeOpened', 'disputeClosed', 'disputeUpdated', 'disputeUpdated'],
    ...['disputeClosed', 'disputeUpdated', 'disputeClosed'],
  ]);
  expect(events).toEqual(Array(7).fill('dispute.recorded'));
  await settle({ payment_intent: null });
  expect([events.at(-1), events.length]).toEqual(['dispute.unknown', 8]);
});

test('The ledger records the money of a dispute whose status did not change', async () => {
  const { order, dispute } = await newDispute();
  const settle = openSettling(dispute);
  await settle({ amount: 50_000, balance_transactions: [] });
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950']);
  const balance_transactions = dispute.balance_transactions.map((one) => ({ ...one, fee: 1_500 }));
  await settle({ amount: 50_000, balance_transactions });
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'disputeWithdrawn -49950']);
  const ofDispute = shop.db.select().from(ledger).where(eq(ledger.stripeId, dispute.id));
  expect(await ofDispute.orderBy(ledger.sequence)).toMatchObject([
    { kind: 'disputeWithdrawn' },
    { kind: 'fee', amountCents: -1_500 },
  ]);
});

test('A dispute is recorded even if its order changes at the same time', async () => {
  const { order, intent, dispute } = await newDispute();
  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'lost' });
  let changes = 0;
  const context = shop.openPaymentContext(async (step) => {
    if (step !== 'record dispute' || changes > 0) return;
    changes += 1;
    const set = { customerCompany: 'Ann & Co.' };
    await changeOrder(shop.db, await shop.readOrder(order), { kind: 'billingChanged', by: stripeActor, set });
  });
  await settleDispute(context, dispute.id);
  expect(changes).toBe(1);
  expect(await disputesOf(order)).toMatchObject([{ status: 'lost' }]);
  expect((await readTimeline(shop.db, order._id, customer)).at(-1)).toMatchObject({
    kind: 'disputeClosed',
    after: { amount: '499.50', reason: 'fraudulent', status: 'lost' },
  });
});

test('An older answer about a dispute never replaces a newer one', async () => {
  const { order, intent, dispute } = await newDispute();
  await settleDispute(shop.openPaymentContext(), dispute.id);
  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'under_review' });
  let isFirst = true;
  const slow = shop.openPaymentContext(async (step) => {
    if (step !== 'record dispute' || !isFirst) return;
    isFirst = false;
    shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'won' });
    await settleDispute(shop.openPaymentContext(), dispute.id);
  });
  await settleDispute(slow, dispute.id);
  expect(isFirst).toBe(false);
  expect(await disputesOf(order)).toMatchObject([{ status: 'won' }]);
  expect(await kindsOf(order)).toEqual(['disputeOpened', 'disputeClosed']);
});
