import { expect, test } from 'vitest';
import { chargeFee } from './balance.ts';
import { balanceOf, pay, startTestEmulator } from './testing.ts';

test('A dispute takes what is left of a payment, and a fee that is not returned with the money', async () => {
  const { emulator, stripe } = await startTestEmulator();
  const { id } = await pay(stripe);
  await stripe.refunds.create({ payment_intent: id, amount: 9_900 });
  const { evidence_details, ...opened } = emulator.controls.dispute({ paymentIntent: id });
  expect(opened).toMatchObject({ amount: 40_000, reason: 'fraudulent', status: 'needs_response' });
  // The end of a day.
  expect(((evidence_details.due_by ?? 0) + 1) % 86_400).toBe(0);
  expect(await balanceOf(stripe)).toBe(-1_500 - chargeFee(49_900));
  emulator.controls.dispute({ paymentIntent: id, outcome: 'won' });
  expect(await balanceOf(stripe)).toBe(40_000 - 1_500 - chargeFee(49_900));
  expect(() => emulator.controls.dispute({ paymentIntent: id })).toThrow('has been disputed already');
});
