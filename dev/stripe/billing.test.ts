/** Subscriptions with Stripe Billing, through the official client. */
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { monthsAfter } from './billing.ts';
import { connectStripe, eventTypes, refusalOf, startTestEmulator } from './testing.ts';

type Test = Awaited<ReturnType<typeof startTestEmulator>>;

async function subscribe({ stripe }: Pick<Test, 'stripe'>, amount = 49_900) {
  const customer = await stripe.customers.create({ metadata: { site: 'https://site.test' } });
  const product = await stripe.products.create({ id: `care-${customer.id}`, name: 'Care' });
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price_data: priceOf(product.id, amount) }],
    metadata: { orderId: 'order-1' },
    payment_behavior: 'default_incomplete',
    payment_settings: {
      payment_method_types: ['card', 'link'],
      save_default_payment_method: 'on_subscription',
    },
    expand: ['latest_invoice.payments'],
  });
  const invoice = subscription.latest_invoice as Stripe.Invoice;
  const intent = invoice.payments?.data[0]?.payment.payment_intent as string;
  return { customer, product, subscription, invoice, intent };
}

const priceOf = (product: string, unit_amount: number) => ({
  currency: 'usd',
  product,
  recurring: { interval: 'month' as const },
  unit_amount,
});

async function startSubscription(options: Parameters<typeof startTestEmulator>[0] = {}) {
  const started = await startTestEmulator(options);
  const made = await subscribe(started);
  await started.stripe.paymentIntents.confirm(made.intent, { payment_method: 'pm_card_visa' });
  const { id } = made.subscription;
  return {
    ...started,
    ...made,
    read: () => started.stripe.subscriptions.retrieve(id),
    paid: async () =>
      (await started.stripe.invoices.list({ subscription: id, status: 'paid', limit: 100 })).data,
    update: (change: Stripe.SubscriptionUpdateParams) => started.stripe.subscriptions.update(id, change),
  };
}

test('A subscription is incomplete until its first invoice is paid, and its events say so', async () => {
  const started = await startTestEmulator();
  const { subscription, intent } = await subscribe(started);
  expect(subscription.status).toBe('incomplete');
  expect((await refusalOf(started.stripe.paymentIntents.cancel(intent))).code).toBeUndefined();
  await started.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
  const active = await started.stripe.subscriptions.retrieve(subscription.id, {
    expand: ['default_payment_method'],
  });
  expect(active).toMatchObject({ status: 'active', default_payment_method: { card: { last4: '4242' } } });
  expect(await eventTypes(started.stripe, 0)).toEqual([
    ...['customer.created', 'customer.subscription.created', 'invoice.created', 'payment_intent.created'],
    ...['invoice.finalized', 'charge.succeeded', 'payment_intent.succeeded', 'invoice.paid'],
    ...['invoice.payment_succeeded', 'customer.subscription.updated'],
  ]);
});

test('A first payment that does not come within 23 hours ends the subscription', async () => {
  const started = await startTestEmulator();
  const { subscription, intent, invoice } = await subscribe(started);
  started.emulator.controls.advance({ days: 1 });
  expect((await started.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete_expired');
  expect((await started.stripe.paymentIntents.retrieve(intent)).status).toBe('canceled');
  expect((await started.stripe.invoices.retrieve(invoice.id)).status).toBe('void');
});

test('Every month is charged once, at the price that the item has then', async () => {
  const { emulator, product, subscription, read, paid, update } = await startSubscription();
  emulator.controls.advance({ days: 100 });
  const item = (await read()).items.data[0];
  await update({
    items: [{ id: item?.id ?? '', price_data: priceOf(product.id, 59_900) }],
    proration_behavior: 'none',
  });
  emulator.controls.advance({ days: 31 });
  const invoices = await paid();
  expect(invoices.map(({ amount_paid }) => amount_paid)).toEqual([59_900, 49_900, 49_900, 49_900, 49_900]);
  const anchor = subscription.billing_cycle_anchor;
  expect((await read()).items.data[0]?.current_period_end).toBe(monthsAfter(anchor, 5));
});

test('Nothing is charged during a pause, and the next month is after it', async () => {
  const { emulator, read, paid, update, subscription } = await startSubscription();
  const resumes_at = monthsAfter(subscription.billing_cycle_anchor, 3) - 86_400;
  await update({ pause_collection: { behavior: 'void', resumes_at } });
  emulator.controls.advance({ days: 70 });
  expect(await paid()).toHaveLength(1);
  emulator.controls.advance({ days: 30 });
  expect((await read()).pause_collection).toBeNull();
  expect(await paid()).toHaveLength(2);
});

test('A declined renewal is tried four times, and a new card pays what is open', async () => {
  const { emulator, stripe, customer, subscription, read, paid } = await startSubscription();
  emulator.controls.changeCard({ customer: customer.id, card: 'pm_card_chargeCustomerFail' });
  const changed = await stripe.customers.retrieve(customer.id);
  const declining = (changed as Stripe.Customer).invoice_settings.default_payment_method as string;
  await stripe.subscriptions.update(subscription.id, { default_payment_method: declining });
  emulator.controls.advance({ days: 32 });
  expect((await read()).status).toBe('past_due');
  emulator.controls.advance({ days: 16 });
  const failed = await read();
  expect(failed.status).toBe('unpaid');
  const open = failed.latest_invoice as string;
  expect(await stripe.invoices.retrieve(open)).toMatchObject({
    attempt_count: 4,
    next_payment_attempt: null,
  });

  const page = `${emulator.url}/invoice/${open}`;
  await fetch(page, { method: 'POST', body: new URLSearchParams({ card: 'pm_card_visa' }) });
  expect((await read()).status).toBe('active');
  expect(await paid()).toHaveLength(2);
});

test('A subscription ends at the end of its period, and a deleted customer ends it at once', async () => {
  const { emulator, stripe, customer, read, paid, update } = await startSubscription();
  await update({ cancel_at_period_end: true });
  emulator.controls.advance({ days: 40 });
  expect(await read()).toMatchObject({ status: 'canceled' });
  expect(await paid()).toHaveLength(1);
  expect((await refusalOf(update({ cancel_at_period_end: false }))).message).toContain(
    'canceled subscription',
  );

  const other = await subscribe({ stripe });
  await stripe.paymentIntents.confirm(other.intent, { payment_method: 'pm_card_visa' });
  await stripe.customers.del(other.customer.id);
  expect((await stripe.subscriptions.retrieve(other.subscription.id)).status).toBe('canceled');
  expect((await stripe.customers.retrieve(customer.id)).deleted).toBeUndefined();
});

test('A page of the portal changes the card of its customer', async () => {
  const { stripe, customer } = await startSubscription();
  const session = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    flow_data: { type: 'payment_method_update' },
    return_url: 'https://site.test/subscription/1',
  });
  expect(await (await fetch(session.url)).text()).toContain('Change the card');
  const answer = await fetch(session.url, {
    method: 'POST',
    body: new URLSearchParams({ card: 'pm_card_mastercard' }),
    redirect: 'manual',
  });
  expect(answer.headers.get('Location')).toBe('https://site.test/subscription/1');
  const { invoice_settings } = (await stripe.customers.retrieve(customer.id)) as Stripe.Customer;
  const method = await stripe.paymentMethods.retrieve(invoice_settings.default_payment_method as string);
  expect(method.card?.last4).toBe('4444');
});

test('A restricted key needs a permission for each of these', async () => {
  const { emulator } = await startTestEmulator({ restrictedKeys: { rk_test_no: ['payment_intent_write'] } });
  const stripe = connectStripe(emulator.port, 'rk_test_no');
  const calls = {
    rak_customer_write: () => stripe.customers.create({}),
    rak_product_write: () => stripe.products.create({ id: 'care', name: 'Care' }),
    rak_subscription_read: () => stripe.subscriptions.retrieve('sub_1'),
    rak_invoice_read: () => stripe.invoices.list({}),
    rak_customer_portal_write: () => stripe.billingPortal.sessions.create({ customer: 'cus_1' }),
  };
  for (const [permission, call] of Object.entries(calls))
    expect((await refusalOf(call())).message).toContain(`'${permission}'`);
});
