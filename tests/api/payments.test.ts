/** Card payments through the API, with the Stripe emulator; the tests play the payer's browser. */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import type { Order, OrderEvent } from '#contract/orders.ts';
import { openDatabase } from '#worker/db/client.ts';
import { findBookFaults } from '../support/books.ts';
import {
  clientSecretFor,
  confirmCard as confirmAtStripe,
  placeOrder,
  requestIntent,
} from '../support/orders.ts';
import { registerCustomer, Visitor, type Answer } from '../support/visitor.ts';

const url = sharedSystem.url;
const stripeUrl = sharedSystem.stripe.url;

afterAll(async () => {
  const database = {
    TURSO_DATABASE_URL: sharedSystem.database.url,
    TURSO_AUTH_TOKEN: sharedSystem.database.authToken,
  };
  expect(await findBookFaults(openDatabase(database))).toEqual([]);
});

const orderOf = (answer: Answer) => answer.json as Order;

/** A new order of a new customer. */
async function newOrder() {
  const customer = await registerCustomer(url);
  return { customer, order: await placeOrder(customer) };
}

const confirmCard = (clientSecret: string, paymentMethod?: string) =>
  confirmAtStripe(new Visitor(url), stripeUrl, clientSecret, paymentMethod);

const readOrder = async (customer: Visitor, id: string) => orderOf(await customer.get(`/api/order/${id}`));
const untilPaid = (customer: Visitor, id: string) =>
  expect.poll(async () => (await readOrder(customer, id)).paymentStatus).toBe('Paid');

test('A card payment makes the order Paid once, with its transaction', async () => {
  const { customer, order } = await newOrder();
  const intent = await confirmCard(await clientSecretFor(customer, order));
  expect(intent.status).toBe('succeeded');
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => customer.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' })),
  );
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(orderOf(answer)).toMatchObject({
      paymentStatus: 'Paid',
      paymentMethod: 'Card',
      transactionId: intent.id,
    });
  }
  const events = (await customer.get(`/api/order/${order._id}/timeline`)).json as OrderEvent[];
  expect(events.map(({ kind, by }) => [kind, by])).toEqual([
    ['placed', 'Customer'],
    ['paymentStarted', 'Customer'],
    ['paid', 'Stripe'],
  ]);
  expect((await requestIntent(customer, order)).status).toBe(409);
  expect((await customer.put(`/api/order-cancelled/${order._id}`, {})).status).toBe(409);
});

test('Anyone with the link can pay, and learns no more than paying needs', async () => {
  const { customer, order } = await newOrder();
  const payer = new Visitor(url);
  await confirmCard(await clientSecretFor(payer, order));
  const answer = await payer.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' });
  expect(answer.json).toEqual({
    _id: order._id,
    packageName: order.packageName,
    packagePrice: order.packagePrice,
    paymentStatus: 'Paid',
  });
  expect((await readOrder(customer, order._id)).paymentMethod).toBe('Card');
});

test('A wrong amount or a wrong order starts no payment', async () => {
  const { customer, order } = await newOrder();
  const ask = (body: unknown) => customer.post('/api/create-payment-intent', body);
  for (const amount of ['0.01', '1e3', -1, Number(order.packagePrice) * 100, ` ${order.packagePrice}`])
    expect([amount, (await ask({ amount, orderId: order._id })).status]).toEqual([amount, 409]);
  const unnamed = await ask({ amount: order.packagePrice });
  expect(unnamed.status).toBe(422);
  expect(unnamed.json).toHaveProperty('errors.orderId');
  expect((await ask({ amount: order.packagePrice, orderId: randomUUID() })).status).toBe(404);
  expect((await ask({ amount: order.packagePrice, orderId: order._id, currency: 'jpy' })).status).toBe(422);
  const events = (await customer.get(`/api/order/${order._id}/timeline`)).json as OrderEvent[];
  expect(events.map(({ kind }) => kind)).toEqual(['placed']);
});

test('A declined card leaves the order UnPaid, and the webhook reports another card that pays it', async () => {
  const { customer, order } = await newOrder();
  const secret = await clientSecretFor(customer, order);
  expect((await confirmCard(secret, 'pm_card_chargeDeclinedInsufficientFunds')).code).toBe('card_declined');
  expect((await customer.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' })).status).toBe(409);
  expect((await readOrder(customer, order._id)).paymentStatus).toBe('UnPaid');
  expect(await clientSecretFor(customer, order)).toBe(secret);
  await confirmCard(secret);
  await untilPaid(customer, order._id);
});

test('Cancellation cancels the intent at Stripe, so an open tab can no longer pay', async () => {
  const { customer, order } = await newOrder();
  const secret = await clientSecretFor(customer, order);
  expect(
    (await customer.put(`/api/order-cancelled/${order._id}`, { paymentStatus: 'Cancelled' })).status,
  ).toBe(200);
  expect((await confirmCard(secret)).code).toBe('payment_intent_unexpected_state');
  expect((await customer.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' })).status).toBe(409);
  expect((await readOrder(customer, order._id)).paymentStatus).toBe('Cancelled');
});
