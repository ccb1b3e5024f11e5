/** Charges, which a paid or refused attempt leaves behind, and refunds of them. */
import { z } from 'zod';
import { type Call, recordEvent } from './call.ts';
import { missing, refuse, refuseParameter } from './errors.ts';
import { integer, listParameters, metadata, parseParameters } from './form.ts';
import { listPage } from './lists.ts';
import { type Charge, newId, nowSeconds, type Refund } from './objects.ts';
import { mergeMetadata } from './payment-intents.ts';

/** `GET /v1/charges/:id` */
export function retrieveCharge(call: Call): Charge {
  parseParameters({}, call.form);
  const charge = call.state.get('charge', call.id);
  if (!charge) throw missing('charge', call.id, 'id');
  return charge;
}

/** `GET /v1/charges` */
export function listCharges(call: Call) {
  const given = parseParameters({ ...listParameters, payment_intent: z.string().optional() }, call.form);
  return listPage(call, 'charge', '/v1/charges', given, { payment_intent: given.payment_intent });
}

/** The charge to refund: the named one, or the one that paid the named intent. */
function findPaidCharge(
  call: Call,
  given: { charge?: string | undefined; payment_intent?: string | undefined },
) {
  if (given.charge !== undefined) {
    const charge = call.state.get('charge', given.charge);
    if (!charge) throw missing('charge', given.charge, 'charge');
    return charge;
  }
  if (given.payment_intent === undefined)
    throw refuseParameter(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'payment_intent',
      'parameter_missing',
    );
  const intent = call.state.get('payment_intent', given.payment_intent);
  if (!intent) throw missing('payment_intent', given.payment_intent, 'payment_intent');
  const charge = intent.latest_charge === null ? undefined : call.state.get('charge', intent.latest_charge);
  if (!charge?.paid)
    throw refuse(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
  return charge;
}

/** `POST /v1/refunds`: all that is left of a charge, or a part. */
export function createRefund(call: Call): Refund {
  const given = parseParameters(
    {
      amount: integer.pipe(z.number().min(1)).optional(),
      charge: z.string().optional(),
      metadata: metadata.optional(),
      payment_intent: z.string().optional(),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    },
    call.form,
  );
  const charge = findPaidCharge(call, given);
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
  const refunded: Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  };
  const refund: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: nowSeconds(),
    currency: charge.currency,
    metadata: mergeMetadata({}, given.metadata),
    customer: null,
    customer_account: null,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: given.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  call.state.put('charge', refunded);
  call.state.put('refund', refund);
  recordEvent(call, 'refund.created', refund);
  recordEvent(call, 'charge.refunded', refunded);
  return refund;
}

function asDollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

/** `GET /v1/refunds/:id` */
export function retrieveRefund(call: Call): Refund {
  parseParameters({}, call.form);
  const refund = call.state.get('refund', call.id);
  if (!refund) throw missing('refund', call.id, 'id');
  return refund;
}

/** `GET /v1/refunds` */
export function listRefunds(call: Call) {
  const given = parseParameters(
    { ...listParameters, charge: z.string().optional(), payment_intent: z.string().optional() },
    call.form,
  );
  const { charge, payment_intent } = given;
  return listPage(call, 'refund', '/v1/refunds', given, { charge, payment_intent });
}
