/**
 * What paying does: the bank's answer to an attempt turns an intent succeeded, refused, processing or waiting for
 * 3-D Secure, makes the charge and records the events, in the order in which Stripe sends them.
 */
import { type Call, recordEvent } from './call.ts';
import {
  authenticationFailed,
  authenticationRequired,
  type Decline,
  findTestCard,
  genericDecline,
  type Outcome,
} from './cards.ts';
import { missing, refuse, StripeFault } from './errors.ts';
import { type Charge, newId, nowSeconds, type PaymentIntent, type PaymentMethod } from './objects.ts';

/**
 * Tries to pay an intent with a payment method and answers the intent as it is then.
 * @throws {StripeFault} 402 with the intent in it when the bank declines
 */
export function attemptPayment(
  call: Call,
  before: PaymentIntent,
  methodId: string,
  { isOffSession = false } = {},
): PaymentIntent {
  const { method, card, file } = findCard(call, methodId);
  if (file.isUsed)
    throw refuse(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    );
  const intent: PaymentIntent = { ...before, payment_method: method.id, next_action: null };
  if (card.isChallenged && isOffSession)
    throw declinePayment(call, intent, method, authenticationRequired).fault;
  if (card.isChallenged) return requireChallenge(call, intent);
  return applyOutcome(call, intent, method, card.outcome);
}

function findCard(call: Call, methodId: string) {
  const method = call.state.get('payment_method', methodId);
  const file = call.state.get('card_on_file', methodId);
  const card = file && findTestCard(file.number);
  if (!method || !card) throw missing('PaymentMethod', methodId, 'payment_method');
  return { method, card, file };
}

function applyOutcome(
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  outcome: Outcome,
): PaymentIntent {
  if (outcome === 'approve') return capturePayment(call, intent, method);
  if (outcome === 'process') return holdPayment(call, intent);
  throw declinePayment(call, intent, method, outcome).fault;
}

function requireChallenge(call: Call, intent: PaymentIntent): PaymentIntent {
  const id = newId('payatt');
  call.state.put('challenge', { id, created: nowSeconds(), intentId: intent.id });
  const waiting = call.state.put('payment_intent', {
    ...intent,
    status: 'requires_action',
    last_payment_error: null,
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { type: 'stripe_3ds2_fingerprint', three_d_secure_2_source: id },
    },
  });
  recordEvent(call, 'payment_intent.requires_action', waiting);
  return waiting;
}

/**
 * Ends a 3-D Secure challenge: the bank's answer follows when it was passed; else the payer may try another card.
 * A challenge that its intent no longer waits for changes nothing.
 */
export function finishChallenge(call: Call, challengeId: string, isPassed: boolean): void {
  const challenge = call.state.get('challenge', challengeId);
  const intent = challenge && call.state.get('payment_intent', challenge.intentId);
  if (!intent) throw missing('challenge', challengeId, 'source');
  const awaited = intent.next_action?.use_stripe_sdk.three_d_secure_2_source;
  if (intent.status !== 'requires_action' || awaited !== challengeId || intent.payment_method === null)
    return;
  const { method, card } = findCard(call, intent.payment_method);
  const attempted: PaymentIntent = { ...intent, next_action: null };
  if (isPassed) applyOutcome(call, attempted, method, card.outcome);
  else failIntent(call, attempted, { ...authenticationFailed, payment_method: method });
}

function holdPayment(call: Call, intent: PaymentIntent): PaymentIntent {
  const dueAt = call.processingMs === null ? null : Date.now() + call.processingMs;
  call.state.put('settlement', { id: intent.id, created: nowSeconds(), dueAt });
  const held = call.state.put('payment_intent', {
    ...intent,
    status: 'processing',
    processing: { type: 'card', card: {} },
    last_payment_error: null,
  });
  recordEvent(call, 'payment_intent.processing', held);
  return held;
}

/** Ends the wait of a `processing` intent: it succeeds, or is declined generically. */
export function settleProcessing(call: Call, intentId: string, isApproved: boolean): PaymentIntent {
  const intent = call.state.get('payment_intent', intentId);
  if (!intent) throw missing('payment_intent', intentId, 'intent');
  call.state.remove('settlement', intentId);
  if (intent.status !== 'processing' || intent.payment_method === null)
    throw refuse(`This PaymentIntent is not processing: it has a status of ${intent.status}.`);
  const { method } = findCard(call, intent.payment_method);
  const settled: PaymentIntent = { ...intent, processing: null };
  if (isApproved) return capturePayment(call, settled, method);
  return declinePayment(call, settled, method, genericDecline).failed;
}

function capturePayment(call: Call, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const charge = makeCharge(call, intent, method);
  const file = call.state.get('card_on_file', method.id);
  if (file) call.state.put('card_on_file', { ...file, isUsed: true });
  const succeeded = call.state.put('payment_intent', {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    status: 'succeeded',
  });
  recordEvent(call, 'charge.succeeded', charge);
  recordEvent(call, 'payment_intent.succeeded', succeeded);
  return succeeded;
}

/** Leaves the intent open for another card; `fault` is the 402 that says why. */
function declinePayment(call: Call, intent: PaymentIntent, method: PaymentMethod, decline: Decline) {
  const charge = makeCharge(call, intent, method, decline);
  recordEvent(call, 'charge.failed', charge);
  const fault = new StripeFault(402, {
    type: 'card_error',
    ...decline,
    charge: charge.id,
    payment_method: method,
  });
  const failed = failIntent(call, { ...intent, latest_charge: charge.id }, fault.error);
  fault.error.payment_intent = failed;
  return { failed, fault };
}

function failIntent(
  call: Call,
  intent: PaymentIntent,
  error: PaymentIntent['last_payment_error'],
): PaymentIntent {
  const failed = call.state.put('payment_intent', {
    ...intent,
    last_payment_error: error && { ...error, payment_method_type: 'card' },
    payment_method: null,
    status: 'requires_payment_method',
  });
  recordEvent(call, 'payment_intent.payment_failed', failed);
  return failed;
}

function makeCharge(call: Call, intent: PaymentIntent, method: PaymentMethod, decline?: Decline): Charge {
  const { card } = method;
  const cvcCheck = card.checks.cvc_check && (decline?.code === 'incorrect_cvc' ? 'fail' : 'pass');
  const checks = { ...card.checks, cvc_check: cvcCheck };
  return call.state.put('charge', {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: decline ? null : newId('txn'),
    billing_details: method.billing_details,
    captured: !decline,
    created: nowSeconds(),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    outcome: decline
      ? {
          network_status: 'declined_by_network',
          reason: decline.decline_code ?? decline.code,
          seller_message: 'The bank did not return any further details with this decline.',
          type: 'issuer_declined',
        }
      : {
          network_status: 'approved_by_network',
          reason: null,
          seller_message: 'Payment complete.',
          type: 'authorized',
        },
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: { ...card, checks }, type: 'card' },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    status: decline ? 'failed' : 'succeeded',
  });
}
