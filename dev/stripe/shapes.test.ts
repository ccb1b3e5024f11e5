/**
 * Every object that the emulator answers has the keys, with the same types, of Stripe's official example of it
 * (`openapi/fixtures3.json` in stripe/openapi). The tables below say what those examples hold: `?` stands for a value that may
 * be null, as the API reference has it; an object in an object is looked at when it is there.
 */
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import type { StripeEmulator } from './server.ts';
import { chargeIdOf, pay, refusalOf, startTestEmulator } from './testing.ts';

type Type = 'boolean' | 'list' | 'number' | 'object' | 'string';
type Shape = { readonly [key: string]: Type | `${Type}?` | Shape };

const address = {
  ...{ city: 'string?', country: 'string?', line1: 'string?', line2: 'string?' },
  ...{ postal_code: 'string?', state: 'string?' },
} as const satisfies Shape;
const billingDetails = {
  ...{ address, email: 'string?', name: 'string?', phone: 'string?', tax_id: 'string?' },
} as const satisfies Shape;
const checks = {
  ...{ address_line1_check: 'string?', address_postal_code_check: 'string?', cvc_check: 'string?' },
} as const satisfies Shape;
const card = {
  ...{ brand: 'string', checks, country: 'string?', exp_month: 'number', exp_year: 'number' },
  ...{
    fingerprint: 'string?',
    funding: 'string',
    last4: 'string',
    regulated_status: 'string?',
    wallet: 'object?',
  },
} as const satisfies Shape;

const list = { object: 'string', data: 'list', has_more: 'boolean', url: 'string' } as const satisfies Shape;

const paymentIntent = {
  ...{
    id: 'string',
    object: 'string',
    amount: 'number',
    amount_capturable: 'number',
    amount_received: 'number',
  },
  ...{ amount_details: { tip: 'object' }, application: 'string?', application_fee_amount: 'number?' },
  ...{
    automatic_payment_methods: { enabled: 'boolean' },
    canceled_at: 'number?',
    cancellation_reason: 'string?',
  },
  ...{ capture_method: 'string', client_secret: 'string?', confirmation_method: 'string', created: 'number' },
  ...{ currency: 'string', customer: 'string?', customer_account: 'string?', description: 'string?' },
  ...{
    excluded_payment_method_types: 'list?',
    last_payment_error: { type: 'string' },
    latest_charge: 'string?',
  },
  ...{ livemode: 'boolean', managed_payments: { enabled: 'boolean' }, metadata: 'object' },
  ...{ next_action: { type: 'string' }, on_behalf_of: 'string?', payment_method: 'string?' },
  ...{ payment_method_configuration_details: 'object?', payment_method_options: 'object?' },
  ...{
    payment_method_types: 'list',
    processing: { type: 'string' },
    receipt_email: 'string?',
    review: 'string?',
  },
  ...{
    setup_future_usage: 'string?',
    shipping: 'object?',
    source: 'string?',
    statement_descriptor: 'string?',
  },
  ...{
    statement_descriptor_suffix: 'string?',
    status: 'string',
    transfer_data: 'object?',
    transfer_group: 'string?',
  },
} as const satisfies Shape;

const cardOfCharge = {
  ...card,
  ...{
    amount_authorized: 'number?',
    authorization_code: 'string?',
    extended_authorization: { status: 'string' },
  },
  ...{ incremental_authorization: { status: 'string' }, installments: 'object?', mandate: 'string?' },
  ...{ multicapture: { status: 'string' }, network: 'string?', network_token: { used: 'boolean' } },
  ...{ network_transaction_id: 'string?', three_d_secure: 'object?', transaction_link_id: 'string?' },
  ...{ overcapture: { maximum_amount_capturable: 'number', status: 'string' } },
} as const satisfies Shape;

const outcome = {
  ...{ advice_code: 'string?', network_advice_code: 'string?', network_decline_code: 'string?' },
  ...{ network_status: 'string?', reason: 'string?', seller_message: 'string?', type: 'string' },
} as const satisfies Shape;

const charge = {
  ...{
    id: 'string',
    object: 'string',
    amount: 'number',
    amount_captured: 'number',
    amount_refunded: 'number',
  },
  ...{ application: 'string?', application_fee: 'string?', application_fee_amount: 'number?' },
  ...{
    balance_transaction: 'string?',
    billing_details: billingDetails,
    calculated_statement_descriptor: 'string?',
  },
  ...{
    captured: 'boolean',
    created: 'number',
    currency: 'string',
    customer: 'string?',
    description: 'string?',
  },
  ...{ disputed: 'boolean', failure_balance_transaction: 'string?', failure_code: 'string?' },
  ...{ failure_message: 'string?', fraud_details: 'object', livemode: 'boolean', metadata: 'object' },
  ...{
    on_behalf_of: 'string?',
    outcome,
    paid: 'boolean',
    payment_intent: 'string?',
    payment_method: 'string?',
  },
  ...{ payment_method_details: { card: cardOfCharge, type: 'string' }, receipt_email: 'string?' },
  ...{
    receipt_number: 'string?',
    receipt_url: 'string?',
    refunded: 'boolean',
    refunds: list,
    review: 'string?',
  },
  ...{ shipping: 'object?', source: 'object?', source_transfer: 'string?', statement_descriptor: 'string?' },
  ...{
    statement_descriptor_suffix: 'string?',
    status: 'string',
    transfer_data: 'object?',
    transfer_group: 'string?',
  },
} as const satisfies Shape;

const paymentMethod = {
  ...{ id: 'string', object: 'string', allow_redisplay: 'string', billing_details: billingDetails },
  card: {
    ...card,
    ...{
      display_brand: 'string?',
      generated_from: 'object?',
      networks: { available: 'list', preferred: 'string?' },
    },
    three_d_secure_usage: { supported: 'boolean' },
  },
  ...{ created: 'number', customer: 'string?', customer_account: 'string?', livemode: 'boolean' },
  ...{ metadata: 'object', type: 'string' },
} as const satisfies Shape;

const refund = {
  ...{ id: 'string', object: 'string', amount: 'number', balance_transaction: 'string?', charge: 'string?' },
  ...{ created: 'number', currency: 'string', customer: 'string?', customer_account: 'string?' },
  ...{ destination_details: { card: { type: 'string' }, type: 'string' }, metadata: 'object' },
  ...{ payment_intent: 'string?', payment_method: 'string?', reason: 'string?', receipt_number: 'string?' },
  ...{ source_transfer_reversal: 'string?', status: 'string?', transfer_reversal: 'string?' },
} as const satisfies Shape;

const balanceTransaction = {
  ...{ id: 'string', object: 'string', amount: 'number', available_on: 'number', balance_type: 'string' },
  ...{ created: 'number', currency: 'string', description: 'string?', exchange_rate: 'number?' },
  ...{ fee: 'number', fee_details: 'list', net: 'number', reporting_category: 'string' },
  ...{ source: 'string?', status: 'string', type: 'string' },
} as const satisfies Shape;

const evidence = Object.fromEntries(
  [
    ...['access_activity_log', 'billing_address', 'cancellation_policy', 'cancellation_policy_disclosure'],
    ...['cancellation_rebuttal', 'customer_communication', 'customer_email_address', 'customer_name'],
    ...['customer_purchase_ip', 'customer_signature', 'duplicate_charge_documentation'],
    ...['duplicate_charge_explanation', 'duplicate_charge_id', 'product_description', 'receipt'],
    ...['refund_policy', 'refund_policy_disclosure', 'refund_refusal_explanation', 'service_date'],
    ...['service_documentation', 'shipping_address', 'shipping_carrier', 'shipping_date'],
    ...['shipping_documentation', 'shipping_tracking_number', 'uncategorized_file', 'uncategorized_text'],
  ].map((name) => [name, 'string?' as const]),
);
const dispute = {
  ...{ id: 'string', object: 'string', amount: 'number', balance_transactions: 'list', charge: 'string' },
  ...{ created: 'number', currency: 'string', enhanced_eligibility_types: 'list' },
  evidence: { ...evidence, enhanced_evidence: 'object' },
  evidence_details: {
    ...{ due_by: 'number?', enhanced_eligibility: 'object', has_evidence: 'boolean', past_due: 'boolean' },
    submission_count: 'number',
  },
  ...{ is_charge_refundable: 'boolean', livemode: 'boolean', metadata: 'object', payment_intent: 'string?' },
  payment_method_details: {
    card: { brand: 'string', case_type: 'string', network: 'string', network_reason_code: 'string?' },
    type: 'string',
  },
  ...{ reason: 'string', status: 'string' },
} as const satisfies Shape;

const event = {
  ...{
    id: 'string',
    object: 'string',
    api_version: 'string?',
    created: 'number',
    data: { object: 'object' },
  },
  ...{ livemode: 'boolean', pending_webhooks: 'number', type: 'string' },
  request: { id: 'string?', idempotency_key: 'string?' },
} as const satisfies Shape;

const shapes: Record<string, Shape> = {
  balance_transaction: balanceTransaction,
  charge,
  dispute,
  event,
  list,
  payment_intent: paymentIntent,
  payment_method: paymentMethod,
  refund,
};

/** The objects that are null in some of their states. */
const mayBeNull = new Set(['last_payment_error', 'managed_payments', 'next_action', 'processing']);

const typeOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);

/** What a value lacks or has otherwise, a line each. */
function findDifferences(value: unknown, shape: Shape, path: string): string[] {
  const given = new Map(Object.entries(Object(value) as Record<string, unknown>));
  return Object.entries(shape).flatMap(([key, wanted]) => {
    const place = `${path}.${key}`;
    const found = given.get(key);
    if (found === undefined) return [`${place} is missing`];
    if (typeof wanted === 'object')
      return found === null && mayBeNull.has(key) ? [] : findDifferences(found, wanted, place);
    if (found === null) return wanted.endsWith('?') ? [] : [`${place} is null`];
    return wanted.replace('?', '') === typeOf(found) ? [] : [`${place} is a ${typeOf(found)}`];
  });
}

/** Every object of Stripe's within an answer, the answer itself included. */
function findObjects(value: unknown): { object: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(findObjects);
  return 'object' in value && typeof value.object === 'string'
    ? [{ ...value, object: value.object }, ...within]
    : within;
}

/** Calls that answer each kind of object in each of its states. */
async function collectAnswers(stripe: Stripe, controls: StripeEmulator['controls']): Promise<unknown[]> {
  const typed = await stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' },
    billing_details: { name: 'Ann Lee', address: { postal_code: '94107' } },
  });
  const paid = await pay(stripe, typed.id);
  await stripe.refunds.create({ payment_intent: paid.id, amount: 100 });
  const declined = (await refusalOf(pay(stripe, 'pm_card_chargeDeclined'))).payment_intent;
  const canceled = await pay(stripe, 'pm_card_authenticationRequired');
  await stripe.paymentIntents.cancel(canceled.id, { cancellation_reason: 'abandoned' });
  const [approved, refused] = [
    await pay(stripe, 'pm_card_processing'),
    await pay(stripe, 'pm_card_processing'),
  ];
  controls.settlePayment({ paymentIntent: approved.id });
  controls.settlePayment({ paymentIntent: refused.id, isApproved: false });
  const pending = await pay(stripe, 'pm_card_pendingRefund');
  const { id: refund } = await stripe.refunds.create({ payment_intent: pending.id });
  controls.settleRefund({ refund, status: 'failed' });
  const disputed = await pay(stripe, 'pm_card_createDispute');
  controls.dispute({ paymentIntent: disputed.id, outcome: 'won' });
  await pay(stripe, 'pm_card_createDisputeInquiry');
  return [
    ...[typed, paid, declined, canceled, approved],
    ...[
      await stripe.paymentIntents.create({ amount: 500, currency: 'usd' }),
      await stripe.paymentIntents.list(),
    ],
    ...[
      await stripe.charges.retrieve(chargeIdOf(paid)),
      await stripe.charges.list(),
      await stripe.refunds.list(),
      await stripe.balanceTransactions.list(),
      await stripe.disputes.list(),
    ],
    // Each with a snapshot of what it tells of.
    await stripe.events.list({ limit: 100 }),
  ];
}

test('Every object has at least the keys, with the same types, of its official example', async () => {
  const { stripe, emulator } = await startTestEmulator();
  const answers = await collectAnswers(stripe, emulator.controls);
  const objects = findObjects(answers);
  expect(new Set(objects.map(({ object }) => object))).toEqual(new Set(Object.keys(shapes)));
  const differences = objects.flatMap((found) =>
    findDifferences(found, shapes[found.object] ?? { known: 'boolean' }, found.object),
  );
  expect([...new Set(differences)]).toEqual([]);
});
