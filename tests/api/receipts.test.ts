/** Receipts and credit notes: what they say, when they exist, and who can read them. */
import { eq } from 'drizzle-orm';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { displayDate } from '#contract/days.ts';
import { newId } from '#contract/ids.ts';
import { writeBatch } from '#worker/db/client.ts';
import { ordersOfPerson } from '#worker/orders/personal-data.ts';
import { refundsOfPerson } from '#worker/payments/personal-data.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { dayOf } from '#worker/env.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { orders } from '#worker/orders/schema.ts';
import { readCreditNote, readReceipt } from '#worker/payments/receipts.ts';
import { reconcileRefunds } from '#worker/payments/refund-requests.ts';
import { recordRefund } from '#worker/payments/refunds.ts';
import { handleEvent } from '#worker/payments/webhook-events.ts';
import { payments, refunds } from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { customer, input, openShop, stranger } from './orders-shop.ts';
import type { Paid } from './payment-steps.ts';

const priceCents = 49_950;

const shop = await openShop();
afterAll(() => shop.close());

const asCustomer = () => ({ ...shop, account: customer });

test('A receipt states seller, buyer, lines, payment method, and date', async () => {
  const { order } = await shop.newPaidOrder();
  const reader = { ...asCustomer(), env: { ...shop.env, SITE_TIMEZONE: 'Asia/Tokyo' } };
  expect(await readReceipt(reader, order._id)).not.toHaveProperty('seller');
  const seller = {
    legalName: 'Loan Search Ltd',
    postalAddress: '2 Road',
    taxNumber: 'GB1',
    registration: 'No. 2',
    billingEmail: 'bills@site.test',
    receiptNote: 'Thank you.',
  };
  await shop.db.insert(contentTables.businessDetails).values({ ...seller, _id: newId() });
  onTestFinished(async () => {
    await shop.db.delete(contentTables.businessDetails);
  });
  // 10 p.m. UTC is the next day in Tokyo.
  const at = Date.UTC(2026, 10, 21, 22);
  await shop.db.update(payments).set({ at }).where(eq(payments.orderId, order._id));
  expect(await readReceipt(reader, order._id)).toEqual({
    orderId: order._id,
    orderNumber: order.number,
    paidOn: '11/22/2026',
    placedOn: expect.stringMatching(/^\d\d\/\d\d\/\d{4}$/) as string,
    paidWith: 'Card',
    transactionId: (await shop.readOrder(order)).transactionId,
    seller,
    buyer: {
      customerName: 'Ann',
      customerEmail: customer.email,
      customerAddress: '1 Street',
      customerCountry: 'France',
      customerCompany: '',
      customerTaxNumber: '',
    },
    lines: [{ title: 'Basic package', details: ['One', 'Three'], amountCents: priceCents }],
    totalCents: priceCents,
    refunds: [],
    disputedCents: 0,
  });
  const asStranger = { ...reader, account: stranger };
  await expect(readReceipt(asStranger, order._id)).rejects.toMatchObject({ status: 404 });
  const unpaid = await shop.newOrder();
  await expect(readReceipt(reader, unpaid._id)).rejects.toMatchObject({ status: 409 });
  // The clocks of these islands are 25 hours apart.
  const orderDayIn = async (SITE_TIMEZONE: string) =>
    (await placeOrder({ ...asCustomer(), env: { ...shop.env, SITE_TIMEZONE } }, input, undefined)).orderDay;
  expect((await orderDayIn('Pacific/Kiritimati')) > (await orderDayIn('Pacific/Pago_Pago'))).toBe(true);
});

test('A receipt keeps the email of its payment, until the account is deleted', async () => {
  const { order } = await shop.newPaidOrder();
  const [from, to] = [customer.email, 'ann@moved.example'];
  const change = (one: { from: string; to: string }) =>
    writeBatch(
      shop.db,
      [refundsOfPerson, ordersOfPerson].flatMap((part) => [
        ...(part.rename?.(shop.db, customer.id, one) ?? []),
      ]),
    );
  onTestFinished(async () => {
    await shop.db.update(orders).set({ customerEmail: from });
    await shop.db.update(payments).set({ receiptEmail: '' });
  });
  await change({ from, to });
  await change({ from: to, to: 'ann@again.example' });
  expect((await readReceipt(asCustomer(), order._id)).buyer.customerEmail).toBe(from);
  expect((await shop.readOrder(order)).customerEmail).toBe('ann@again.example');
  await writeBatch(shop.db, [...refundsOfPerson.forget(shop.db, customer)]);
  expect((await readReceipt(asCustomer(), order._id)).buyer.customerEmail).toBe('ann@again.example');
});

test('The receipt and the credit note of an order that was paid outside Stripe say so', async () => {
  const order = await shop.newOrder();
  await shop.setPayment(order, 'Paid');
  const reader = asCustomer();
  const made = await shop.refund(order, { amountCents: 100 });
  expect((await readReceipt(reader, order._id)).paidWith).toBe('Directly to us');
  expect(await readCreditNote(reader, made._id)).toMatchObject({
    paidWith: 'The customer, outside this site',
    amountCents: 100,
    packageName: 'Basic',
    number: `#${order.number}-R1`,
  });
  await expect(readCreditNote(reader, newId())).rejects.toMatchObject({ status: 404 });
});

test('A credit note exists once its refund succeeds, and keeps its number when other refunds fail', async () => {
  const { order } = await shop.newPaidOrder('pm_card_pendingRefund');
  const reader = asCustomer();
  const failing = await shop.refund(order, { amountCents: 10_000 });
  const made = await shop.refund(order, { note: 'Sorry.' });
  await expect(readCreditNote(reader, made._id)).rejects.toMatchObject({
    status: 409,
    message: 'This refund is on its way. Its credit note will be here once the bank has confirmed it.',
  });
  shop.emulator.controls.settleRefund({ refund: failing.refundId ?? '', status: 'failed' });
  shop.emulator.controls.settleRefund({ refund: made.refundId ?? '', status: 'succeeded' });
  await shop.db.update(refunds).set({ checkAt: 0 }).where(eq(refunds.orderId, order._id));
  await reconcileRefunds(shop.openPaymentContext());
  await expect(readCreditNote(reader, failing._id)).rejects.toMatchObject({
    status: 409,
    message: 'This refund could not be paid out, so there is no credit note for it.',
  });
  const number = `#${order.number}-R2`;
  expect(await readCreditNote(reader, made._id)).toMatchObject({
    number,
    amountCents: priceCents - 10_000,
    paidCents: priceCents,
    note: 'Sorry.',
    paidWith: 'Card',
  });
  expect((await readReceipt(reader, order._id)).refunds).toMatchObject([{ _id: made._id, number }]);

  await shop.refund(order);
  expect((await readReceipt(reader, order._id)).totalCents).toBe(priceCents);
});

test('Receipt and credit note have the dates on which Stripe moved the money', async () => {
  const { order, intent } = await shop.newPayment();
  const days = (count: number) => count * 24 * 3_600;
  const late = { ...intent, latest_charge: null, created: intent.created - days(5) };
  await settlePayment(shop.openPaymentContext(), late);
  const { id } = shop.emulator.controls.refund({ paymentIntent: intent.id, amount: 1_000 });
  const made = await shop.stripe.refunds.retrieve(id);
  await recordRefund(shop.openPaymentContext(), { ...made, created: made.created - days(2) });

  const receipt = await readReceipt(asCustomer(), order._id);
  const dayOfSecond = (seconds: number) => displayDate(dayOf(shop.env, seconds * 1_000));
  expect(receipt).toMatchObject({
    paidOn: dayOfSecond(late.created),
    refunds: [{ refundedOn: dayOfSecond(made.created - days(2)) }],
  });
});

test('A refunded duplicate payment is on no receipt and has no credit note', async () => {
  const { order } = await shop.newPaidOrder();
  const unpaid = await shop.newOrder();
  const giveBack = async (_id: string, amount: number) => {
    const { id } = await shop.makeForeignIntent({ amount, metadata: { orderId: _id } });
    await settlePayment(shop.openPaymentContext(), await shop.payByCard(id));
    return (await shop.db.select().from(refunds).where(eq(refunds.orderId, _id)))[0]?._id ?? '';
  };
  const returned = [await giveBack(order._id, priceCents), await giveBack(unpaid._id, priceCents - 1)];
  for (const id of returned)
    await expect(readCreditNote(asCustomer(), id)).rejects.toMatchObject({ status: 404 });
  expect((await readReceipt(asCustomer(), order._id)).refunds).toEqual([]);
  await expect(readReceipt(asCustomer(), unpaid._id)).rejects.toMatchObject({
    status: 409,
    extensions: { paymentStatus: 'UnPaid' },
  });
  await expect(readReceipt(asCustomer(), newId())).rejects.toMatchObject({ status: 404 });
  const made = await shop.refund(order, { amountCents: 100 });
  const asStranger = { ...asCustomer(), account: stranger };
  await expect(readCreditNote(asStranger, made._id)).rejects.toMatchObject({ status: 404 });
});

test.each<[string, (paid: Paid) => Promise<unknown>]>([
  [
    'an event of their charge',
    async ({ intent }) =>
      handleEvent(shop.openPaymentContext(), await shop.eventOf(intent, 'charge.refunded')),
  ],

  ['the next refund here', ({ order }) => shop.refund(order, { amountCents: 4_000 })],
])('Refunds from Stripe’s dashboard that %s reveals get credit notes in their order', async (_, reveal) => {
  const paid = await shop.newPaidOrder();
  await shop.refund(paid.order, { amountCents: 1_000 });
  for (const amount of [2_000, 3_000])
    shop.emulator.controls.refund({ paymentIntent: paid.intent.id, amount });
  await reveal(paid);
  const listed = (await readReceipt(asCustomer(), paid.order._id)).refunds;
  expect(listed.map(({ number }) => number)).toEqual(
    listed.map((_row, index) => `#${paid.order.number}-R${index + 1}`),
  );
  const amounts = listed.map(({ amountCents }) => amountCents).filter((amount) => amount !== 4_000);
  expect(amounts).toEqual([1_000, 2_000, 3_000]);
});
