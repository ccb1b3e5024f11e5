/** Refunds: all that is left of a paid charge, or a part of it. */
import { z } from 'zod';
import { type Call, recordEvent } from './call.ts';
import { refuse, refuseParameter } from './errors.ts';
import { integer, metadata, parseParameters } from './form.ts';
import { type Charge, newId, nowSeconds, nulls, type Refund } from './objects.ts';
import { find } from './resources.ts';

/** A charge's list of its refunds, still empty. */
export const listOfRefunds = (chargeId: string) => ({
  object: 'list' as const,
  data: [],
  has_more: false,
  url: `/v1/charges/${chargeId}/refunds`,
});

/** The charge to refund: the named one, or the one that paid the named intent. */
function findPaidCharge(call: Call, chargeId: string | undefined, intentId: string | undefined): Charge {
  if (chargeId !== undefined) return find(call, 'charge', chargeId, 'charge');
  if (intentId === undefined)
    throw refuseParameter(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'payment_intent',
      'parameter_missing',
    );
  const { latest_charge: latest } = find(call, 'payment_intent', intentId, 'payment_intent');
  const charge = latest === null ? undefined : find(call, 'charge', latest);
  if (charge?.paid) return charge;
  throw refuse(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`);
}

const asDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** `POST /v1/refunds` */
export function createRefund(call: Call): Refund {
  const given = parseParameters(
    {
      amount: integer.pipe(z.number().min(1)).optional(),
      charge: z.string().optional(),
      metadata,
      payment_intent: z.string().optional(),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    },
    call.form,
  );
  const charge = findPaidCharge(call, given.charge, given.payment_intent);
  const left = charge.amount - charge.amount_refunded;
  if (left === 0)
    throw refuse(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (!charge.paid) throw refuse(`Charge ${charge.id} is not paid: it cannot be refunded.`);
  const amount = given.amount ?? left;
  if (amount > left)
    throw refuse(
      `Refund amount (${asDollars(amount)}) is greater than unrefunded amount on charge (${asDollars(left)})`,
      { param: 'amount' },
    );
  const refund = call.state.put('refund', {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: nowSeconds(),
    currency: charge.currency,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    metadata: given.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: given.reason ?? null,
    status: 'succeeded',
    // prettier-ignore
    ...nulls(
      'customer', 'customer_account', 'receipt_number', 'source_transfer_reversal', 'transfer_reversal'
    ),
  });
  const refunded = call.state.put('charge', {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
    refunds: { ...listOfRefunds(charge.id), data: [refund, ...(charge.refunds?.data ?? [])] },
  });
  recordEvent(call, 'refund.created', refund);
  recordEvent(call, 'charge.refunded', refunded);
  return refund;
}
