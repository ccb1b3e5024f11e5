/**
 * Refunds: everything that is left of a paid charge, or part of it. They succeed immediately, except for two test
 * cards, whose refunds succeed or fail after a while (https://docs.stripe.com/testing#refunds).
 */
import * as z from 'zod';
import { recordMovement } from './balance.ts';
import { type Call, type Change, recordEvent, save } from './call.ts';
import { findByFingerprint } from './cards.ts';
import { refuseDisputed } from './disputes.ts';
import { refuse } from './errors.ts';
import { integer, metadata, parseParameters } from './form.ts';
import { type Charge, newObject, nulls, type Refund } from './objects.ts';
import { find } from './resources.ts';

function findPaidCharge(call: Call, intentId: string): Charge {
  const { latest_charge: latest } = find(call, 'payment_intent', intentId, 'payment_intent');
  const charge = latest === null ? undefined : find(call, 'charge', latest);
  if (charge?.paid) return charge;
  throw refuse(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`);
}

const asDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

const isHeld = ({ status }: Refund) => status === 'pending' || status === 'succeeded';

/** Updates a charge to match its refunds. */
function countRefunds(call: Call, chargeId: string | null): Charge {
  const charge = find(call, 'charge', chargeId ?? '', 'charge');
  const refunds = call.state.list('refund', { fields: { charge: charge.id } });
  const amount_refunded = refunds.filter(isHeld).reduce((sum, { amount }) => sum + amount, 0);
  return call.state.put('charge', {
    ...charge,
    amount_refunded,
    refunded: amount_refunded === charge.amount,
    ...(charge.refunds && { refunds: { ...charge.refunds, data: refunds } }),
  });
}

/** The first and final status of a charge's refunds, by the card that paid it. */
const courseOf = ({ payment_method_details }: Charge) =>
  findByFingerprint(payment_method_details?.card?.fingerprint)?.refunds;

const refundParameters = {
  amount: integer.pipe(z.number().min(1)).optional(),
  metadata,
  payment_intent: z.string(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
};

/** `POST /v1/refunds` */
export function createRefund(call: Call): Refund {
  const given = parseParameters(refundParameters, call.form);
  const charge = findPaidCharge(call, given.payment_intent);
  refuseDisputed(call, charge);
  const left = charge.amount - charge.amount_refunded;
  if (left === 0)
    throw refuse(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  const amount = given.amount ?? left;
  if (amount > left)
    throw refuse(
      `Refund amount (${asDollars(amount)}) is greater than unrefunded amount on charge (${asDollars(left)})`,
      { param: 'amount' },
    );
  const refund = keepRefund(call, charge, { ...given, amount });
  recordEvent(call, 'refund.created', refund);
  recordEvent(call, 'charge.refunded', countRefunds(call, charge.id));
  return refund;
}

/** Refunds a payment as in the dashboard: everything that is left, or an amount in cents. */
export const refundPayment = (call: Call, payment_intent: string, amount?: number): Refund =>
  createRefund({ ...call, form: { payment_intent, ...(amount && { amount: String(amount) }) } });

function keepRefund(
  call: Call,
  charge: Charge,
  { amount, reason, metadata }: z.infer<z.ZodObject<typeof refundParameters>> & { amount: number },
): Refund {
  const made = newObject('refund', 're');
  const course = courseOf(charge);
  if (course) call.later(finishRefund(made.id));
  return call.state.put('refund', {
    ...made,
    amount,
    balance_transaction: recordMovement(call, {
      category: 'refund',
      amount: -amount,
      source: made.id,
      description: charge.description,
    }).id,
    charge: charge.id,
    currency: charge.currency,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: reason ?? null,
    status: course?.begin ?? 'succeeded',
    // prettier-ignore
    ...nulls(
      'customer', 'customer_account', 'receipt_number', 'source_transfer_reversal', 'transfer_reversal'
    ),
  });
}

export type RefundEnd = 'canceled' | 'failed' | 'succeeded';

/**
 * Changes the status of a refund. A pending refund succeeds, fails or is canceled. A succeeded refund fails when the
 * bank sends the money back. The amount of a failed or canceled refund can be refunded again.
 */
export function settleRefund(call: Call, id: string, status: RefundEnd): Refund {
  const refund = find(call, 'refund', id, 'refund');
  if (!isHeld(refund) || refund.status === status)
    throw refuse(`This refund cannot be ${status}: it has a status of ${refund.status ?? 'null'}.`);
  const settled = { ...refund, status };
  if (status !== 'succeeded')
    settled.failure_balance_transaction = recordMovement(call, {
      category: 'refund_failure',
      amount: refund.amount,
      source: id,
      description: 'REFUND FAILURE',
    }).id;
  if (status === 'failed') settled.failure_reason = 'expired_or_canceled_card';
  save(call, 'refund.updated', 'refund', settled);
  countRefunds(call, refund.charge);
  if (status === 'failed') recordEvent(call, 'refund.failed', settled);
  return settled;
}

/** Gives a refund its card's final status when the time has come. */
export const finishRefund =
  (id: string): Change =>
  (call) => {
    const refund = call.state.get('refund', id);
    const charge = call.state.get('charge', refund?.charge ?? '');
    const course = charge && courseOf(charge);
    if (course && course.begin === refund?.status) settleRefund(call, id, course.end);
  };
