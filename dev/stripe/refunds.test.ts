import { expect, test } from 'vitest';
import { chargeFee } from './balance.ts';
import { balanceOf, chargeIdOf, eventTypes, pay, refusalOf, startTestEmulator } from './testing.ts';

test('A refund returns all or a part, and never more than was paid', async () => {
  const { stripe } = await startTestEmulator();
  const paid = await pay(stripe);
  const charge = () => stripe.charges.retrieve(chargeIdOf(paid));
  const part = await stripe.refunds.create({ payment_intent: paid.id, amount: 9_900 });
  expect(part).toMatchObject({ amount: 9_900, status: 'succeeded', charge: paid.latest_charge });
  expect(await charge()).toMatchObject({ amount_refunded: 9_900, refunded: false });
  const tooMuch = await refusalOf(stripe.refunds.create({ payment_intent: paid.id, amount: 40_001 }));
  expect(tooMuch.message).toBe(
    'Refund amount ($400.01) is greater than unrefunded amount on charge ($400.00)',
  );
  const rest = await stripe.refunds.create({ payment_intent: paid.id });
  const done = await refusalOf(stripe.refunds.create({ payment_intent: paid.id }));
  expect(done).toMatchObject({ code: 'charge_already_refunded' });
  expect(await charge()).toMatchObject({ amount_refunded: 49_900, refunded: true });
  const { data } = await stripe.refunds.list({ charge: chargeIdOf(paid) });
  expect(data.map(({ id, amount }) => [id, amount])).toEqual([
    [rest.id, 40_000],
    [part.id, 9_900],
  ]);
  // Stripe keeps its fee.
  expect(await balanceOf(stripe)).toBe(-chargeFee(49_900));
  const unpaid = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
  const refusal = await refusalOf(stripe.refunds.create({ payment_intent: unpaid.id }));
  expect(refusal.message).toContain('does not have a successful charge to refund');
});

test.each([
  ['pending', 'succeeds', 'pm_card_pendingRefund', 'pending', 'succeeded'],
  ['succeeded', 'fails', 'pm_card_refundFail', 'succeeded', 'failed'],
])('A refund that is %s %s after a while', async (_begin, _end, card, begin, end) => {
  const { stripe } = await startTestEmulator({ processingMs: 20 });
  const paid = await pay(stripe, card);
  const { id, status } = await stripe.refunds.create({ payment_intent: paid.id });
  expect(status).toBe(begin);
  await expect.poll(async () => (await stripe.refunds.retrieve(id)).status).toBe(end);
  expect(await eventTypes(stripe, 3)).toEqual([
    ...['refund.created', 'charge.refunded', 'refund.updated'],
    ...(end === 'failed' ? ['refund.failed'] : []),
  ]);
  // The money of a failed refund is back, and can be refunded again.
  const refunded = end === 'failed' ? 0 : 49_900;
  expect((await stripe.charges.retrieve(chargeIdOf(paid))).amount_refunded).toBe(refunded);
  expect(await balanceOf(stripe)).toBe(49_900 - refunded - chargeFee(49_900));
});
