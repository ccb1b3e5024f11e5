import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { startTestEmulator } from './testing.ts';

async function startSubscription() {
  const { emulator, stripe } = await startTestEmulator();
  const customer = await stripe.customers.create({});
  const product = await stripe.products.create({ id: 'care', name: 'Care' });
  const price = { currency: 'usd', product: product.id, recurring: { interval: 'month' as const } };
  const { id, status, latest_invoice } = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price_data: { ...price, unit_amount: 49_900 } }],
    payment_behavior: 'default_incomplete',
    payment_settings: { payment_method_types: ['card'], save_default_payment_method: 'on_subscription' },
    expand: ['latest_invoice.payments'],
  });
  expect(status).toBe('incomplete');
  const intent = (latest_invoice as Stripe.Invoice).payments?.data[0]?.payment.payment_intent as string;
  await stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
  const read = () => stripe.subscriptions.retrieve(id, { expand: ['customer', 'default_payment_method'] });
  return { emulator, stripe, id, customer: customer.id, read };
}

test('A declined renewal is tried four times, and the page of its invoice takes another card', async () => {
  const { emulator, stripe, id, customer, read } = await startSubscription();
  emulator.controls.changeCard({ customer, card: 'pm_card_chargeCustomerFail' });
  const { invoice_settings } = (await read()).customer as Stripe.Customer;
  const declining = invoice_settings.default_payment_method as string;
  await stripe.subscriptions.update(id, { default_payment_method: declining });
  emulator.controls.advance({ days: 32 });
  expect((await read()).status).toBe('past_due');
  emulator.controls.advance({ days: 16 });
  const failed = await read();
  expect(failed.status).toBe('unpaid');
  const open = await stripe.invoices.retrieve(failed.latest_invoice as string);
  expect(open).toMatchObject({ attempt_count: 4, next_payment_attempt: null });

  const body = new URLSearchParams({ card: 'pm_card_visa' });
  await fetch(open.hosted_invoice_url ?? '', { method: 'POST', body });
  expect((await read()).status).toBe('active');
});
