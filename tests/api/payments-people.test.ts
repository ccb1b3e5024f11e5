/** Who may pay an order, cancel it, or mark it as paid by hand, and what everybody else reads. */
import { eq } from 'drizzle-orm';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { releases } from '#worker/content/schema.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { mails } from '#worker/mail/schema.ts';
import { changeOrder, stripeActor } from '#worker/orders/changes.ts';
import { orderFor, readTimeline } from '#worker/orders/read.ts';
import { search } from '#worker/customers/search.ts';
import { orders, type OrderRecord } from '#worker/orders/schema.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { recordRun } from '#worker/operations/jobs.ts';
import { readAttention, readNewestAttention } from '#worker/attention/attention.ts';
import { cancelOrder } from '#worker/payments/cancel.ts';
import { confirmPayment, requestPaymentIntent } from '#worker/payments/pay.ts';
import { paymentIntents, stripeKeys } from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { administrator, byCustomer, customer, price, staff, stranger, type input } from './orders-shop.ts';
import { openWorkShop } from './work-shop.ts';

const shop = await openWorkShop();
afterAll(() => shop.close());

test('No payment starts if the payment key has another mode than the secret key, or Stripe refuses it', async () => {
  const order = await shop.newOrder();
  const _id = newId();
  await shop.db.insert(stripeKeys).values({ _id, stripeKey: 'pk_live_shop' });
  await expect(shop.openPage(order)).rejects.toMatchObject({ status: 503 });
  await shop.db.update(stripeKeys).set({ stripeKey: 'pk_test_shop' });
  expect(await shop.openPage(order)).toMatch(/^pi_/);
  await recordRun(shop.db, 'paymentKey', `unknown ${_id} 1`);
  await expect(shop.openPage(order)).rejects.toMatchObject({ status: 503 });
  await shop.db.delete(stripeKeys);
});

test('Stripe sends its receipt to the payer, and an invalid address does not prevent a payment', async () => {
  const order = await shop.newOrder();
  const id = await shop.openPage(order);
  const { context, events } = shop.openLogged();
  const open = (email: string) => requestPaymentIntent(context, order._id, price, { ...customer, email });
  await open('bob@customers.example');
  expect((await shop.stripe.paymentIntents.retrieve(id)).receipt_email).toBe('bob@customers.example');
  shop.emulator.controls.planFault({
    kind: 'error-before',
    status: 400,
    method: 'POST',
    path: `/v1/payment_intents/${id}`,
  });
  const { clientSecret } = await open('eve@customers.example');
  expect(clientSecret).toMatch(new RegExp(`^${id}_secret`));
  expect(events).toEqual(['payment.receipt-email-rejected']);
  // The same address is not sent again.
  shop.emulator.controls.planFault({ kind: 'error-before', status: 400, method: 'POST' });
  await open('bob@customers.example');
  shop.emulator.controls.clearFaults();
  expect(events).toHaveLength(1);

  // Our sign-up accepts this address; Stripe does not.
  const payer = { ...customer, email: 'ann..smith@customers.example' };
  const { _id } = await shop.newOrder();
  const { clientSecret: secret } = await requestPaymentIntent(context, _id, price, payer);
  const [made = ''] = secret.split('_secret');
  expect((await shop.stripe.paymentIntents.retrieve(made)).receipt_email).toBeNull();
  const again = await requestPaymentIntent(context, _id, price, payer);
  expect(again.clientSecret).toBe(secret);
  expect(events.slice(1)).toEqual(['payment.receipt-email-rejected', 'payment.receipt-email-rejected']);
});

test('Anyone with the link can pay, and only an administrator marks an order as paid or unpaid by hand', async () => {
  const order = await shop.newOrder();
  const begin = { orderId: order._id, amount: price };
  const receiptOf = async (account: Account | undefined) => {
    const { status, json } = await shop.callAs(account, 'POST', '/create-payment-intent', begin);
    expect(status).toBe(200);
    const [id = ''] = (json as { clientSecret: string }).clientSecret.split('_secret');
    return (await shop.stripe.paymentIntents.retrieve(id)).receipt_email;
  };
  expect(await receiptOf(customer)).toBe(customer.email);
  expect([await receiptOf({ ...customer, emailVerified: false }), await receiptOf(undefined)]).toEqual([
    null,
    null,
  ]);

  const set = (account: Account | undefined, paymentStatus: string) =>
    shop.callAs(account, 'PUT', `/order/${order._id}`, { paymentStatus });
  expect(await set(customer, 'UnPaid')).toMatchObject({
    status: 403,
    json: { detail: 'Only an administrator can mark an order as not paid.' },
  });
  expect((await set(undefined, 'UnPaid')).status).toBe(401);
  expect((await set(undefined, 'Paid')).status).toBe(409);
  expect((await set(customer, 'Paid')).status).toBe(409);
  // From two tabs.
  for (let times = 0; times < 2; times += 1)
    expect(await set(staff, 'Paid')).toMatchObject({ status: 200, json: { paymentMethod: 'PayPal' } });
  for (let times = 0; times < 2; times += 1)
    expect(await set(staff, 'UnPaid')).toMatchObject({
      status: 200,
      json: { paymentStatus: 'UnPaid', paymentMethod: '' },
    });
  await shop.payByCard(await shop.openPage(order));
  const paid = await set(undefined, 'Paid');
  expect(paid).toMatchObject({ status: 200, json: { paymentStatus: 'Paid' } });
  expect(paid.json).not.toHaveProperty('customerEmail');
  // A card payment can only be refunded.
  expect((await set(staff, 'UnPaid')).status).toBe(409);
  expect(await shop.findFaults(order._id)).toEqual([]);
});

test('An order is cancelled by its customer or an administrator, and by nobody else, and is not paid afterward', async () => {
  for (const account of [customer, staff]) {
    const order = await shop.newOrder();
    await shop.clearMails();
    await shop.openPage(order);
    const path = `/order-cancelled/${order._id}`;
    expect((await shop.callAs(stranger, 'PUT', path, {})).status).toBe(403);
    for (let times = 0; times < 2; times += 1)
      expect(await shop.callAs(account, 'PUT', path, {})).toMatchObject({
        status: 200,
        json: { paymentStatus: 'Cancelled' },
      });
    const timeline = await readTimeline(shop.db, order._id, account);
    expect(timeline.filter(({ kind }) => kind === 'cancelled')).toHaveLength(1);
    const [mail, ...others] = await shop.sendMails();
    expect(mail?.text).toContain('Your order is cancelled, and nothing was charged.');
    expect(others).toEqual([]);
    for (const paymentStatus of ['Paid', 'UnPaid'])
      expect((await shop.callAs(staff, 'PUT', `/order/${order._id}`, { paymentStatus })).status).toBe(409);
    // An open tab cannot pay it either.
    expect(await shop.findFaults(order._id)).toEqual([]);
  }
});

test('Nobody can cancel a paid order, and only an administrator cancels a delivered one', async () => {
  const { order } = await shop.newPaidOrder();
  const cancel = (by: Parameters<typeof cancelOrder>[2], { _id } = order) =>
    cancelOrder(shop.openPaymentContext(), _id, by);
  await expect(cancel(administrator)).rejects.toMatchObject({
    status: 409,
    message: 'This order is paid. Refund it instead: that cancels it.',
    extensions: { paymentStatus: 'Paid' },
  });
  await expect(cancel(byCustomer)).rejects.toMatchObject({
    status: 409,
    message: 'This order is paid, so it cannot be cancelled here. Please write to us.',
  });
  const unpaid = await shop.newOrder();
  const set = { orderStatus: 'Delivered' } as const;
  await changeOrder(shop.db, unpaid, { kind: 'delivered', by: stripeActor, set });
  await expect(cancel(byCustomer, unpaid)).rejects.toMatchObject({ status: 409, extensions: set });
  expect(await cancel(administrator, unpaid)).toMatchObject({ paymentStatus: 'Cancelled', ...set });
});

test('A customer who cancels right after paying reads that the order is paid', async () => {
  const { order, intent } = await shop.newPayment();
  await expect(cancelOrder(shop.openPaymentContext(), order._id, byCustomer)).rejects.toMatchObject({
    message: 'Your payment had already gone through, so the order is paid and was not cancelled.',
    extensions: { paymentStatus: 'Paid' },
  });
  expect(await shop.readOrder(order)).toMatchObject({ paymentStatus: 'Paid', transactionId: intent.id });
  expect((await search(shop.db, staff, intent.id)).orders).toMatchObject([{ _id: order._id }]);
});

test('A payer reads who an order is for: the company, or otherwise the first name', async () => {
  const shownTo = async (typed: Partial<typeof input>) =>
    orderFor(undefined, await shop.orderOf(customer, typed));
  expect(await shownTo({ customerName: 'Dr. Ann Mary Lee' })).toMatchObject({ orderedFor: 'Ann' });
  const ofCompany = await shownTo({ customerName: 'Ann Lee', customerCompany: 'Lee Lending LLC' });
  expect(ofCompany).toMatchObject({ orderedFor: 'Lee Lending LLC' });
  expect(JSON.stringify(ofCompany)).not.toContain('Ann');
});

test('A payer who is not the customer gets a receipt without links into the account, and the customer gets none', async () => {
  const seller = {
    legalName: 'Firm LLC',
    postalAddress: '1 Ledger Street',
    phone: '+1 312',
    taxNumber: 'EIN 1',
  };
  await shop.db.insert(contentTables.businessDetails).values({ ...seller, _id: newId() });
  onTestFinished(async () => {
    await shop.db.delete(contentTables.businessDetails);
  });
  expect((await shop.callAs(undefined, 'GET', '/seller')).json).toEqual({
    legalName: 'Firm LLC',
    postalAddress: '1 Ledger Street',
    phone: '+1 312',
  });
  /** Pays a new order with a billing email, and returns the emails to that address. */
  const payAs = async (email: string) => {
    await shop.clearMails();
    const order = await shop.orderOf(customer, { customerName: 'Ann Typed', customerCompany: 'Typed LLC' });
    const method = await shop.stripe.paymentMethods.create({
      type: 'card',
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' },
      billing_details: { email, name: 'Ben Typed' },
    });
    await shop.payByCard(await shop.openPage(order), method.id);
    for (let times = 0; times < 2; times += 1) await confirmPayment(shop.openPaymentContext(), order._id);
    const sent = await shop.sendMails();
    return { order, received: sent.filter(({ to }) => to === email.toLowerCase()) };
  };

  const { order, received } = await payAs('Ben@payers.example');
  expect(received).toHaveLength(1);
  const { text = '', html = '' } = received[0] ?? {};
  for (const part of [
    ...[
      'Basic',
      `Order: ${displayOrderNumber(order.number)}`,
      'Paid: $499.50',
      'Paid with: Visa ending in 4242',
    ],
    ...['Sold by: Firm LLC', 'Address: 1 Ledger Street', 'Tax number: EIN 1'],
  ])
    expect(text).toContain(part);
  expect(text + html).not.toMatch(/Typed|France|Street,? *1/);
  expect([...new Set(Array.from(text.matchAll(/http:\S+?(?=[)\s]|$)/g), ([link]) => link))]).toEqual([
    'http://site.test/contact',
  ]);

  const { received: own } = await payAs(customer.email);
  expect(own.map(({ subject }) => subject)).not.toContainEqual(expect.stringContaining('receipt'));
});

test('A copy of the receipt goes to the address that the customer gave, however the order is paid', async () => {
  const copiesOf = async (receiptCopyEmail: string, pay: (order: OrderRecord) => Promise<unknown>) => {
    const order = await shop.orderOf(customer, { receiptCopyEmail });
    await pay(order);
    const sent = await shop.sendMails();
    return sent.filter(
      ({ subject, text }) => subject.startsWith('Your receipt') && text.includes(`#${order.number}`),
    );
  };
  const byCard = async (order: OrderRecord) => {
    await shop.payByCard(await shop.openPage(order));
    for (let times = 0; times < 2; times += 1) await confirmPayment(shop.openPaymentContext(), order._id);
  };
  const byHand = (order: OrderRecord) =>
    shop.callAs(staff, 'PUT', `/order/${order._id}`, { paymentStatus: 'Paid' });

  const [copy, ...others] = await copiesOf('Books@lender.example', byCard);
  expect(others).toEqual([]);
  expect(copy).toMatchObject({ to: 'books@lender.example', subject: 'Your receipt: Basic package' });
  expect(copy?.text).toContain('Paid with: Visa ending in 4242');
  const [withoutCard] = await copiesOf('books@other.example', byHand);
  expect(withoutCard?.text).toContain('Paid with: Directly to us');
  // The customer gets no second email, and nobody gets one without an address.
  for (const none of [customer.email.toUpperCase(), '']) expect(await copiesOf(none, byCard)).toEqual([]);
});

test('A payer reads why an order cannot be paid or confirmed', async () => {
  const order = await shop.newOrder();
  const begin = (id = order._id, amount = price) =>
    requestPaymentIntent(shop.openPaymentContext(), id, amount, customer);
  const confirm = (id = order._id) => confirmPayment(shop.openPaymentContext(), id);
  await expect(begin(newId())).rejects.toMatchObject({ status: 404 });
  await expect(begin(order._id, '1')).rejects.toMatchObject({
    status: 409,
    extensions: { currentPrice: price },
  });
  await expect(confirm()).rejects.toMatchObject({ message: 'No payment has been made for this order yet.' });
  const id = await shop.openPage(order);
  await expect(confirm()).rejects.toMatchObject({
    message: 'Our payment provider has not received this payment.',
  });
  await shop.payByCard(id, 'pm_card_processing');
  await expect(confirm()).rejects.toMatchObject({
    message: expect.stringContaining('The bank is still working on this payment.') as string,
  });
  shop.emulator.controls.settlePayment({ paymentIntent: id });
  const setIntent = (paymentIntentId: string) =>
    shop.db.update(orders).set({ paymentIntentId }).where(eq(orders._id, order._id));
  await setIntent('');
  await cancelOrder(shop.openPaymentContext(), order._id, byCustomer);
  await setIntent(id);
  await expect(begin()).rejects.toMatchObject({ status: 409, extensions: { paymentStatus: 'Cancelled' } });
  await expect(confirm()).rejects.toMatchObject({
    message: 'This order was cancelled before the payment arrived. We are refunding the payment in full.',
  });
  expect(await shop.ledgerEntriesOf(order)).toEqual(['payment 49950', 'refund -49950']);
  const byHand = await shop.newOrder();
  await shop.setPayment(byHand, 'Paid');
  expect((await confirm(byHand._id)).paymentStatus).toBe('Paid');
  await expect(begin(byHand._id)).rejects.toMatchObject({ extensions: { paymentStatus: 'Paid' } });
});

test('If Stripe’s answer to a new PaymentIntent is lost, the next attempt gets the same PaymentIntent', async () => {
  // The idempotency key contains the minute.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 60_000) * 60_000 });
  const order = await shop.newOrder();
  const context = shop.openPaymentContext();
  const { paymentIntents: api } = context.stripe;
  const create = api.create.bind(api);
  const lost: string[] = [];
  vi.spyOn(api, 'create').mockImplementation(async (...call) => {
    lost.push((await create(...call)).id);
    throw new Error('The answer is lost.');
  });
  await expect(shop.openPage(order, context)).rejects.toThrow('The answer is lost.');
  vi.setSystemTime(Date.now() + 59_000);
  expect([await shop.openPage(order)]).toEqual(lost);
});

test('Two payers who open one order at the same time share its intent', async () => {
  const order = await shop.newOrder();
  const secrets: string[] = [];
  const context = shop.openPaymentContext(async (step) => {
    if (step !== 'record intent' || secrets.length > 0) return;
    secrets.push(
      (await requestPaymentIntent(shop.openPaymentContext(), order._id, price, undefined)).clientSecret,
    );
  });
  secrets.push((await requestPaymentIntent(context, order._id, price, customer)).clientSecret);
  expect(new Set(secrets).size).toBe(1);
  expect(await shop.findFaults(order._id)).toEqual([]);
  // A payer who opens the page again after paying has two more minutes to report the payment.
  await shop.db
    .update(paymentIntents)
    .set({ startedAt: 1, checkAt: 1 })
    .where(eq(paymentIntents.orderId, order._id));
  const id = await shop.openPage(order);
  const [open] = await shop.db.select().from(paymentIntents).where(eq(paymentIntents.paymentIntentId, id));
  expect(open?.startedAt).toBeGreaterThan(1);
  expect((open?.checkAt ?? 0) - (open?.startedAt ?? 0)).toBe(120_000);
});

test('What needs attention is listed oldest first, and newest first in emails', async () => {
  const { planStep, briefQuestion } = contentTables;
  await shop.db.insert(planStep).values({ _id: newId(), title: 'Review', dueDays: '5', approval: 'no' });
  await shop.db
    .insert(briefQuestion)
    .values({ _id: newId(), question: 'Your website?', kind: 'link', required: 'yes' });
  const order = await shop.newOrder();
  await shop.setPayment(order, 'Paid');
  const { id } = await shop.makeForeignIntent({ amount: order.priceCents, metadata: { orderId: order._id } });
  await settlePayment(shop.openPaymentContext(), await shop.payByCard(id));
  const [release, mail, waiting, intent] = [newId(), newId(), newId(), newId()];
  await shop.db
    .insert(releases)
    .values({ _id: release, title: 'Spring', version: 1, createdAt: 1, createdBy: '', publishAt: 1_000 });
  const content = { kind: 'order-placed', recipient: 'ann@customers.example', subject: 'For Ann', body: 'x' };
  await shop.db.insert(mails).values([
    { ...content, _id: mail, createdAt: 2_000, dueAt: null, tries: 3, failure: '503' },
    { ...content, _id: waiting, createdAt: 2_500, dueAt: Date.now() + 3_600_000, tries: 3, failure: '503' },
  ]);
  const stuck = { _id: intent, paymentIntentId: 'pi_stuck', orderId: order._id, startedAt: 3_000 };
  await shop.db.insert(paymentIntents).values({ ...stuck, problem: 'The bank is slow.' });
  onTestFinished(async () => {
    await shop.db.delete(planStep);
    await shop.db.delete(briefQuestion);
    await shop.db.delete(releases);
    for (const one of [mail, waiting]) await shop.db.delete(mails).where(eq(mails._id, one));
    await shop.db.delete(paymentIntents).where(eq(paymentIntents._id, intent));
  });
  const isIts = ({ _id, orderId }: { _id: string; orderId?: string | undefined }) =>
    orderId === order._id || [release, mail, waiting].includes(_id);
  const later = Date.now() + 30 * 86_400_000;
  const listed = (await readAttention(shop.db, shop.env, later)).rows.filter(isIts);
  const kinds = [
    ...['release', 'unsentMail', 'unsentMail', 'unsettledIntent'],
    ...['refund', 'missingBrief', 'overdueStep'],
  ];
  expect(listed.map(({ kind }) => kind)).toEqual(kinds);
  for (const [role, seen] of [
    ['Editor', kinds.slice(0, 1)],
    ['Support', kinds.slice(1)],
  ] as const) {
    const page = await readAttention(shop.db, shop.env, later, undefined, { ...staff, role });
    expect(page.rows.filter(isIts).map(({ kind }) => kind)).toEqual(seen);
    expect(page.total).toBe(page.rows.length);
  }
  const newest = (await readNewestAttention(shop.db, shop.env, later)).filter(isIts);
  expect(newest.map(({ kind }) => kind)).toEqual(kinds.toReversed());
  // A release may be a quarter of an hour late.
  const early = (await readAttention(shop.db, shop.env, 1_000 + 15 * 60_000)).rows;
  expect(early.filter(({ _id }) => _id === release)).toEqual([]);
});
