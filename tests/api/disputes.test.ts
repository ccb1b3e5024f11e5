/**
 * Disputes, from the webhook and from reconciliation: their money, what the administrator reads about them, and
 * answers of Stripe that arrive late or not at all.
 */
import { eq, min } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type Stripe from 'stripe';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Account } from '#contract/accounts.ts';
import type { OrderRefunds } from '#contract/refunds.calls.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { jobRuns } from '#worker/operations/schema.ts';
import { changeOrder, stripeActor } from '#worker/orders/changes.ts';
import { readTimeline } from '#worker/orders/read.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import { queueAlerts } from '#worker/attention/alerts.ts';
import { reconcileDisputes, settleDispute } from '#worker/payments/disputes.ts';
import { readOpenDisputes } from '#worker/payments/open-disputes.ts';
import { reconcileAll } from './payment-steps.ts';
import { disputes, payments } from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { customer, openShop, staff, type Shop } from './orders-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

/** A new order with a disputed payment that the site does not know of yet. */
const newDisputedOrder = () => shop.newPayment('pm_card_createDispute');

/** Delivers all events of an intent. */
async function deliverAll(intent: Stripe.PaymentIntent): Promise<void> {
  for (const event of await shop.eventsOf(intent)) expect(await shop.deliver(event)).toBe(200);
}

const disputesOf = ({ _id }: OrderRecord) => shop.db.select().from(disputes).where(eq(disputes.orderId, _id));
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
  expect(await disputesOf(order)).toMatchObject([
    { status: 'won', reason: 'fraudulent', amountCents: 49_950, paymentIntentId: intent.id },
  ]);
  expect(await kindsOf(order)).toEqual(['disputeOpened', 'disputeClosed']);
  expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
});

test('An administrator reads about a dispute until it is decided, and its customer does not', async () => {
  const { order, intent } = await newDisputedOrder();
  const before = await readOpenDisputes(shop.db);
  await deliverAll(intent);
  expect(await readOpenDisputes(shop.db)).toEqual({
    payments: before.payments + 1,
    cents: before.cents + 49_950,
    orderIds: [...before.orderIds, order._id],
  });
  const [dispute] = await disputesOf(order);
  const [item] = await shop.attentionFor(order);
  expect(item).toMatchObject({
    kind: 'dispute',
    text: expect.stringContaining(
      `$499.50 for order ${displayOrderNumber(order.number)}: the cardholder says that they did not make this payment.`,
    ) as string,
    stripeUrl: `https://dashboard.stripe.com/test/disputes/${dispute?.disputeId ?? ''}`,
  });
  await queueAlerts(shop.env, shop.db);
  shop.sent.length = 0;
  await deliverMail(shop.env, () => undefined, shop.db);
  expect(shop.sent.find(({ to }) => to === shop.env.NOTIFY_EMAIL)?.text).toContain(
    'Send your evidence in Stripe',
  );
  const refundsAs = async (account: Account) =>
    (await shop.callAs(account, 'GET', `/order/${order._id}/refunds`)).json<OrderRefunds>();
  const disputesAs = async (account: Account) => (await refundsAs(account)).disputes;
  expect((await refundsAs(staff)).obstacle).toContain('until it is decided');
  expect((await refundsAs(customer)).obstacle).toBe('');
  expect(await disputesAs(staff)).toEqual(await shop.attentionFor(order));
  expect(await disputesAs(customer)).toEqual([]);

  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'lost' });
  await deliverAll(intent);
  expect(await disputesAs(staff)).toEqual([]);
  expect((await refundsAs(staff)).obstacle).toContain('nothing is left to return');
  expect(await shop.attentionFor(order)).toEqual([]);
  expect(await readOpenDisputes(shop.db)).toEqual(before);
});

test('Reconciliation finds a dispute and its decision without webhooks', async () => {
  const { order, intent } = await newDisputedOrder();
  const reconcile = async () => {
    await shop.db.update(jobRuns).set({ ranAt: 0 });
    await reconcileAll(shop.openPaymentContext());
  };
  await reconcile();
  expect(await disputesOf(order)).toMatchObject([{ status: 'needs_response', closedAt: null }]);
  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'lost' });
  await reconcileAll(shop.openPaymentContext());
  expect(await disputesOf(order)).toMatchObject([{ closedAt: null }]);
  await reconcile();
  expect(await disputesOf(order)).toMatchObject([{ status: 'lost' }]);
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'disputeWithdrawn -49950']);
});

test('A dispute records each status that Stripe reports, once', async () => {
  const { order, intent } = await newDisputedOrder();
  await settlePayment(shop.openPaymentContext(), intent);
  const [made] = (await shop.stripe.disputes.list({ payment_intent: intent.id })).data;
  if (!made) throw new Error('There is no dispute.');
  const { context, events } = shop.openLogged();
  const retrieve = vi.spyOn(context.stripe.disputes, 'retrieve');
  const settle = async (said: Partial<Stripe.Dispute>) => {
    retrieve.mockResolvedValue({ ...made, ...said, lastResponse: {} as never });
    await settleDispute(context, made.id);
    const [{ status, evidenceDueAt, closedAt } = {}] = await disputesOf(order);
    return { status, evidenceDueAt, closedAt };
  };
  const dueAt = (made.evidence_details.due_by ?? 0) * 1_000;
  const inquiry = {
    status: 'warning_needs_response',
    evidence_details: { ...made.evidence_details, due_by: null },
    // The Stripe balance is in euros.
    balance_transactions: made.balance_transactions.map((one) => ({
      ...one,
      currency: 'eur',
      amount: -46_000,
    })),
  } as const;
  expect(await settle(inquiry)).toEqual({ status: inquiry.status, evidenceDueAt: null, closedAt: null });
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'disputeWithdrawn -49950']);
  await settle(inquiry);
  expect(await kindsOf(order)).toEqual(['disputeOpened']);

  const { closedAt } = await settle({ status: 'warning_closed', payment_intent: intent });
  expect(closedAt).toEqual(expect.any(Number));
  // The time of the decision does not change.
  expect(await settle({ status: 'prevented' })).toEqual({
    ...{ status: 'prevented', evidenceDueAt: dueAt, closedAt },
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
  const { order, intent } = await newDisputedOrder();
  await settlePayment(shop.openPaymentContext(), intent);
  const [made] = (await shop.stripe.disputes.list({ payment_intent: intent.id })).data;
  if (!made) throw new Error('There is no dispute.');
  const context = shop.openPaymentContext();
  const retrieve = vi.spyOn(context.stripe.disputes, 'retrieve');
  const settle = async (said: Partial<Stripe.Dispute>) => {
    retrieve.mockResolvedValue({ ...made, amount: 50_000, ...said, lastResponse: {} as never });
    await settleDispute(context, made.id);
    return shop.ledgerEntriesOf(order);
  };
  expect(await settle({ balance_transactions: [] })).toEqual(['payment 49950']);
  expect(await settle({})).toEqual(['payment 49950', 'disputeWithdrawn -49950']);
});

test('A dispute is recorded even if its order changes at the same time', async () => {
  const { order, intent } = await newDisputedOrder();
  await settlePayment(shop.openPaymentContext(), intent);
  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'lost' });
  const [made] = (await shop.stripe.disputes.list({ payment_intent: intent.id })).data;
  let changes = 0;
  const context = shop.openPaymentContext(async (step) => {
    if (step !== 'record dispute' || changes > 0) return;
    changes += 1;
    const set = { customerCompany: 'Ann & Co.' };
    await changeOrder(shop.db, await shop.readOrder(order), { kind: 'billingChanged', by: stripeActor, set });
  });
  await settleDispute(context, made?.id ?? '');
  expect(changes).toBe(1);
  expect(await disputesOf(order)).toMatchObject([{ status: 'lost' }]);
  expect((await readTimeline(shop.db, order._id, customer)).at(-1)).toMatchObject({
    kind: 'disputeClosed',
    after: { amount: '499.50', reason: 'fraudulent', status: 'lost' },
  });
});

test('Every six hours, reconciliation lists disputes since six hours before its last success', async () => {
  const context = shop.openPaymentContext();
  const list = vi.spyOn(context.stripe.disputes, 'list');
  const now = Date.now();
  const span = 6 * 3_600_000;
  const askAfter = async (ranAt: number, succeededAt: number | null) => {
    await shop.db.delete(jobRuns).where(eq(jobRuns.name, 'disputes'));
    await shop.db.insert(jobRuns).values({ name: 'disputes', ranAt, succeededAt });
    list.mockClear();
    await reconcileDisputes(context);
    return list.mock.calls.map(([params]) => params);
  };
  const asked = (since: number) => [{ created: { gte: Math.floor((since - span) / 1_000) }, limit: 100 }];
  expect(await askAfter(now - span + 60_000, now - span)).toEqual([]);
  expect(await askAfter(now - span - 1, now - 5 * span)).toEqual(asked(now - 5 * span));
  // Without a success, it lists disputes from the first payment on.
  const [first] = await shop.db.select({ at: min(payments.at) }).from(payments);
  expect(await askAfter(0, null)).toEqual(asked(first?.at ?? 0));
});

test('A failed reconciliation of disputes starts over from the last success', async () => {
  const { order, intent } = await newDisputedOrder();
  const { context, events } = shop.openLogged();
  const readRun = async () => {
    const [run] = await shop.db.select().from(jobRuns).where(eq(jobRuns.name, 'disputes'));
    return run;
  };
  await shop.db.update(jobRuns).set({ ranAt: 0 });
  const succeededAt = (await readRun())?.succeededAt;
  // The client tries twice.
  shop.emulator.controls.planFault({ kind: 'error-before', method: 'GET', path: '/v1/disputes', count: 2 });
  await reconcileAll(context);
  expect(events).toContain('dispute.not-reconciled');
  expect(await readRun()).toMatchObject({ succeededAt, failure: expect.any(String) as string });
  expect(await disputesOf(order)).toEqual([]);
  await shop.db.update(jobRuns).set({ ranAt: 0 });
  await reconcileAll(context);
  expect(events).toContain('dispute.recorded');
  expect(await readRun()).toMatchObject({ failure: null });
  const { data } = await shop.stripe.disputes.list({ payment_intent: intent.id });
  const openedAt = (data[0]?.created ?? 0) * 1_000;
  expect(await disputesOf(order)).toMatchObject([{ status: 'needs_response', openedAt }]);
});

test('An older answer about a dispute never replaces a newer one', async () => {
  const { order, intent } = await newDisputedOrder();
  const { data } = await shop.stripe.disputes.list({ payment_intent: intent.id });
  const id = data[0]?.id ?? '';
  await settleDispute(shop.openPaymentContext(), id);
  shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'under_review' });
  let isFirst = true;
  const slow = shop.openPaymentContext(async (step) => {
    if (step !== 'record dispute' || !isFirst) return;
    isFirst = false;
    shop.emulator.controls.dispute({ paymentIntent: intent.id, outcome: 'won' });
    await settleDispute(shop.openPaymentContext(), id);
  });
  await settleDispute(slow, id);
  expect(isFirst).toBe(false);
  expect(await disputesOf(order)).toMatchObject([{ status: 'won' }]);
  expect(await kindsOf(order)).toEqual(['disputeOpened', 'disputeClosed']);
});
