import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { chargeFee } from './balance.ts';
import { balanceOf, chargeIdOf, eventTypes, pay, refusalOf, startTestEmulator } from './testing.ts';

const disputeOf = async (stripe: Stripe, { id }: Stripe.PaymentIntent) => {
  const { data } = await stripe.disputes.list({ payment_intent: id });
  return await stripe.disputes.retrieve(data[0]?.id ?? '');
};

test('A disputed payment is withdrawn, and cannot be refunded', async () => {
  const { stripe } = await startTestEmulator();
  const paid = await pay(stripe, 'pm_card_createDispute');
  const dispute = await disputeOf(stripe, paid);
  expect(dispute).toMatchObject({
    amount: 49_900,
    reason: 'fraudulent',
    status: 'needs_response',
    charge: chargeIdOf(paid),
    is_charge_refundable: false,
    balance_transactions: [{ amount: -49_900, fee: 1_500, net: -51_400 }],
  });
  const dueInDays = ((dispute.evidence_details.due_by ?? 0) - dispute.created) / 86_400;
  expect([Math.floor(dueInDays), ((dispute.evidence_details.due_by ?? 0) + 1) % 86_400]).toEqual([9, 0]);
  expect(await stripe.charges.retrieve(chargeIdOf(paid))).toMatchObject({ disputed: true });
  expect(await eventTypes(stripe, 3)).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
  expect(await balanceOf(stripe)).toBe(-1_500 - chargeFee(49_900));
  expect(await refusalOf(stripe.refunds.create({ payment_intent: paid.id }))).toMatchObject({
    statusCode: 400,
    code: 'charge_disputed',
  });
});

test('A dispute that is won brings the money back, and the payment can be refunded', async () => {
  const { emulator, stripe } = await startTestEmulator();
  const paid = await pay(stripe);
  emulator.controls.dispute({ paymentIntent: paid.id, reason: 'product_not_received' });
  emulator.controls.dispute({ paymentIntent: paid.id, outcome: 'under_review' });
  expect(await disputeOf(stripe, paid)).toMatchObject({
    status: 'under_review',
    reason: 'product_not_received',
    evidence_details: { has_evidence: true, submission_count: 1 },
  });
  emulator.controls.dispute({ paymentIntent: paid.id, outcome: 'won' });
  const dispute = await disputeOf(stripe, paid);
  expect(dispute.status).toBe('won');
  expect(dispute.balance_transactions.map(({ amount }) => amount)).toEqual([-49_900, 49_900]);
  expect((await eventTypes(stripe, 3)).slice(2)).toEqual([
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
  ]);
  expect(await stripe.refunds.create({ payment_intent: paid.id })).toMatchObject({ amount: 49_900 });
});

test('A dispute that is lost keeps the money, and stays closed', async () => {
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

test('An inquiry withdraws nothing, and its payment can be refunded', async () => {
  const { emulator, stripe } = await startTestEmulator();
  const paid = await pay(stripe, 'pm_card_createDisputeInquiry');
  expect(await disputeOf(stripe, paid)).toMatchObject({
    status: 'warning_needs_response',
    balance_transactions: [],
    payment_method_details: { card: { case_type: 'inquiry' } },
  });
  await stripe.refunds.create({ payment_intent: paid.id, amount: 100 });
  emulator.controls.dispute({ paymentIntent: paid.id, outcome: 'won' });
  expect((await disputeOf(stripe, paid)).status).toBe('warning_closed');
  expect(await balanceOf(stripe)).toBe(49_800 - chargeFee(49_900));
});
