/**
 * Payments: the bank's answer to an attempt changes an intent to succeeded, declined, processing or waiting for 3-D
 * Secure, creates the charge, and records the events in Stripe's order.
 */
import type Stripe from 'stripe';
import { chargeFee, recordMovement } from './balance.ts';
import { type Call, type Change, save } from './call.ts';
import { type Decline, findByFingerprint, genericDecline } from './cards.ts';
import { openDispute } from './disputes.ts';
import { missing, refuse, StripeFault } from './errors.ts';
import { updateInvoiceOf } from './invoice-payments.ts';
import {
  type Charge,
  type ErrorBody,
  newId,
  newObject,
  nulls,
  type PaymentIntent,
  type PaymentMethod,
} from './objects.ts';
import { find } from './resources.ts';

const challengePath = 'next_action.use_stripe_sdk.three_d_secure_2_source';

/** This card requires a challenge only until a payment has set it up for later payments. */
const setUpOnce = 'authenticationRequiredOnSetup';

interface AttemptOptions {
  /** Whether the payer is absent, so that nobody can pass a challenge. */
  isOffSession?: boolean;
}

/**
 * Tries to pay an intent with a payment method, and returns the changed intent.
 * @throws {StripeFault} 402 with the intent if the bank declines
 */
export function attemptPayment(
  call: Call,
  before: PaymentIntent,
  methodId: string,
  { isOffSession = false }: AttemptOptions = {},
): PaymentIntent {
  const { method, card } = findCard(call, methodId);
  const isAttached = method.customer !== null && method.customer === before.customer;
  const charges = call.state.list('charge', { fields: { payment_method: methodId } });
  if (!isAttached && charges.some(({ paid }) => paid))
    throw refuse(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    );
  const intent: PaymentIntent = { ...before, payment_method: methodId, next_action: null };
  const isSetUp = isOffSession && card.name === setUpOnce;
  return card.isChallenged && !isSetUp ? requireChallenge(call, intent) : askBank(call, intent, method);
}

function findCard(call: Call, methodId: string | null) {
  const method = find(call, 'payment_method', methodId ?? '', 'payment_method');
  const card = findByFingerprint(method.card.fingerprint);
  if (!card) throw missing('PaymentMethod', method.id, 'payment_method');
  return { method, card };
}

/** Stores an intent's new state, records the event, and updates the invoice that the intent pays. */
function advance(call: Call, event: string, intent: PaymentIntent): PaymentIntent {
  save(call, `payment_intent.${event}`, 'payment_intent', intent);
  updateInvoiceOf(call, intent);
  return intent;
}

function requireChallenge(call: Call, intent: PaymentIntent): PaymentIntent {
  return advance(call, 'requires_action', {
    ...intent,
    status: 'requires_action',
    last_payment_error: null,
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'stripe_3ds2_fingerprint', three_d_secure_2_source: newId('payatt') },
    },
  });
}

/**
 * Ends a 3-D Secure challenge. If it was passed, the bank answers; otherwise the payer may try another card. A
 * challenge that no intent waits for changes nothing.
 */
export function finishChallenge(call: Call, challenge: string, isPassed: boolean): void {
  const [intent] = call.state.list('payment_intent', { fields: { [challengePath]: challenge } });
  if (!intent) return;
  const { method } = findCard(call, intent.payment_method);
  const attempted: PaymentIntent = { ...intent, next_action: null };
  if (isPassed) askBank(call, attempted, method);
  else
    failIntent(call, attempted, {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      payment_method: method,
    });
}

function askBank(call: Call, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const { outcome } = findCard(call, method.id).card;
  if (outcome === 'approve') return capturePayment(call, intent, method);
  if (outcome !== 'process') throw declinePayment(call, intent, method, outcome);
  call.later(finishPayment(intent.id));
  return advance(call, 'processing', {
    ...intent,
    status: 'processing',
    processing: { type: 'card', card: {} },
    last_payment_error: null,
  });
}

/** Settles a `processing` intent: it succeeds, or is declined generically. */
export function settleProcessing(call: Call, intentId: string, isApproved: boolean): void {
  const intent = find(call, 'payment_intent', intentId, 'intent');
  if (intent.status !== 'processing')
    throw refuse(`This PaymentIntent is not processing: it has a status of ${intent.status}.`);
  const { method } = findCard(call, intent.payment_method);
  const settled: PaymentIntent = { ...intent, processing: null };
  if (isApproved) capturePayment(call, settled, method);
  else declinePayment(call, settled, method, genericDecline);
}

/** Approves a `processing` payment when its time has come. */
export const finishPayment =
  (intentId: string): Change =>
  (call) => {
    if (call.state.get('payment_intent', intentId)?.status === 'processing')
      settleProcessing(call, intentId, true);
  };

function capturePayment(call: Call, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const made = makeCharge(intent, method);
  const { amount, description } = made;
  const { id: balance_transaction } = recordMovement(call, {
    category: 'charge',
    amount,
    source: made.id,
    description,
    fee: chargeFee(amount),
  });
  const charge = save(call, 'charge.succeeded', 'charge', { ...made, balance_transaction });
  const paid = advance(call, 'succeeded', {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    status: 'succeeded',
  });
  const { dispute } = findCard(call, method.id).card;
  if (dispute) openDispute(call, charge, dispute);
  return paid;
}

/** Leaves the intent open for another card. @returns the 402 with the reason */
function declinePayment(
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  decline: Decline,
): StripeFault {
  const charge = save(call, 'charge.failed', 'charge', makeCharge(intent, method, decline));
  const details = { ...decline, charge: charge.id, payment_method: method };
  const fault = new StripeFault(402, { type: 'card_error', ...details });
  fault.error.payment_intent = failIntent(call, { ...intent, latest_charge: charge.id }, fault.error);
  return fault;
}

function failIntent(call: Call, intent: PaymentIntent, error: ErrorBody): PaymentIntent {
  return advance(call, 'payment_failed', {
    ...intent,
    last_payment_error: { ...error, payment_method_type: 'card' },
    payment_method: null,
    status: 'requires_payment_method',
  });
}

function describeOutcome(decline: Decline | undefined): Stripe.Charge.Outcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline?.decline_code ?? null,
    seller_message: decline
      ? 'The bank did not return any further details with this decline.'
      : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  };
}

/** The card as stored with the charge: the bank's checks and the wallet. */
function describeCard(
  { card }: PaymentMethod,
  amount: number,
  decline: Decline | undefined,
): Stripe.Charge.PaymentMethodDetails.Card {
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4, regulated_status } = card;
  const { wallet } = card;
  const cvcCheck = decline?.code === 'incorrect_cvc' ? 'fail' : 'pass';
  return {
    amount_authorized: decline ? null : amount,
    brand,
    checks: checks && { ...checks, cvc_check: checks.cvc_check && cvcCheck },
    country,
    exp_month,
    exp_year,
    extended_authorization: { status: 'disabled' },
    fingerprint: fingerprint ?? null,
    funding,
    incremental_authorization: { status: 'unavailable' },
    last4,
    multicapture: { status: 'unavailable' },
    network: brand,
    network_token: { used: false },
    overcapture: { maximum_amount_capturable: amount, status: 'unavailable' },
    regulated_status,
    wallet: wallet && { type: wallet.type, google_pay: {}, dynamic_last4: null },
    // prettier-ignore
    ...nulls(
      'authorization_code', 'electronic_commerce_indicator', 'installments', 'mandate', 'network_transaction_id',
      'three_d_secure', 'transaction_link_id'
    ),
  };
}

function makeCharge(intent: PaymentIntent, method: PaymentMethod, decline?: Decline): Charge {
  const made = newObject('charge', 'ch');
  return {
    ...made,
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    billing_details: method.billing_details,
    captured: !decline,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    metadata: intent.metadata,
    outcome: describeOutcome(decline),
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: describeCard(method, intent.amount, decline), type: 'card' },
    refunded: false,
    refunds: { object: 'list', data: [], has_more: false, url: `/v1/charges/${made.id}/refunds` },
    status: decline ? 'failed' : 'succeeded',
    // prettier-ignore
    ...nulls(
      'application', 'application_fee', 'application_fee_amount', 'balance_transaction',
      'calculated_statement_descriptor', 'failure_balance_transaction', 'on_behalf_of', 'receipt_email', 'receipt_number', 'receipt_url', 'review',
      'shipping', 'source', 'source_transfer', 'statement_descriptor', 'statement_descriptor_suffix',
      'transfer_data', 'transfer_group'
    ),
  };
}
