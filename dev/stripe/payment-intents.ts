/** The calls on payment intents: create, retrieve, update, confirm, cancel, list. What paying does is in settle.ts. */
import { z } from 'zod';
import { checkAmount, readCurrency } from './amounts.ts';
import { type Call, recordEvent } from './call.ts';
import { missing, refuse, refuseParameter } from './errors.ts';
import { flag, integer, listParameters, metadata, parseParameters } from './form.ts';
import { listPage } from './lists.ts';
import {
  type IntentStatus,
  type Metadata,
  newId,
  nowSeconds,
  type PaymentIntent,
  randomText,
} from './objects.ts';
import { buildPaymentMethod, findPaymentMethod, paymentMethodParameters } from './payment-methods.ts';
import { attemptPayment } from './settle.ts';

const text = z.string().max(1000);
const choosable = {
  payment_method: z.string().optional(),
  payment_method_data: z.strictObject(paymentMethodParameters).optional(),
  receipt_email: text.optional(),
};
const changeable = { ...choosable, description: text.optional(), metadata: metadata.optional() };
const confirmation = {
  expected_payment_method_type: z.literal('card').optional(),
  off_session: flag.optional(),
  return_url: z.url().optional(),
  use_stripe_sdk: flag.optional(),
};

/** The statuses that still allow a change of each kind. */
const open: IntentStatus[] = ['requires_payment_method', 'requires_confirmation'];
const confirmable: IntentStatus[] = [...open, 'requires_action'];

/** Metadata with the changes merged in: an empty text removes its key, an empty `metadata` all of them. */
export function mergeMetadata(before: Metadata, changes: Metadata | '' | undefined): Metadata {
  if (changes === '') return {};
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ''));
}

/** The refusal of a change that the intent's status does not allow. */
function unexpectedState(intent: PaymentIntent, message: string) {
  return refuse(message, { code: 'payment_intent_unexpected_state', payment_intent: intent });
}

/** The intent that a call names; a browser must also know its client secret. */
function findIntent(call: Call, clientSecret?: string): PaymentIntent {
  const intent = call.state.get('payment_intent', call.id);
  if (!intent) throw missing('payment_intent', call.id, 'intent');
  if (!call.isPublishable) return intent;
  if (clientSecret === undefined)
    throw refuseParameter('Missing required param: client_secret.', 'client_secret', 'parameter_missing');
  if (clientSecret !== intent.client_secret)
    throw refuseParameter(
      'The client_secret provided does not match any associated PaymentIntent on this account.',
      'client_secret',
    );
  return intent;
}

/** Puts the payment method that a call brings into the intent. */
function choosePaymentMethod(
  call: Call,
  intent: PaymentIntent,
  given: z.infer<z.ZodObject<typeof choosable>>,
): PaymentIntent {
  const method = given.payment_method_data
    ? buildPaymentMethod(call, given.payment_method_data)
    : given.payment_method && findPaymentMethod(call, given.payment_method);
  if (!method) return intent;
  const status = intent.status === 'requires_payment_method' ? 'requires_confirmation' : intent.status;
  return { ...intent, payment_method: method.id, status };
}

/** `POST /v1/payment_intents` */
export function createIntent(call: Call): PaymentIntent {
  const given = parseParameters(
    {
      ...changeable,
      ...confirmation,
      amount: integer,
      automatic_payment_methods: z
        .strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).default('always') })
        .optional(),
      capture_method: z.enum(['automatic', 'automatic_async']).default('automatic_async'),
      confirm: flag.default(false),
      currency: z.string(),
      allowed_payment_method_types: z.array(z.string()).optional(),
      payment_method_types: z.unknown().optional(),
      statement_descriptor: z.string().max(22).optional(),
      statement_descriptor_suffix: z.string().max(22).optional(),
    },
    call.form,
  );
  if (given.payment_method_types !== undefined)
    throw refuseParameter(
      'payment_method_types is no longer supported. Use allowed_payment_method_types or excluded_payment_method_types to control which payment methods are available.',
      'payment_method_types',
      'payment_method_types_no_longer_supported',
    );
  const allowed = given.allowed_payment_method_types ?? null;
  if (allowed && !allowed.includes('card'))
    throw refuseParameter('The emulator takes cards alone.', 'allowed_payment_method_types');
  const currency = readCurrency(given.currency);
  checkAmount(given.amount, currency);
  const automatic = given.automatic_payment_methods ?? { enabled: true, allow_redirects: 'always' };
  const id = newId('pi');
  const blank: PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: allowed,
    amount: given.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: automatic,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: given.capture_method,
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: nowSeconds(),
    currency,
    customer: null,
    customer_account: null,
    description: given.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: mergeMetadata({}, given.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: given.receipt_email ?? null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: given.statement_descriptor ?? null,
    statement_descriptor_suffix: given.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
  const intent = call.state.put('payment_intent', choosePaymentMethod(call, blank, given));
  recordEvent(call, 'payment_intent.created', intent);
  return given.confirm ? confirm(call, intent, given) : intent;
}

function confirm(
  call: Call,
  intent: PaymentIntent,
  given: {
    off_session?: boolean | undefined;
    return_url?: string | undefined;
    use_stripe_sdk?: boolean | undefined;
  },
): PaymentIntent {
  if (intent.payment_method === null)
    throw unexpectedState(
      intent,
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    );
  const mayRedirect =
    intent.automatic_payment_methods?.allow_redirects === 'always' &&
    intent.allowed_payment_method_types?.every((type) => type === 'card') !== true;
  if (mayRedirect && !call.isPublishable && !given.return_url && !given.use_stripe_sdk)
    throw refuse(
      "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you don't want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents and Payment Intents.",
    );
  return attemptPayment(call, intent, intent.payment_method, { isOffSession: given.off_session ?? false });
}

/** `GET /v1/payment_intents/:id` */
export function retrieveIntent(call: Call): PaymentIntent {
  const given = parseParameters({ client_secret: z.string().optional() }, call.form);
  return findIntent(call, given.client_secret);
}

/** `POST /v1/payment_intents/:id` */
export function updateIntent(call: Call): PaymentIntent {
  const given = parseParameters(
    { ...changeable, amount: integer.optional(), currency: z.string().optional() },
    call.form,
  );
  const intent = findIntent(call);
  for (const name of ['amount', 'currency', 'payment_method', 'payment_method_data'] as const) {
    const allowed = name === 'amount' || name === 'currency' ? open : confirmable;
    if (given[name] !== undefined && !allowed.includes(intent.status))
      throw unexpectedState(
        intent,
        `This PaymentIntent's ${name} could not be updated because it has a status of ${intent.status}. You may only update the ${name} of a PaymentIntent with one of the following statuses: ${allowed.join(', ')}.`,
      );
  }
  const currency = readCurrency(given.currency ?? intent.currency);
  const amount = given.amount ?? intent.amount;
  checkAmount(amount, currency);
  const changed: PaymentIntent = {
    ...intent,
    amount,
    currency,
    description: given.description ?? intent.description,
    metadata: mergeMetadata(intent.metadata, given.metadata),
    receipt_email: given.receipt_email ?? intent.receipt_email,
  };
  return call.state.put('payment_intent', choosePaymentMethod(call, changed, given));
}

/** `POST /v1/payment_intents/:id/confirm` */
export function confirmIntent(call: Call): PaymentIntent {
  const given = parseParameters(
    { ...choosable, ...confirmation, client_secret: z.string().optional() },
    call.form,
  );
  const intent = findIntent(call, given.client_secret);
  if (intent.status === 'succeeded')
    throw unexpectedState(
      intent,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    );
  if (!confirmable.includes(intent.status))
    throw unexpectedState(
      intent,
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: ${confirmable.join(', ')}.`,
    );
  const chosen = choosePaymentMethod(call, intent, given);
  const receiptEmail = given.receipt_email ?? intent.receipt_email;
  return confirm(call, { ...chosen, receipt_email: receiptEmail }, given);
}

/** `POST /v1/payment_intents/:id/cancel` */
export function cancelIntent(call: Call): PaymentIntent {
  const reasons = z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']);
  const given = parseParameters({ cancellation_reason: reasons.optional() }, call.form);
  const intent = findIntent(call);
  // Stripe cancels a processing payment 'in rare cases' (https://docs.stripe.com/api/payment_intents/cancel), here never.
  if (!confirmable.includes(intent.status))
    throw unexpectedState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
    );
  const canceled = call.state.put('payment_intent', {
    ...intent,
    canceled_at: nowSeconds(),
    cancellation_reason: given.cancellation_reason ?? null,
    next_action: null,
    processing: null,
    status: 'canceled',
  });
  recordEvent(call, 'payment_intent.canceled', canceled);
  return canceled;
}

/** `GET /v1/payment_intents` */
export function listIntents(call: Call) {
  return listPage(call, 'payment_intent', '/v1/payment_intents', parseParameters(listParameters, call.form));
}
