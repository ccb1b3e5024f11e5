/**
 * Who begins to pay an order, cancels it or says by hand that it is paid, in this process: whoever may, and what everybody
 * else reads.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { writeBatch } from '#worker/db/client.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { changeOrder, stripeActor } from '#worker/orders/changes.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { readTimeline } from '#worker/orders/read.ts';
import { readAttention } from '#worker/payments/attention.ts';
import { cancelOrder, endUnpaidOrders, setPaymentByHand } from '#worker/payments/cancel.ts';
import { readOpenDisputes } from '#worker/payments/open-disputes.ts';
import { requestPaymentIntent } from '#worker/payments/pay.ts';
import { stripeKeys } from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import {
  administrator,
  byCustomer,
  customer,
  input,
  openShop,
  payer,
  price,
  staff,
  stranger,
  type Shop,
} from './orders-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

/** Makes a call of payments as somebody who is signed in, or nobody. */
async function callAs(...call: Parameters<Shop['callAs']>) {
  const answer = await shop.callAs(...call);
  return { status: answer.status, json: await answer.json<Record<string, unknown>>() };
}

test('No payment begins while the payment key and the secret key are of different modes', async () => {
  const order = await shop.newOrder();
  await shop.db.insert(stripeKeys).values({ _id: newId(), stripeKey: 'pk_live_shop' });
  await expect(shop.openPage(order)).rejects.toMatchObject({ status: 503 });
  await shop.db.update(stripeKeys).set({ stripeKey: 'pk_test_shop' });
  expect(await shop.openPage(order)).toMatch(/^pi_/);
  await shop.db.delete(stripeKeys);
});

test('Stripe’s receipt goes to whoever pays, and a wrong address keeps nobody from paying', async () => {
  const order = await shop.newOrder();
  const id = await shop.openPage(order);
  const { context, events } = shop.openLogged();
  const open = (receiptEmail: string) =>
    requestPaymentIntent(context, order._id, price, { ...payer, receiptEmail });
  await open('bob@customers.example');
  expect((await shop.stripe.paymentIntents.retrieve(id)).receipt_email).toBe('bob@customers.example');
  shop.emulator.controls.planFault({
    ...{ kind: 'error-before', status: 400, method: 'POST', path: `/v1/payment_intents/${id}` },
  });
  expect(await open('eve@customers.example')).toMatch(new RegExp(`^${id}_secret`));
  expect(events).toEqual(['payment.receipt-not-addressed']);
  // The same address is not sent again.
  shop.emulator.controls.planFault({ kind: 'error-before', status: 400, method: 'POST' });
  await open('bob@customers.example');
  shop.emulator.controls.clearFaults({});
  expect(events).toHaveLength(1);

  // Our sign-up takes it, Stripe does not.
  const receiptEmail = 'ann..smith@customers.example';
  const { _id } = await shop.newOrder();
  const secret = await requestPaymentIntent(context, _id, price, { ...payer, receiptEmail });
  const [made = ''] = secret.split('_secret');
  expect((await shop.stripe.paymentIntents.retrieve(made)).receipt_email).toBeNull();
  expect(await requestPaymentIntent(context, _id, price, { ...payer, receiptEmail })).toBe(secret);
  expect(events.slice(1)).toEqual(['payment.receipt-not-addressed', 'payment.receipt-not-addressed']);
});

test('Whoever holds the link pays, and only an administrator says by hand that an order is paid or not', async () => {
  const order = await shop.newOrder();
  const begin = { orderId: order._id, amount: price };
  const receiptOf = async (account: Account | undefined) => {
    const { status, json } = await callAs(account, 'POST', '/create-payment-intent', begin);
    expect(status).toBe(200);
    const [id = ''] = String(json['clientSecret']).split('_secret');
    return (await shop.stripe.paymentIntents.retrieve(id)).receipt_email;
  };
  expect(await receiptOf(customer)).toBe(customer.email);
  expect([await receiptOf({ ...customer, emailVerified: false }), await receiptOf(undefined)]).toEqual([
    null,
    null,
  ]);

  const set = (account: Account | undefined, paymentStatus: string) =>
    callAs(account, 'PUT', `/order/${order._id}`, { paymentStatus });
  expect(await set(customer, 'UnPaid')).toMatchObject({
    status: 403,
    json: { detail: 'Only an administrator can mark an order as not paid.' },
  });
  expect((await set(undefined, 'Paid')).status).toBe(409);
  expect(await set(staff, 'Paid')).toMatchObject({ status: 200, json: { paymentMethod: 'PayPal' } });
  expect(await set(staff, 'UnPaid')).toMatchObject({ status: 200, json: { paymentStatus: 'UnPaid' } });
  await shop.payByCard(await shop.openPage(order));
  const { status, json } = await set(undefined, 'Paid');
  expect([status, json['paymentStatus'], 'customerEmail' in json]).toEqual([200, 'Paid', false]);
  // What came by card stays, until it is refunded.
  expect((await set(staff, 'UnPaid')).status).toBe(409);
  expect(await shop.findFaults(order._id)).toEqual([]);
});

test('An order is cancelled by its customer or by us, and by nobody else', async () => {
  for (const account of [customer, staff]) {
    const order = await shop.newOrder();
    const path = `/order-cancelled/${order._id}`;
    expect((await callAs(stranger, 'PUT', path, {})).status).toBe(403);
    expect(await callAs(account, 'PUT', path, {})).toMatchObject({
      status: 200,
      json: { paymentStatus: 'Cancelled' },
    });
    // Mails of the tests above may be in front of it, more than one run sends.
    await expect
      .poll(async () => {
        await deliverMail(shop.env, () => undefined, shop.db);
        return shop.sent.filter(({ text }) => text.includes(`#${order.number}`));
      })
      .not.toEqual([]);
    const receipt = await callAs(account, 'GET', `/order/${order._id}/receipt`);
    expect([receipt.status, receipt.json['paymentStatus']]).toEqual([409, 'Cancelled']);
  }
  expect((await callAs(staff, 'PUT', `/needs-attention/${newId()}`, { seen: true })).status).toBe(404);
  expect((await callAs(staff, 'GET', '/open-disputes')).json).toEqual(await readOpenDisputes(shop.db));
  // A payment that goes back is listed.
  const { _id: orderId } = await shop.newOrder();
  const { id } = await shop.makeForeignIntent({ amount: 49_949, metadata: { orderId } });
  await settlePayment(shop.openPaymentContext(), await shop.payByCard(id));
  const { items } = await readAttention(shop.db, shop.env);
  expect(items).not.toEqual([]);
  expect((await callAs(staff, 'GET', '/needs-attention')).json).toEqual(JSON.parse(JSON.stringify(items)));
  expect((await callAs(staff, 'GET', `/credit-note/${newId()}`)).status).toBe(404);
});

test('A paid order is not cancelled, and each reads what to do instead', async () => {
  const { order } = await shop.newPaidOrder();
  const cancel = (by: Parameters<typeof cancelOrder>[2]) =>
    cancelOrder(shop.openPaymentContext(), order._id, by);
  await expect(cancel(administrator)).rejects.toMatchObject({
    status: 409,
    message: 'This order is paid. Refund it instead: that cancels it.',
    extensions: { paymentStatus: 'Paid' },
  });
  await expect(cancel(byCustomer)).rejects.toMatchObject({
    status: 409,
    message: 'This order is paid, so it cannot be cancelled here. Please write to us.',
  });
});

test('Before an account goes, what it has not paid is ended, and what it is paying is settled', async () => {
  const owner: Account = { ...customer, id: newId(), email: 'leaving@customers.example' };
  await shop.db.insert(accounts).values({ ...owner, emailVerifiedAt: 1, createdAt: 1 });
  const newOrder = () =>
    placeOrder({ ...shop, account: owner }, { ...input, customerEmail: owner.email }, undefined);
  const [open, delivered, paying, paid] = [
    await newOrder(),
    await newOrder(),
    await newOrder(),
    await newOrder(),
  ];
  const intents = [await shop.openPage(open), await shop.openPage(delivered)];
  await changeOrder(shop.db, await shop.readOrder(delivered), {
    kind: 'delivered',
    by: stripeActor,
    set: { orderStatus: 'Delivered' },
  });
  await shop.payByCard(await shop.openPage(paying));
  await setPaymentByHand(shop.openPaymentContext(), paid._id, 'Paid', administrator);
  const others = await shop.newOrder();
  await writeBatch(shop.db, await endUnpaidOrders(shop.openPaymentContext(), owner));
  const statuses = await Promise.all(
    [open, delivered, paying, paid, others].map((order) => shop.readOrder(order)),
  );
  expect(statuses.map(({ paymentStatus }) => paymentStatus)).toEqual([
    'Cancelled',
    'UnPaid',
    'Paid',
    'Paid',
    'UnPaid',
  ]);
  for (const id of intents) expect((await shop.stripe.paymentIntents.retrieve(id)).status).toBe('canceled');
  expect((await readTimeline(shop.db, open._id, owner)).at(-1)).toMatchObject({ kind: 'cancelled' });
});
