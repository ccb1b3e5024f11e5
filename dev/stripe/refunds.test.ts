import { expect, test } from 'vitest';
import { chargeFee } from './balance.ts';
import { balanceOf, chargeIdOf, pay, startTestEmulator } from './testing.ts';

test.each([
  ['pending', 'succeeds', 'pm_card_pendingRefund', 'pending', 'succeeded'],
  ['succeeded', 'fails', 'pm_card_refundFail', 'succeeded', 'failed'],
])('A refund that is %s at first %s after a while', async (_begin, _end, card, begin, end) => {
  const { stripe } = await startTestEmulator({ processingMs: 20 });
  const paid = await pay(stripe, card);
  const { id, status } = await stripe.refunds.create({ payment_intent: paid.id });
  expect(status).toBe(begin);
  await expect.poll(async () => (await stripe.refunds.retrieve(id)).status).toBe(end);
  // The money of a failed refund is back, and can be refunded again.
  const refunded = end === 'failed' ? 0 : 49_900;
  expect((await stripe.charges.retrieve(chargeIdOf(paid))).amount_refunded).toBe(refunded);
  expect(await balanceOf(stripe)).toBe(49_900 - refunded - chargeFee(49_900));
});
