/** Payments on the running system, with Stripe's stand-in for the card; the tests play the payer's browser. */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { signPayload } from '#dev/stripe/webhooks.ts';
import type { Order, OrderEvent } from '#contract/orders.ts';
import type { LedgerMovement, OrderRefunds, Refund } from '#contract/payments.ts';
import { openDatabase } from '#worker/db/client.ts';
import { findBookFaults } from '../support/books.ts';
import {
  clientSecretFor,
  confirmCard as confirmAtStripe,
  intentIdOf,
  placeOrder,
  requestIntent,
} from '../support/orders.ts';
import { registerVerified } from '../support/cast.ts';
import { untilMs } from '../support/limits.ts';
import {
  fetchAlone,
  registerCustomer,
  signInAdministrator,
  Visitor,
  type Answer,
} from '../support/visitor.ts';

const url = inject('systemUrl');
const stripeUrl = inject('stripeUrl');

afterAll(async () => {
  const database = { TURSO_DATABASE_URL: inject('databaseUrl'), TURSO_AUTH_TOKEN: inject('databaseToken') };
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

async function control(name: string, argument: unknown): Promise<void> {
  const answer = await fetch(new URL(`/_test/${name}`, stripeUrl), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(argument),
  });
  expect(answer.status).toBe(200);
}

const readOrder = async (customer: Visitor, id: string) => orderOf(await customer.get(`/api/order/${id}`));
const untilPaid = (customer: Visitor, id: string) =>
  expect.poll(async () => (await readOrder(customer, id)).paymentStatus).toBe('Paid');

test('A card payment makes the order Paid, once, with its transaction', async () => {
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

test('A payer whose browser dies after paying is recorded by the webhook', async () => {
  const { customer, order } = await newOrder();
  await confirmCard(await clientSecretFor(customer, order));
  await untilPaid(customer, order._id);
});

test('Anyone who has the link can pay, and learns no more than paying needs', async () => {
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

test('An order has one intent, however often and from how many tabs it is asked for', async () => {
  const { customer, order } = await newOrder();
  const secrets = await Promise.all(Array.from({ length: 20 }, () => clientSecretFor(customer, order)));
  expect(new Set(secrets).size).toBe(1);
  expect(await clientSecretFor(new Visitor(url), order)).toBe(secrets[0]);
});

test("Stripe's own receipt goes to the payer's verified email, and to nobody else", async () => {
  const [verified, holder] = [await registerVerified(url), new Visitor(url)];
  const order = await placeOrder(verified);
  const [key] = z
    .array(z.object({ stripeKey: z.string() }))
    .parse((await holder.get('/api/stripe-keys')).json);
  /** Where Stripe would send it once this payer has opened the payment. */
  async function receiptEmailFor(payer: Visitor): Promise<unknown> {
    const secret = await clientSecretFor(payer, order);
    const address = new URL(`/v1/payment_intents/${intentIdOf(secret)}`, stripeUrl);
    address.searchParams.set('client_secret', secret);
    const answer = await fetch(address, { headers: { Authorization: `Bearer ${key?.stripeKey ?? ''}` } });
    return z.object({ receipt_email: z.string().nullable() }).parse(await answer.json()).receipt_email;
  }
  expect(await receiptEmailFor(holder)).toBeNull();
  expect(await receiptEmailFor(verified)).toBe(verified.email);
  expect(await receiptEmailFor(await registerCustomer(url))).toBeNull();
});

test('Another amount, no order or a wrong one starts no payment', async () => {
  const { customer, order } = await newOrder();
  const ask = (body: unknown) => customer.post('/api/create-payment-intent', body);
  for (const amount of [
    '0.01',
    '1e3',
    -1,
    0,
    Number(order.packagePrice) * 100,
    ` ${order.packagePrice}`,
    'NaN',
  ])
    expect([amount, (await ask({ amount, orderId: order._id })).status]).toEqual([amount, 409]);
  const unnamed = await ask({ amount: order.packagePrice });
  expect(unnamed.status).toBe(422);
  expect(unnamed.json).toHaveProperty('errors.orderId');
  expect((await ask({ amount: order.packagePrice, orderId: randomUUID() })).status).toBe(404);
  expect((await ask({ amount: order.packagePrice, orderId: order._id, currency: 'jpy' })).status).toBe(422);
  const events = (await customer.get(`/api/order/${order._id}/timeline`)).json as OrderEvent[];
  expect(events.map(({ kind }) => kind)).toEqual(['placed']);
});

test('A declined card leaves the order UnPaid, and another card can pay it', async () => {
  const { customer, order } = await newOrder();
  const secret = await clientSecretFor(customer, order);
  expect((await confirmCard(secret, 'pm_card_chargeDeclinedInsufficientFunds')).code).toBe('card_declined');
  expect((await customer.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' })).status).toBe(409);
  expect((await readOrder(customer, order._id)).paymentStatus).toBe('UnPaid');
  expect(await clientSecretFor(customer, order)).toBe(secret);
  await confirmCard(secret);
  await untilPaid(customer, order._id);
});

test('Cancelling stops the intent at Stripe, so that a tab left open cannot pay any more', async () => {
  const { customer, order } = await newOrder();
  const secret = await clientSecretFor(customer, order);
  expect(
    (await customer.put(`/api/order-cancelled/${order._id}`, { paymentStatus: 'Cancelled' })).status,
  ).toBe(200);
  expect((await confirmCard(secret)).code).toBe('payment_intent_unexpected_state');
  expect((await customer.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' })).status).toBe(409);
  expect((await readOrder(customer, order._id)).paymentStatus).toBe('Cancelled');
});

test('Cancelling after the payment went through tells the customer, and the order is Paid', async () => {
  const { customer, order } = await newOrder();
  await control('holdWebhooks', { types: ['payment_intent.succeeded'] });
  try {
    await confirmCard(await clientSecretFor(customer, order));
    const answer = await customer.put(`/api/order-cancelled/${order._id}`, { paymentStatus: 'Cancelled' });
    expect(answer.status).toBe(409);
    expect(answer.json).toMatchObject({ paymentStatus: 'Paid' });
    expect((await readOrder(customer, order._id)).paymentStatus).toBe('Paid');
  } finally {
    await control('releaseWebhooks', {});
  }
});

test('An administrator may record money that came another way, which ends the card payment', async () => {
  const { customer, order } = await newOrder();
  const administrator = await signInAdministrator(url);
  const secret = await clientSecretFor(customer, order);
  const answer = await administrator.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' });
  expect(orderOf(answer)).toMatchObject({
    paymentStatus: 'Paid',
    paymentMethod: 'PayPal',
    transactionId: '',
  });
  expect((await confirmCard(secret)).code).toBe('payment_intent_unexpected_state');
  const undone = await administrator.put(`/api/order/${order._id}`, { paymentStatus: 'UnPaid' });
  expect(orderOf(undone)).toMatchObject({ paymentStatus: 'UnPaid', paymentMethod: '' });
  await confirmCard(await clientSecretFor(customer, order));
  await untilPaid(customer, order._id);
  expect((await administrator.put(`/api/order/${order._id}`, { paymentStatus: 'UnPaid' })).status).toBe(409);
});

test('A webhook that Stripe did not sign changes nothing', async () => {
  const { customer, order } = await newOrder();
  const intentId = intentIdOf(await clientSecretFor(customer, order));
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type: 'payment_intent.succeeded',
    data: {
      object: {
        id: intentId,
        object: 'payment_intent',
        status: 'succeeded',
        amount_received: Math.round(Number(order.packagePrice) * 100),
        currency: 'usd',
        metadata: { orderId: order._id },
      },
    },
  });
  const now = Math.floor(Date.now() / 1_000);
  for (const signature of [undefined, '', 't=1,v1=0', signPayload(body, 'whsec_somebody_else', now)]) {
    const answer = await fetchAlone(new URL('/api/stripe/webhook', url), {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        ...(signature !== undefined && { 'Stripe-Signature': signature }),
      },
    });
    expect(answer.status).toBe(400);
  }
  expect((await readOrder(customer, order._id)).paymentStatus).toBe('UnPaid');
});

/** A new order of a new customer, paid by card. */
async function newPaidOrder() {
  const { customer, order } = await newOrder();
  const { id } = await confirmCard(await clientSecretFor(customer, order));
  await untilPaid(customer, order._id);
  return { customer, order, intentId: id };
}

const refundsOf = async (visitor: Visitor, { _id }: Order) =>
  (await visitor.get(`/api/order/${_id}/refunds`)).json as OrderRefunds;

test('An administrator returns an order in parts; its customer reads how much, and nobody else does', async () => {
  const { customer, order } = await newPaidOrder();
  const administrator = await signInAdministrator(url);
  const ask = (body: unknown, by = administrator) =>
    by.post(`/api/order/${order._id}/refunds`, body, { headers: { 'Idempotency-Key': randomUUID() } });
  for (const amount of ['0', '-1', '1e3', '1.234', ' 1', 1, ''])
    expect([amount, (await ask({ amount })).status]).toEqual([amount, 422]);
  expect((await ask({ amount: '1', reason: 'because' })).status).toBe(422);
  expect((await ask({ amount: '1' }, customer)).status).toBe(403);
  expect((await ask({ amount: '1000000' })).status).toBe(422);
  expect((await ask({ amount: '5000' })).json).toMatchObject({ status: 409, left: order.packagePrice });

  const part = await ask({ amount: '100.50', reason: 'requested_by_customer', note: 'As agreed.' });
  expect([part.status, (part.json as Refund).status]).toEqual([201, 'succeeded']);
  expect(await readOrder(customer, order._id)).toMatchObject({
    paymentStatus: 'Paid',
    refundedAmount: '100.50',
  });
  const theirs = await refundsOf(customer, order);
  expect(theirs.refunds).toMatchObject([{ amount: '100.50', note: 'As agreed.', by: '', reason: null }]);
  expect((await refundsOf(administrator, order)).refunds).toMatchObject([
    { reason: 'requested_by_customer' },
  ]);
  expect((await (await registerCustomer(url)).get(`/api/order/${order._id}/refunds`)).status).toBe(404);

  const rest = await ask({});
  expect(rest.status).toBe(201);
  expect((await refundsOf(customer, order)).leftAmount).toBe('0');
  expect(await readOrder(customer, order._id)).toMatchObject({
    paymentStatus: 'Refunded',
    paymentMethod: 'Card',
    refundedAmount: order.packagePrice,
  });
  for (const paymentStatus of ['Paid', 'UnPaid'])
    expect((await administrator.put(`/api/order/${order._id}`, { paymentStatus })).status).toBe(409);
  expect((await requestIntent(customer, order)).status).toBe(409);
  const listed = (await customer.get('/api/orders?paymentStatus=Refunded')).json as Order[];
  expect(listed.map(({ _id }) => _id)).toEqual([order._id]);
  const csv = await administrator.get(`/api/orders.csv?q=${order._id}`);
  expect(csv.text).toContain('Refunded (USD)');
});

test('A refund in Stripe’s dashboard reaches the order, and one that fails later is taken back', async () => {
  const { customer, order, intentId } = await newPaidOrder();
  await control('refund', { paymentIntent: intentId });
  await expect
    .poll(async () => (await readOrder(customer, order._id)).paymentStatus, { timeout: untilMs })
    .toBe('Refunded');
  const [made] = (await refundsOf(customer, order)).refunds;
  await control('settleRefund', { refund: made?.refundId ?? '', status: 'failed' });
  await expect
    .poll(async () => (await readOrder(customer, order._id)).paymentStatus, { timeout: untilMs })
    .toBe('Paid');
});

test('The ledger lists what moved, newest first, and as a file, for administrators alone', async () => {
  const { customer, order, intentId } = await newPaidOrder();
  const administrator = await signInAdministrator(url);
  await administrator.post(`/api/order/${order._id}/refunds`, { amount: '1' });
  const answer = await administrator.get('/api/ledger?page=1&pageSize=100');
  const movements = answer.json as readonly LedgerMovement[];
  expect(answer.headers.get('X-Total-Count')).toBe(String(movements[0]?.sequence));
  const own = movements.filter(({ orderId }) => orderId === order._id);
  expect(own).toMatchObject([
    { kind: 'refund', amountCents: -100, orderNumber: order.number },
    { kind: 'payment', stripeId: intentId },
  ]);
  const { text } = await administrator.get('/api/ledger.csv');
  expect(text).toContain(`,#${order.number},Refund,-1.00,re_`);
  expect((await customer.get('/api/ledger')).status).toBe(403);
  expect((await new Visitor(url).get('/api/ledger.csv')).status).toBe(401);
});
