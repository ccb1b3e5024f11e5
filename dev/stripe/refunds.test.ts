import { expect, test } from 'vitest';
import { chargeFee } from './balance.ts';
import { balanceOf, chargeIdOf, eventTypes, pay, refusalOf, startTestEmulator } from './testing.ts';

test('A refund returns all or a part, and never more than was paid', async () => {
  const { stripe } = await startTestEmulator();
  const paid = await pay(stripe);
  const part = await stripe.refunds.create({ payment_intent: paid.id, amount: 9_900 });
  expect(part).toMatchObject({ amount: 9_900, status: 'succeeded', charge: paid.latest_charge });
  expect(await stripe.charges.retrieve(chargeIdOf(paid))).toMatchObject({
    amount_refunded: 9_900,
    refunded: false,
  });
  const tooMuch = await refusalOf(stripe.refunds.create({ payment_intent: paid.id, amount: 40_001 }));
  expect(tooMuch.message).toBe(
    'Refund amount ($400.01) is greater than unrefunded amount on charge ($400.00)',
  );
  const rest = await stripe.refunds.create({ charge: chargeIdOf(paid) });
  expect(rest.amount).toBe(40_000);
  expect(await refusalOf(stripe.refunds.create({ payment_intent: paid.id }))).toMatchObject({
    code: 'charge_already_refunded',
  });
  expect(await stripe.charges.retrieve(chargeIdOf(paid))).toMatchObject({
    amount_refunded: 49_900,
    refunded: true,
    refunds: { data: [{ id: rest.id }, { id: part.id }] },
  });
  const { data } = await stripe.refunds.list({ payment_intent: paid.id });
  expect(data.map(({ id }) => id)).toEqual([rest.id, part.id]);
  expect(await stripe.refunds.retrieve(part.id)).toMatchObject({ charge: paid.latest_charge });
  // Stripe keeps its fee.
  expect(await balanceOf(stripe)).toBe(-chargeFee(49_900));
  const unpaid = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
  expect((await refusalOf(stripe.refunds.create({ payment_intent: unpaid.id }))).message).toContain(
    'does not have a successful charge to refund',
  );
});

test('A pending refund succeeds after a while', async () => {
  const { stripe } = await startTestEmulator({ processingMs: 20 });
  const { id } = await pay(stripe, 'pm_card_pendingRefund');
  const refund = await stripe.refunds.create({ payment_intent: id });
  expect(refund).toMatchObject({ status: 'pending', amount: 49_900 });
  await expect.poll(async () => (await stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
  expect(await eventTypes(stripe, 3)).toEqual(['refund.created', 'charge.refunded', 'refund.updated']);
});

test('A refund that had succeeded fails after a while, and the payment can be refunded again', async () => {
  const { stripe } = await startTestEmulator({ processingMs: 20 });
  const paid = await pay(stripe, 'pm_card_refundFail');
  const refund = await stripe.refunds.create({ payment_intent: paid.id });
  expect(refund.status).toBe('succeeded');
  await expect.poll(async () => (await stripe.refunds.retrieve(refund.id)).status).toBe('failed');
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
    failure_reason: 'expired_or_canceled_card',
  });
  expect(await stripe.charges.retrieve(chargeIdOf(paid))).toMatchObject({
    amount_refunded: 0,
    refunded: false,
  });
  expect((await eventTypes(stripe, 5)).slice(0, 2)).toEqual(['refund.updated', 'refund.failed']);
  expect(await balanceOf(stripe)).toBe(49_900 - chargeFee(49_900));
  expect(await stripe.refunds.create({ payment_intent: paid.id })).toMatchObject({ amount: 49_900 });
});

test('A test decides how a refund ends', async () => {
  const { emulator, stripe } = await startTestEmulator();
  const { id } = await pay(stripe, 'pm_card_pendingRefund');
  const { id: refund } = await stripe.refunds.create({ payment_intent: id });
  emulator.controls.settleRefund({ refund, status: 'canceled' });
  expect((await stripe.refunds.retrieve(refund)).status).toBe('canceled');
  expect(() => emulator.controls.settleRefund({ refund })).toThrow('it has a status of canceled');
});
