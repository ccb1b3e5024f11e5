/** Subscriptions: sold, renewed, managed and ended, with Stripe's stand-in and a clock that a test moves. */
import { eq, isNull } from 'drizzle-orm';
import type Stripe from 'stripe';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { readAttention } from '#worker/attention/attention.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { dayOf } from '#worker/env.ts';
import { readCustomer } from '#worker/customers/read.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { mails } from '#worker/mail/schema.ts';
import { orderBriefs, orderSteps } from '#worker/fulfillment/plan-schema.ts';
import { changeOrder } from '#worker/orders/changes.ts';
import { listOrders } from '#worker/orders/list.ts';
import { customers, orders, subscriptions } from '#worker/orders/schema.ts';
import { auditEvents } from '#worker/audit/schema.ts';
import { ordersOfPerson } from '#worker/orders/personal-data.ts';
import { placeOrder, placeOrderForCustomer } from '#worker/orders/place.ts';
import { cancelOrder } from '#worker/payments/cancel.ts';
import { confirmPayment, requestPaymentIntent } from '#worker/payments/pay.ts';
import { refundsOfPerson } from '#worker/payments/personal-data.ts';
import { ledger } from '#worker/payments/schema.ts';
import { cancelAtPeriodEnd } from '#worker/payments/manage-subscription.ts';
import { nextPaymentAt, readSubscriptionTotals, whatNext } from '#worker/payments/subscriptions.ts';
import { recordInvoice } from '#worker/payments/renewals.ts';
import { settleReported } from '#worker/payments/reported-payment.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { reconcileSubscriptions, syncSubscription } from '#worker/payments/sync-subscription.ts';
import { webhookEvents, type WebhookEvent } from '#worker/payments/stripe.ts';
import { scheduleReconciliation } from '#worker/payments/after-restore.ts';
import { writeBatch } from '#worker/db/client.ts';
import { randomFrom, shuffled } from '../support/random.ts';
import { byCustomer, customer, input, restrictedKey, staff, stranger } from './orders-shop.ts';
import { openSubscriptionShop, type SubscriptionShop } from './subscription-shop.ts';
import { tolerate } from './payment-steps.ts';

/** Creating the database is slow, so tests share it and begin with an account without subscriptions. */
const shop = await openSubscriptionShop();
afterAll(() => shop.close());
beforeEach(async () => {
  // Noon on the first of a month with 31 days.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 2, 1, 12) });
  await shop.takeEvents();
});
afterEach(async () => {
  for (const { stripeId } of await shop.db.select().from(subscriptions).where(isNull(subscriptions.endedAt)))
    if (stripeId !== null) await tolerateMissing(shop.stripe.subscriptions.cancel(stripeId));
  await shop.report(await shop.takeEvents());
  await shop.db.update(subscriptions).set({ endedAt: 1, checkAt: null }).where(isNull(subscriptions.endedAt));
  await shop.db.delete(mails);
});

const declining = 'pm_card_chargeCustomerFail';
/** A subscription that was never paid has already expired. */
const tolerateMissing = (work: Promise<unknown>) => work.catch(() => undefined);
const view = async (id: string): Promise<Subscription> =>
  (await shop.callAs(customer, 'GET', `/subscription/${id}`)).json as Subscription;
const change = (id: string, what: string, body?: object, account = customer) =>
  shop.callAs(account, 'POST', `/subscription/${id}/${what}`, body);
const subjects = async () => (await shop.db.select().from(mails)).map(({ kind }) => kind);
/** The subjects of all emails, sent and waiting. */
const mailed = async () => [
  ...shop.sent.map(({ subject }) => subject),
  ...(await shop.db.select().from(mails)).map(({ subject }) => subject),
];
const sync = ({ stripeId }: { stripeId: string }) => syncSubscription(shop.openPaymentContext(), stripeId);

describe('The first payment', () => {
  test('starts a subscription at Stripe and makes the order Paid, as for any other order', async () => {
    const { first, id } = await shop.subscribe();
    expect(await shop.readOrder(first)).toMatchObject({ paymentStatus: 'Paid', billing: 'monthly' });
    expect(await view(id)).toMatchObject({
      state: 'active',
      displayName: 'Monthly care',
      nextPaymentOn: '04/01/2027',
      nextAmount: '499.50',
      card: 'Visa ending in 4242',
      whatNext:
        'The next payment of $499.50 is due on 04/01/2027. It will be charged to the Visa ending in 4242.',
    });
  });

  test('after midnight renews on the day on which its page was opened, as at Stripe', async () => {
    vi.setSystemTime(Date.UTC(2027, 2, 15, 23, 50));
    const first = await shop.newMonthlyOrder();
    const opened = await shop.openPage(first);
    vi.setSystemTime(Date.UTC(2027, 2, 16, 0, 10));
    await shop.payByCard(opened);
    // The charge, not the PaymentIntent, has the time of the payment.
    const paid = await shop.stripe.paymentIntents.retrieve(opened, { expand: ['latest_charge'] });
    await settlePayment(shop.openPaymentContext(), paid);
    await shop.report(await shop.takeEvents());
    const id = first.subscriptionId ?? '';
    expect((await view(id)).nextPaymentOn).toBe('04/15/2027');
    expect((await change(id, 'pause', { months: 1 })).json).toMatchObject({ nextPaymentOn: '05/15/2027' });
  });

  test('creates one subscription, no matter how many tabs open the page', async () => {
    const order = await shop.newMonthlyOrder();
    const opened = await Promise.all([shop.openPage(order), shop.openPage(order), shop.openPage(order)]);
    expect(new Set(opened).size).toBe(1);
    const { stripeId } = await shop.readRow(order.subscriptionId ?? '');
    const live = (await shop.stripe.subscriptions.list({ limit: 100 })).data.filter(
      ({ metadata, ended_at }) => metadata['orderId'] === order._id && ended_at === null,
    );
    expect(live.map(({ id }) => id)).toEqual([stripeId]);
    await cancelOrder(shop.openPaymentContext(), order._id, byCustomer);
  });

  test('that nobody makes ends with its cancelled order, even if Stripe reports the subscription in the meantime', async () => {
    const order = await shop.newMonthlyOrder();
    await shop.openPage(order);
    const { _id, stripeId } = await shop.readRow(order.subscriptionId ?? '');
    let isCancelled = false;
    const context = shop.openPaymentContext(async (step) => {
      if (step !== 'record subscription' || isCancelled) return;
      isCancelled = true;
      await cancelOrder(shop.openPaymentContext(), order._id, byCustomer);
    });
    await syncSubscription(context, stripeId ?? '');
    expect((await shop.readRow(_id)).endedAt).not.toBeNull();
    await expect(shop.newMonthlyOrder()).resolves.toMatchObject({ packageName: 'Premium' });
  });

  test('cannot be made twice, because a second order of the package is refused during the subscription, even a concurrent one', async () => {
    const tries = await Promise.allSettled([1, 2, 3].map(() => shop.newMonthlyOrder()));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of tries)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ status: 409 });
  });

  test('cannot be made twice for a customer whose orders an administrator places', async () => {
    const buyer = { ...input, packageName: 'Premium', customerEmail: 'dora@lender.example' } as const;
    const caller = { db: shop.db, env: shop.env, account: staff, clientIp: '203.0.113.7' };
    await placeOrderForCustomer(caller, buyer, undefined);
    await expect(placeOrderForCustomer(caller, buyer, undefined)).rejects.toMatchObject({ status: 409 });
    const dora = { ...customer, id: newId(), email: buyer.customerEmail };
    await expect(shop.newMonthlyOrder(dora)).rejects.toMatchObject({ status: 409 });
  });

  test('still settles the order when the payer is an administrator, whose page also asks to set it Paid', async () => {
    const order = await shop.newMonthlyOrder();
    const setPaid = () => shop.setPayment(order, 'Paid');
    const intent = await shop.openPage(order);
    await expect(setPaid()).rejects.toMatchObject({ status: 409 });
    await shop.payByCard(intent);
    expect(await setPaid()).toMatchObject({ paymentStatus: 'Paid', paymentMethod: 'Card' });
    await expect(shop.setPayment(order, 'UnPaid')).rejects.toMatchObject({ status: 409 });
    expect(await view(order.subscriptionId ?? '')).toMatchObject({ state: 'active' });
  });

  test('of a cancelled order cannot be made, and the package can be ordered again', async () => {
    const order = await shop.newMonthlyOrder();
    const intent = await shop.openPage(order);
    await cancelOrder(shop.openPaymentContext(), order._id, byCustomer);
    await expect(shop.payByCard(intent)).rejects.toThrow('canceled');
    const { stripeId } = await shop.readRow(order.subscriptionId ?? '');
    expect((await shop.stripe.subscriptions.retrieve(stripeId ?? '')).status).toBe('incomplete_expired');
    await shop.newMonthlyOrder();
  });

  test('is blocked after too many declined cards, and is possible later', async () => {
    const order = await shop.newMonthlyOrder();
    const intent = await shop.openPage(order);
    for (let tries = 0; tries < 5; tries += 1)
      await shop.payByCard(intent, 'pm_card_chargeDeclined').catch(() => undefined);
    await shop.report(await shop.takeEvents());
    expect((await shop.stripe.paymentIntents.retrieve(intent)).status).toBe('canceled');
    shop.passDays(1);
    await shop.payByCard(await shop.openPage(order));
    await confirmPayment(shop.openPaymentContext(), order._id);
    await shop.report(await shop.takeEvents());
    expect(await view(order.subscriptionId ?? '')).toMatchObject({ state: 'active' });
  });

  test('is possible a week later, when the first attempt at Stripe has expired', async () => {
    const order = await shop.newMonthlyOrder();
    const dropped = await shop.openPage(order);
    await shop.liveFor(7);
    // The order can still be paid, so a second one would be a second subscription.
    await expect(shop.newMonthlyOrder()).rejects.toMatchObject({ status: 409 });
    const intent = await shop.openPage(order);
    expect(intent).not.toBe(dropped);
    await shop.payByCard(intent);
    await confirmPayment(shop.openPaymentContext(), order._id);
    await shop.report(await shop.takeEvents());
    expect(await view(order.subscriptionId ?? '')).toMatchObject({
      state: 'active',
      nextPaymentOn: '04/08/2027',
    });
  });

  test('that only the subscription at Stripe reveals makes the order Paid, and the subscription active', async () => {
    const order = await shop.newMonthlyOrder();
    await shop.payByCard(await shop.openPage(order));
    const { _id, stripeId } = await shop.readRow(order.subscriptionId ?? '');
    await sync({ stripeId: stripeId ?? '' });
    expect(await shop.monthsOf(_id)).toMatchObject([{ _id: order._id, paymentStatus: 'Paid' }]);
    expect(await view(_id)).toMatchObject({ state: 'active', nextPaymentOn: '04/01/2027' });
  });

  test('has the amount of the order: other amounts are refused, and nobody can mark it as paid by hand', async () => {
    const order = await shop.newMonthlyOrder();
    await expect(shop.openPage({ ...order, packagePrice: '0.50' })).rejects.toMatchObject({ status: 409 });
    await expect(shop.setPayment(order, 'Paid')).rejects.toMatchObject({ status: 409 });
    const intent = await shop.openPage(order);
    expect((await shop.stripe.paymentIntents.retrieve(intent)).amount).toBe(49_950);
    const { subscriptionId } = await requestPaymentIntent(
      shop.openPaymentContext(),
      order._id,
      '499.50',
      customer,
    );
    expect(subscriptionId).toBe(order.subscriptionId);
    for (const what of ['cancel', 'portal'])
      expect((await change(order.subscriptionId ?? '', what)).status, what).toBe(409);
  });

  test('for an order that was cancelled in the meantime is refunded, and nothing is renewed', async () => {
    const order = await shop.newMonthlyOrder();
    const intent = await shop.payByCard(await shop.openPage(order));
    const cancelled = { kind: 'cancelled', by: byCustomer, set: { paymentStatus: 'Cancelled' } } as const;
    await changeOrder(shop.db, await shop.readOrder(order), cancelled);
    await settleReported(shop.openPaymentContext(), intent.id);
    const { stripeId } = await shop.readRow(order.subscriptionId ?? '');
    expect((await shop.stripe.subscriptions.retrieve(stripeId ?? '')).status).toBe('canceled');
    expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'refund -49950']);
  });
});

describe('A renewal', () => {
  test('is a separate order with a number, a plan, the previous answers, a ledger entry, a receipt and one email', async () => {
    const question = contentTables.briefQuestion;
    const step = contentTables.planStep;
    const [asked, planned] = [newId(), newId()];
    await shop.db
      .insert(question)
      .values({ _id: asked, question: 'Which towns?', kind: 'line', required: 'yes' });
    await shop.db.insert(step).values({ _id: planned, title: 'Review', dueDays: '5', approval: 'no' });
    onTestFinished(async () => {
      await shop.db.delete(question);
      await shop.db.delete(step);
    });
    const { first, id, stripeId } = await shop.subscribe();
    await shop.db
      .update(orderBriefs)
      .set({ answers: { [asked]: 'Joliet' }, sentAt: 5, asked: [] })
      .where(eq(orderBriefs.orderId, first._id));
    await shop.db.delete(mails);
    await shop.liveFor(32);
    const [one, two, ...more] = await shop.monthsOf(id);
    expect(more).toEqual([]);
    expect(two).toMatchObject({
      paymentStatus: 'Paid',
      orderStatus: 'Pending',
      number: expect.toSatisfy((number: number) => number > (one?.number ?? 0)) as number,
      orderDay: expect.toSatisfy((day: string) => day >= '2027-04-01') as string,
      customerName: first.customerName,
      priceCents: 49_950,
    });
    const secondId = two?._id ?? '';
    expect(await shop.db.select().from(orderBriefs).where(eq(orderBriefs.orderId, secondId))).toMatchObject([
      { answers: { [asked]: 'Joliet' }, sentAt: 5 },
    ]);
    expect(await shop.db.select().from(orderSteps).where(eq(orderSteps.orderId, secondId))).toHaveLength(1);
    expect(await shop.ledgerEntriesOf({ _id: secondId })).toEqual(['payment 49950']);
    // After a restore, Stripe's texts tell which order numbers are taken.
    expect(await shop.stripe.paymentIntents.retrieve(two?.transactionId ?? '')).toMatchObject({
      description: `Order #${String(two?.number)}: ${first.displayName || first.packageName} package, one month`,
      metadata: { site: shop.env.SITE_URL, subscription: stripeId, invoice: two?.invoiceId },
    });
    for (const [orderId, month] of [
      [first._id, '03/01/2027 to 04/01/2027'],
      [secondId, '04/01/2027 to 05/01/2027'],
    ] as const)
      expect(await shop.readReceiptAs(customer, orderId)).toMatchObject({
        lines: [{ title: `${first.displayName || first.packageName} package, ${month}` }],
      });
    expect((await subjects()).sort()).toEqual(['order-paid', 'order-paid-notice']);
    await deliverMail(shop.env, () => undefined, shop.db);
    const receipt = shop.sent.findLast(({ subject }) => subject.startsWith('We received your payment'));
    expect(receipt?.text).toContain('will be charged to the same card on 05/01/2027, and then every month');
    expect(receipt?.text).toContain(`/subscription/${id}`);
    const listed = await shop.callAs(customer, 'GET', `/subscription/${id}/orders`);
    expect(listed.json).toMatchObject([{ _id: secondId }, { _id: first._id }]);
  });

  test('is recorded once, whether its events are reordered, repeated or concurrent', async () => {
    const { id } = await shop.subscribe();
    shop.passDays(70);
    const events = shuffled(randomFrom(7), await shop.takeEvents());
    await Promise.all([shop.report(events), shop.report(events.toReversed()), shop.report(events)]);
    expect(await shop.monthsOf(id)).toHaveLength(3);
    await shop.report(events);
    const { rows } = await readAttention(shop.db, shop.env);
    expect(rows.filter(({ kind }) => kind === 'unsettledIntent')).toEqual([]);
  });

  test('without a webhook is found in Stripe’s list of events and by reconciliation', async () => {
    const { id } = await shop.subscribe();
    const since = Date.now();
    shop.passDays(32);
    await shop.readMissed(since);
    expect(await shop.monthsOf(id)).toHaveLength(2);
    shop.passDays(33);
    await reconcileSubscriptions(shop.openPaymentContext());
    expect(await shop.monthsOf(id)).toHaveLength(3);
  });

  test('that is recorded late is listed with the orders of the day on which it was paid', async () => {
    const { id } = await shop.subscribe();
    const since = Date.now();
    const order = () => placeOrder({ db: shop.db, env: shop.env, account: customer }, input, undefined);
    shop.passDays(31);
    const sameDay = await order();
    shop.passDays(2);
    const later = await order();
    await shop.readMissed(since);
    const [, month] = await shop.monthsOf(id);
    const listed = async (day: string) => {
      const days = { from: day, to: day, page: 1, pageSize: 100, sort: 'newest' } as const;
      return (await listOrders(shop.db, days)).rows.map(({ _id }) => _id);
    };
    const [paidThen, placedLater] = [await listed(sameDay.orderDay), await listed(later.orderDay)];
    expect(paidThen).toEqual(expect.arrayContaining([month?._id, sameDay._id]));
    expect(paidThen).not.toContain(later._id);
    expect(placedLater).not.toContain(month?._id);
  });

  test('whose refund is reported first is recorded with it', async () => {
    const { id } = await shop.subscribe();
    shop.passDays(32);
    const [intent] = (await shop.stripe.paymentIntents.list({ limit: 1 })).data;
    shop.emulator.controls.refund({ paymentIntent: intent?.id ?? '', amount: 1_000 });
    const events = await shop.takeEvents();
    await shop.report(events.filter(({ type }) => type === 'refund.created'));
    expect((await shop.monthsOf(id)).at(-1)).toMatchObject({ refundedCents: 1_000 });
  });

  test('is recorded for the payment that paid its invoice, and not for an invoice that was marked as paid by hand', async () => {
    const { id, stripeId } = await shop.subscribe();
    const row = await shop.readRow(id);
    const { data: invoices } = await shop.stripe.invoices.list({ subscription: stripeId });
    const failed = {
      status: 'open',
      payment: { payment_intent: await shop.openPage(await shop.newOrder()) },
    };
    const { id: charged } = await shop.makeForeignIntent({ amount: 49_950, metadata: {} });
    await shop.payByCard(charged);
    const paid = { status: 'paid', payment: { payment_intent: charged } };
    const { context, events } = shop.openLogged();
    const record = (data: object[]) =>
      recordInvoice(context, row, {
        ...invoices[0],
        id: `in_${newId()}`,
        payments: { data },
      } as Stripe.Invoice);
    await record([]);
    await record([failed]);
    expect(events).toEqual(['subscription.unpaid-invoice', 'subscription.unpaid-invoice']);
    expect(await shop.monthsOf(id)).toHaveLength(1);
    await record([failed, paid]);
    expect((await shop.monthsOf(id)).map(({ transactionId }) => transactionId)).toContain(charged);
  });

  test('of another product on the same Stripe account creates nothing', async () => {
    const [since, before] = [Date.now(), await shop.db.$count(orders)];
    const foreign = await shop.stripe.customers.create({});
    await shop.stripe.products.create({ id: 'foreign', name: 'Theirs' });
    const recurring = { interval: 'month' } as const;
    const made = await shop.stripe.subscriptions.create({
      customer: foreign.id,
      items: [{ price_data: { currency: 'usd', product: 'foreign', recurring, unit_amount: 5_000 } }],
      metadata: { site: 'https://another.example', orderId: newId() },
      payment_behavior: 'default_incomplete',
      payment_settings: { payment_method_types: ['card'], save_default_payment_method: 'on_subscription' },
      expand: ['latest_invoice.payments'],
    });
    const invoice = typeof made.latest_invoice === 'object' ? made.latest_invoice : undefined;
    const intent = invoice?.payments?.data[0]?.payment.payment_intent;
    await shop.payByCard(typeof intent === 'string' ? intent : '');
    await shop.report(await shop.takeEvents());
    await shop.readMissed(since);
    expect(await shop.db.$count(orders)).toBe(before);
  });

  test.each<[WebhookEvent, (shop: SubscriptionShop, id: string) => Promise<unknown>, unknown]>([
    ['invoice.paid', async (open, id) => (await open.monthsOf(id)).length, 3],
    ['invoice.payment_failed', async (open, id) => (await open.readRow(id)).failures, 1],
    ['customer.subscription.updated', async (open, id) => (await open.readRow(id)).isEnding, true],
    ['customer.subscription.deleted', async (open, id) => (await open.readRow(id)).endedAt !== null, true],
    ['customer.updated', async (open, id) => (await open.readRow(id)).card, 'Mastercard ending in 4444'],
  ])('%s alone tells the site what happened, even with a restricted key', async (type, known, expected) => {
    expect(webhookEvents).toContain(type);
    const { id, stripeId, customerId } = await shop.subscribe();
    shop.passDays(32);
    const happen: Partial<Record<WebhookEvent, () => unknown>> = {
      'invoice.paid': () => shop.passDays(31),
      'invoice.payment_failed': async () => {
        shop.emulator.controls.changeCard({ customer: customerId, card: declining });
        await sync({ stripeId });
        shop.passDays(30);
      },
      'customer.subscription.updated': () =>
        shop.stripe.subscriptions.update(stripeId, { cancel_at_period_end: true }),
      'customer.subscription.deleted': () => shop.stripe.subscriptions.cancel(stripeId),
      'customer.updated': () =>
        shop.emulator.controls.changeCard({ customer: customerId, card: 'pm_card_mastercard' }),
    };
    await shop.report(await shop.takeEvents());
    await happen[type]?.();
    expect(await known(shop, id)).not.toEqual(expected);
    const event = (await shop.takeEvents()).findLast(
      (one) => one.type === type && JSON.stringify(one.data.object).includes(customerId),
    );
    expect(event && (await shop.deliver(event, { settings: { STRIPE_SECRET_KEY: restrictedKey } }))).toBe(
      200,
    );
    expect(await known(shop, id)).toEqual(expected);
  });

  test('at a price that Stripe refuses is still recorded', async () => {
    const { id, stripeId } = await shop.subscribe();
    await shop.db
      .update(subscriptions)
      .set({ newPriceCents: 60_000, newPriceFrom: Date.now() })
      .where(eq(subscriptions._id, id));
    shop.passDays(31);
    const context = shop.openPaymentContext();
    vi.spyOn(context.stripe.subscriptions, 'update').mockRejectedValue(new Error('Stripe refuses it.'));
    await expect(syncSubscription(context, stripeId)).rejects.toThrow('Stripe refuses it.');
    expect(await shop.monthsOf(id)).toHaveLength(2);
  });
});

describe('A failed renewal', () => {
  test('that is paid after the subscription was cancelled announces no further payment', async () => {
    const { id, stripeId, customerId } = await shop.subscribe();
    shop.emulator.controls.changeCard({ customer: customerId, card: declining });
    await sync({ stripeId });
    await shop.liveFor(32);
    await change(id, 'cancel');
    await shop.db.delete(mails);
    shop.emulator.controls.changeCard({ customer: customerId, card: 'pm_card_visa' });
    await sync({ stripeId });
    const [, month] = await shop.monthsOf(id);
    const paid = (await shop.sendMails()).findLast(({ subject }) => subject.startsWith('We received'));
    expect(paid?.text).toContain(`/order/${month?._id ?? ''}/receipt`);
    expect(paid?.text).not.toContain('next payment');
  });

  test('is reported to the customer and the staff with what was tried, and the next card pays it', async () => {
    const { id, stripeId, customerId } = await shop.subscribe();
    shop.emulator.controls.changeCard({ customer: customerId, card: declining });
    await sync({ stripeId });
    await shop.db.delete(mails);
    await shop.liveFor(32);
    expect(await view(id)).toMatchObject({
      state: 'failed',
      nextPaymentOn: '04/04/2027',
      nextAmount: '499.50',
      whatNext:
        'The last payment of $499.50 failed. We will try the card again on 04/04/2027. The payment can also be made sooner, with this card or another one.',
    });
    expect(await subjects()).toEqual(['subscription-failed']);
    const lines = async () =>
      (await readAttention(shop.db, shop.env)).rows.filter(({ _id }) => _id === id).map(({ text }) => text);
    expect(await lines()).toEqual([expect.stringContaining('failed (1 attempt).') as string]);

    await change(id, 'cancel');
    expect(await view(id)).toMatchObject({
      state: 'failed',
      isEnding: true,
      whatNext: expect.stringContaining(
        'The subscription ends on 05/01/2027, and no further month is charged.',
      ) as string,
    });
    await change(id, 'keep');

    await shop.liveFor(16);
    expect(await view(id)).toMatchObject({ state: 'onHold', nextPaymentOn: null, nextAmount: null });
    expect(await lines()).toEqual([expect.stringContaining('failed (4 attempts).') as string]);
    expect(await shop.monthsOf(id)).toHaveLength(1);

    shop.emulator.controls.changeCard({ customer: customerId, card: 'pm_card_mastercard' });
    await shop.report(await shop.takeEvents());
    await shop.report(await shop.takeEvents());
    expect(await view(id)).toMatchObject({ state: 'active', card: 'Mastercard ending in 4444' });
    expect(await shop.monthsOf(id)).toHaveLength(2);
    expect(await lines()).toEqual([]);
  });

  test('makes only the newest month due while work is on hold, and a new card pays it', async () => {
    const { id, stripeId, customerId } = await shop.subscribe();
    shop.emulator.controls.changeCard({ customer: customerId, card: declining });
    await sync({ stripeId });
    shop.passDays(95);
    await Promise.all([sync({ stripeId }), sync({ stripeId })]);
    const onHold = await view(id);
    expect(onHold).toMatchObject({ state: 'onHold', nextPaymentOn: null });
    expect(onHold.whatNext).toContain(
      'The last payment of $499.50 failed, and we will not try the card again.',
    );
    expect(onHold.invoiceUrl).not.toBe('');
    const due = await shop.stripe.invoices.list({ subscription: stripeId, status: 'open' });
    expect(due.data.map(({ hosted_invoice_url: url }) => url)).toEqual([onHold.invoiceUrl]);
    const { rows } = await readAttention(shop.db, shop.env);
    expect(rows.find(({ _id }) => _id === id)?.text).toContain('The monthly payment of $499.50');

    await shop.db.delete(mails);
    shop.emulator.controls.changeCard({ customer: customerId, card: declining });
    await Promise.all([sync({ stripeId }), sync({ stripeId })]);
    expect(await subjects()).toEqual(['subscription-failed']);
    expect(await view(id)).toMatchObject({ state: 'onHold' });
    shop.emulator.controls.changeCard({ customer: customerId, card: 'pm_card_mastercard' });
    await shop.report(await shop.takeEvents());
    await shop.report(await shop.takeEvents());
    expect(await view(id)).toMatchObject({ state: 'active', card: 'Mastercard ending in 4444' });
    const months = await shop.monthsOf(id);
    expect(months).toHaveLength(2);
    expect(months[1]?.periodEnd).toBeGreaterThan(Date.now());
    expect(await shop.findBookFaults()).toEqual([]);
    await shop.liveFor(31);
    expect(await shop.monthsOf(id)).toHaveLength(3);
  });

  test('that the customer pays with another card keeps that card, not the one chosen before in the portal', async () => {
    const { id, stripeId, customerId } = await shop.subscribe();
    shop.emulator.controls.changeCard({ customer: customerId, card: declining });
    await sync({ stripeId });
    await shop.liveFor(32);
    const { invoiceUrl } = await shop.readRow(id);
    await fetch(invoiceUrl, { method: 'POST', body: new URLSearchParams({ card: 'pm_card_mastercard' }) });
    await shop.report(await shop.takeEvents());
    await sync({ stripeId });
    expect(await view(id)).toMatchObject({ state: 'active', card: 'Mastercard ending in 4444' });
    await shop.liveFor(31);
    expect(await shop.monthsOf(id)).toHaveLength(3);
  });
});

describe('Its owner', () => {
  test('pauses it, reads when the next payment is due, and is charged then', async () => {
    const { id } = await shop.subscribe();
    expect((await change(id, 'pause', { months: 4 })).status).toBe(422);
    const before = await view(id);
    const paused = await change(id, 'pause', { months: 2 });
    expect(before.pauses).toEqual(['05/01/2027', '06/01/2027', '07/01/2027']);
    expect(paused.json).toMatchObject({
      state: 'paused',
      nextPaymentOn: '06/01/2027',
      whatNext:
        'The subscription is paused. Nothing is charged, and no new month of work begins, until the next payment of $499.50, which is due on 06/01/2027.',
    });
    expect((await change(id, 'pause', { months: 3 })).status).toBe(409);
    await shop.liveFor(91);
    expect(await shop.monthsOf(id)).toHaveLength(1);
    await shop.liveFor(2);
    expect((await shop.monthsOf(id)).map(({ orderDay }) => orderDay)).toEqual(['2027-03-01', '2027-06-01']);
    expect((await view(id)).nextPaymentOn).toBe('07/01/2027');
  });

  test('resumes it, and the next month is charged', async () => {
    const { id } = await shop.subscribe();
    await change(id, 'pause', { months: 3 });
    expect((await change(id, 'resume')).json).toMatchObject({ state: 'active', nextPaymentOn: '04/01/2027' });
    await shop.liveFor(32);
    expect(await shop.monthsOf(id)).toHaveLength(2);
  });

  test('cancels it at the end of the month, undoes that, cancels again, and is not charged', async () => {
    const { id } = await shop.subscribe();
    expect((await change(id, 'cancel')).json).toMatchObject({
      state: 'ending',
      nextPaymentOn: null,
      pauses: [],
      whatNext: 'The subscription ends on 04/01/2027. Nothing more is charged.',
    });
    expect((await change(id, 'keep')).json).toMatchObject({ state: 'active', nextPaymentOn: '04/01/2027' });
    await change(id, 'cancel');
    expect((await change(id, 'price', { price: '599' }, staff)).status).toBe(409);
    expect((await change(id, 'pause', { months: 1 })).status).toBe(409);
    await shop.liveFor(40);
    expect(await view(id)).toMatchObject({ state: 'ended', nextPaymentOn: null });
    expect(await shop.monthsOf(id)).toHaveLength(1);
    expect((await shop.readRow(id)).checkAt).toBeNull();
    expect((await change(id, 'keep')).status).toBe(409);
    for (const told of ['will end', 'continues', 'has ended'])
      await expect.poll(mailed).toContain(`Your subscription ${told}: Monthly care package`);
    // The business is also notified.
    for (const told of ['cancelled', 'continues'])
      await expect.poll(mailed).toContain(`Subscription ${told}: Monthly care, $499.50 per month`);
  });

  test('changes the card on a Stripe page that links back', async () => {
    const { id } = await shop.subscribe();
    const { status, json } = await change(id, 'portal');
    expect(status).toBe(200);
    const answer = await fetch((json as { url: string }).url, {
      method: 'POST',
      body: new URLSearchParams({ card: 'pm_card_mastercard' }),
      redirect: 'manual',
    });
    expect(answer.headers.get('Location')).toBe(`http://site.test/subscription/${id}`);
    await shop.report(await shop.takeEvents());
    expect((await view(id)).card).toBe('Mastercard ending in 4444');
  });

  test('and nobody else but staff sees or changes it', async () => {
    const { id } = await shop.subscribe();
    const calls: [string, string, object?][] = [
      ['GET', `/subscription/${id}`],
      ['GET', `/subscription/${id}/orders`],
      ['POST', `/subscription/${id}/pause`, { months: 1 }],
      ['POST', `/subscription/${id}/resume`],
      ['POST', `/subscription/${id}/cancel`],
      ['POST', `/subscription/${id}/keep`],
      ['POST', `/subscription/${id}/portal`],
    ];
    for (const call of calls) expect((await shop.callAs(stranger, ...call)).status, call[1]).toBe(404);
    expect((await shop.callAs(stranger, 'GET', '/subscriptions')).json).toEqual([]);
    expect((await shop.callAs(staff, 'GET', `/subscription/${id}`)).status).toBe(200);
    // Staff can do what the owner can, but never see the owner's card.
    expect((await change(id, 'portal', undefined, staff)).status).toBe(409);
    expect((await change(id, 'cancel', undefined, staff)).json).toMatchObject({ state: 'ending' });
    expect((await shop.readRow(id)).isEnding).toBe(true);
  });

  test('reads which change of the price comes first: the end of a coupon, or an announced price', async () => {
    const { id } = await shop.subscribe();
    const row = { ...(await shop.readRow(id)), discountCents: 5_000, newPriceCents: 59_900 };
    const [may, june] = [Date.UTC(2027, 4, 1, 12), Date.UTC(2027, 5, 1, 12)];
    expect(whatNext(shop.env, { ...row, discountUntil: may, newPriceFrom: june })).toMatch(
      / Starting 05\/01\/2027, the price is \$499\.50 per month\. Skipped payments do not extend the coupon\.$/,
    );
    expect(whatNext(shop.env, { ...row, discountUntil: june, newPriceFrom: may })).toMatch(
      / Starting 05\/01\/2027, the price is \$549 per month\.$/,
    );
  });

  test('finds each change once in the audit log, however often the request is sent', async () => {
    const { id } = await shop.subscribe();
    for (const what of ['cancel', 'cancel', 'keep', 'keep'])
      expect((await change(id, what)).status, what).toBe(200);
    await change(id, 'resume');
    await change(id, 'pause', { months: 1 });
    for (const price of ['499.50', '599', '599', '499.50']) await change(id, 'price', { price }, staff);
    await vi.waitFor(async () => {
      const logged = await shop.db.select().from(auditEvents).where(eq(auditEvents.recordId, id));
      expect(logged.map(({ details }) => details)).toEqual([
        'Cancelled a subscription',
        'Undid the cancellation of a subscription',
        'Paused a subscription for 1 month',
        'Announced the price of $599 per month',
        'Kept the price of $499.50 per month',
      ]);
    });
  });

  test("reads that the site's new key does not know it, and nothing changes", async () => {
    const { id, stripeId } = await shop.subscribe();
    await shop.db
      .update(subscriptions)
      .set({ stripeId: 'sub_of_another_mode' })
      .where(eq(subscriptions._id, id));
    for (const what of ['cancel', 'pause'])
      expect(await change(id, what, what === 'pause' ? { months: 1 } : undefined)).toMatchObject({
        status: 409,
        json: { detail: expect.stringContaining('cannot find this subscription') as string },
      });
    expect((await view(id)).state).toBe('active');
    // Lets the subscription be canceled afterward.
    await shop.db.update(subscriptions).set({ stripeId }).where(eq(subscriptions._id, id));
  });

  test('cancels at the moment of a renewal: Stripe decides, and no month is charged without its order', async () => {
    const { id, stripeId } = await shop.subscribe();
    shop.passDays(30);
    let isFirst = true;
    const context = shop.openPaymentContext(async (step) => {
      if (step !== 'record subscription' || !isFirst) return;
      isFirst = false;
      // The renewal comes between Stripe's response and the write of it.
      await shop.liveFor(2);
    });
    await tolerate(cancelAtPeriodEnd(context, id, customer));
    await shop.liveFor(40);
    const paid = await shop.stripe.invoices.list({ subscription: stripeId, status: 'paid', limit: 100 });
    expect(await shop.monthsOf(id)).toHaveLength(paid.data.length);
    expect(await view(id)).toMatchObject({ state: 'ended' });
  });

  test('deletes the account, and Stripe charges nothing more and has no such customer', async () => {
    const { id, stripeId, customerId } = await shop.subscribe();
    const { subscriptions: told } = await refundsOfPerson.export(shop.db, customer, shop.env);
    expect(told).toContainEqual(await view(id));
    const context = { ...shop.openPaymentContext(), clientIp: '' };
    const statements = await refundsOfPerson.conclude?.(context, customer);
    await writeBatch(shop.db, statements ?? []);
    expect((await shop.stripe.subscriptions.retrieve(stripeId)).status).toBe('canceled');
    await expect(shop.stripe.customers.retrieve(customerId)).rejects.toThrow('No such customer');
    expect(await shop.readRow(id)).toMatchObject({ customerId: '', card: '', checkAt: null });
  });

  test('deletes the account, and a month that was paid just before is recorded without a customer', async () => {
    const question = contentTables.briefQuestion;
    await shop.db
      .insert(question)
      .values({ _id: newId(), question: 'Which towns?', kind: 'line', required: 'yes' });
    onTestFinished(async () => void (await shop.db.delete(question)));
    const { id } = await shop.subscribe();
    shop.passDays(32);
    const context = { ...shop.openPaymentContext(), clientIp: '' };
    const concluded = (await refundsOfPerson.conclude?.(context, customer)) ?? [];
    await writeBatch(shop.db, [...concluded, ...ordersOfPerson.forget(shop.db, customer)]);
    await shop.report(await shop.takeEvents());
    const nobody = { accountId: '', customerEmail: '', customerName: '' };
    expect(await shop.monthsOf(id)).toMatchObject([nobody, { ...nobody, paymentStatus: 'Paid' }]);
    expect(await shop.db.select().from(customers).where(eq(customers.email, ''))).toEqual([]);
    const [, month] = await shop.monthsOf(id);
    const lines = (await readAttention(shop.db, shop.env)).rows.filter(
      ({ orderId }) => orderId === month?._id,
    );
    expect(lines).toMatchObject([{ kind: 'customerDeleted' }]);
    const ofMonth = eq(orderBriefs.orderId, month?._id ?? '');
    expect(await shop.db.select().from(orderBriefs).where(ofMonth)).not.toMatchObject([
      { awaitedSince: expect.any(Number) as number },
    ]);
  });
});

describe('An administrator', () => {
  test('withdraws an announced price', async () => {
    const { id } = await shop.subscribe();
    shop.passDays(10);
    await change(id, 'price', { price: '599' }, staff);
    expect((await change(id, 'price', { price: '499.50' }, staff)).json).toMatchObject({ price: '499.50' });
    await expect
      .poll(mailed)
      .toContain('The price of your subscription will not change: Monthly care package');
    await shop.liveFor(32);
    expect((await shop.monthsOf(id)).at(-1)?.priceCents).toBe(49_950);
  });

  test('sees what a customer without an account pays per month', async () => {
    const buyer = { ...input, packageName: 'Premium', customerEmail: 'nora@lender.example' } as const;
    const caller = { db: shop.db, env: shop.env, account: staff, clientIp: '203.0.113.7' };
    const order = await placeOrderForCustomer(caller, buyer, undefined);
    const intent = await shop.payByCard(await shop.openPage(order));
    await settlePayment(shop.openPaymentContext(), intent);
    expect((await readCustomer(shop.db, order._id)).monthlyCents).toBe(49_950);
  });

  test('sees the monthly revenue of subscriptions, and what is new, lost and failed', async () => {
    const before = await readSubscriptionTotals(shop.db, shop.env);
    const { id, stripeId, customerId } = await shop.subscribe();
    expect(await readSubscriptionTotals(shop.db, shop.env)).toMatchObject({
      renewing: before.renewing + 1,
      monthlyCents: before.monthlyCents + 49_950,
      newThisMonth: before.newThisMonth + 1,
      failedThisMonth: before.failedThisMonth,
    });
    shop.emulator.controls.changeCard({ customer: customerId, card: declining });
    await sync({ stripeId });
    await shop.liveFor(32);
    const failing = await readSubscriptionTotals(shop.db, shop.env);
    // An ended subscription takes no announced price. Stripe would refuse it.
    await shop.db
      .update(subscriptions)
      .set({ newPriceCents: 60_000, newPriceFrom: 1 })
      .where(eq(subscriptions._id, id));
    await shop.stripe.subscriptions.cancel(stripeId);
    await sync({ stripeId });
    const ended = await readSubscriptionTotals(shop.db, shop.env);
    expect(failing.failedThisMonth).toBe(before.failedThisMonth + 1);
    expect(ended).toMatchObject({ lostThisMonth: failing.lostThisMonth + 1, renewing: failing.renewing - 1 });
    expect(nextPaymentAt(await shop.readRow(id))).toBeNull();
    expect(whatNext(shop.env, await shop.readRow(id))).toContain('The subscription ended on 04/02/2027.');
  });
});

test('After a restore, reconciliation creates the orders of months that were paid since the backup', async () => {
  const { id } = await shop.subscribe();
  const backupAt = Date.now();
  shop.passDays(70);
  const { lost } = await scheduleReconciliation(shop.db, shop.stripe, backupAt, shop.env);
  expect(lost).toEqual([]);
  await reconcileSubscriptions(shop.openPaymentContext());
  // Their numbers are in the order of the months.
  const months = (await shop.monthsOf(id)).toSorted((one, other) => one.number - other.number);
  expect(months.map(({ periodStart }) => dayOf(shop.env, periodStart ?? 0))).toEqual([
    '2027-03-01',
    '2027-04-01',
    '2027-05-01',
  ]);
});

test('A year has twelve orders and ledger rows that equal Stripe’s to the cent, whatever happens to the events', async () => {
  const random = randomFrom(20_270_301);
  // The renewals of the other tests' subscriptions would fill Stripe's list.
  for await (const { id: other, ended_at: endedAt } of shop.stripe.subscriptions.list({ limit: 100 }))
    if (endedAt === null) await shop.stripe.subscriptions.cancel(other);
  await shop.takeEvents();
  const { id, stripeId, customerId } = await shop.subscribe();
  /** Passes a month. Some events are lost, some are delivered twice, and none in order. Then Stripe's list is read. */
  const passMonth = async () => {
    const since = Date.now();
    shop.passDays(31);
    const arriving = (await shop.takeEvents()).filter(() => random() > 0.4);
    await shop.report(shuffled(random, [...arriving, ...arriving.filter(() => random() > 0.5)]));
    await shop.readMissed(since);
  };
  await passMonth();
  await passMonth();
  shop.emulator.controls.changeCard({ customer: customerId, card: declining });
  await sync({ stripeId });
  await passMonth();
  expect((await view(id)).state).toBe('failed');
  shop.emulator.controls.changeCard({ customer: customerId, card: 'pm_card_visa' });
  await sync({ stripeId });
  await passMonth();
  await change(id, 'pause', { months: 1 });
  await passMonth();
  await passMonth();
  await change(id, 'price', { price: '599' }, staff);
  const months = await shop.monthsOf(id);
  await shop.refund(months[1] ?? { _id: '' });
  shop.emulator.controls.dispute({ paymentIntent: months[2]?.transactionId ?? '', outcome: 'lost' });
  for (let count = (await shop.monthsOf(id)).length; count < 12; count = (await shop.monthsOf(id)).length)
    await passMonth();
  await change(id, 'cancel');
  await passMonth();
  await passMonth();

  const year = await shop.monthsOf(id);
  expect(year).toHaveLength(12);
  expect(new Set(year.map(({ invoiceId }) => invoiceId)).size).toBe(12);
  expect(year.at(-1)?.priceCents).toBe(59_900);
  expect(year[1]?.paymentStatus).toBe('Refunded');
  const rows = await Promise.all(
    year.map(({ _id }) => shop.db.select().from(ledger).where(eq(ledger.orderId, _id))),
  );
  expect(rows.flat().filter(({ kind }) => kind === 'payment')).toHaveLength(12);
  expect(rows[2]?.map(({ kind }) => kind)).toEqual(['payment', 'fee', 'disputeWithdrawn', 'fee']);
  expect(await view(id)).toMatchObject({ state: 'ended' });
  expect(await shop.findBookFaults()).toEqual([]);
});
