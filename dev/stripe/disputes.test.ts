import { expect, test } from 'vitest';
import { balanceOf, chargeIdOf, eventTypes, pay, refusalOf, startTestEmulator } from './testing.ts';
import { chargeFee } from './balance.ts';

test('A disputed payment is withdrawn until the dispute is won, and meanwhile cannot be refunded', async () => {
  const { emulator, stripe } = await startTestEmulator();
  const paid = await pay(stripe, 'pm_card_createDispute');
  const read = async () => (await stripe.disputes.list({ payment_intent: paid.id })).data[0];
  const dispute = await read();
  expect(dispute).toMatchObject({
    ...{ amount: 49_900, reason: 'fraudulent', status: 'needs_response', charge: chargeIdOf(paid) },
    balance_transactions: [{ amount: -49_900, fee: 1_500, net: -51_400 }],
  });
  // The end of a day.
  expect(((dispute?.evidence_details.due_by ?? 0) + 1) % 86_400).toBe(0);
  expect(await stripe.charges.retrieve(chargeIdOf(paid))).toMatchObject({ disputed: true });
  const refusal = await refusalOf(stripe.refunds.create({ payment_intent: paid.id }));
  expect(refusal).toMatchObject({ statusCode: 400, code: 'charge_disputed' });

  emulator.controls.dispute({ paymentIntent: paid.id, outcome: 'under_review' });
  expect((await read())?.status).toBe('under_review');
  emulator.controls.dispute({ paymentIntent: paid.id, outcome: 'won' });
  expect((await read())?.status).toBe('won');
  expect(await eventTypes(stripe, 3)).toEqual([
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
  ]);
  expect(await balanceOf(stripe)).toBe(49_900 - 1_500 - chargeFee(49_900));
  expect(await stripe.refunds.create({ payment_intent: paid.id })).toMatchObject({ amount: 49_900 });
});

test('A dispute that is lost keeps the money that was left, and stays closed', async () => {
  const { emulator, stripe } = await startTestEmulator();
  const paid = await pay(stripe);
  await stripe.refunds.create({ payment_intent: paid.id, amount: 9_900 });
  const { amount, status } = emulator.controls.dispute({ paymentIntent: paid.id, outcome: 'lost' });
  expect([amount, status]).toEqual([40_000, 'lost']);
  expect(await balanceOf(stripe)).toBe(-1_500 - chargeFee(49_900));
  expect(() => emulator.controls.dispute({ paymentIntent: paid.id, outcome: 'won' })).toThrow(
    'has been disputed already',
  );
});
