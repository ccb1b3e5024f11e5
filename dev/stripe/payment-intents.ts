/**
 * The calls on payment intents: create, retrieve, update, confirm, cancel. The effects of a payment are in settle.ts.
 */
import * as z from 'zod';
import { type Call, save } from './call.ts';
import { refuse, refuseParameter } from './errors.ts';
import { emailAddress, flag, integer, metadata, parseParameters } from './form.ts';
import { newObject, nowSeconds, nulls, type PaymentIntent, randomText } from './objects.ts';
import { findPaymentMethod } from './payment-methods.ts';
import { expand, expandParameter, expansions, find } from './resources.ts';
import { attemptPayment } from './settle.ts';

const confirmation = {
  expected_payment_method_type: z.literal('card').optional(),
  payment_method: z.string().optional(),
  return_url: z.url().optional(),
  use_stripe_sdk: flag.optional(),
};
type Confirmation = z.infer<z.ZodObject<typeof confirmation>>;

/** The statuses in which an intent can still be confirmed or canceled. */
const open: string[] = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

function unexpectedState(intent: PaymentIntent, message: string) {
  return refuse(message, { code: 'payment_intent_unexpected_state', payment_intent: intent });
}

/** The intent that a call refers to. A browser must also know its client secret. */
function findIntent(call: Call, clientSecret?: string): PaymentIntent {
  const intent = find(call, 'payment_intent', call.id, 'intent');
  if (!call.isPublishable || clientSecret === intent.client_secret) return intent;
  throw clientSecret === undefined
    ? refuseParameter('Missing required param: client_secret.', 'client_secret', 'parameter_missing')
    : refuseParameter(
        'The client_secret provided does not match any associated PaymentIntent on this account.',
        'client_secret',
      );
}

/** @throws {StripeFault} 400 for an amount, in cents, outside Stripe's limits for a card payment in US dollars */
function checkAmount(amount: number): void {
  if (amount < 50) throw refuseParameter('Amount must be at least $0.50 usd', 'amount', 'amount_too_small');
  if (amount > 99_999_999)
    throw refuseParameter('Amount must be no more than $999,999.99 usd', 'amount', 'amount_too_large');
}

const creation = {
  ...confirmation,
  amount: integer,
  capture_method: z.enum(['automatic', 'automatic_async']).default('automatic_async'),
  confirm: flag.default(false),
  currency: z.enum(['eur', 'usd']),
  description: z.string().max(1000).optional(),
  allowed_payment_method_types: z.array(z.enum(['card', 'link'])).optional(),
  metadata,
  receipt_email: emailAddress.optional(),
};

/** `POST /v1/payment_intents` */
export function createIntent(call: Call): PaymentIntent {
  const given = parseParameters(creation, call.form);
  checkAmount(given.amount);
  const intent = choosePaymentMethod(call, newIntent(given), given);
  const created = save(call, 'payment_intent.created', 'payment_intent', intent);
  return given.confirm ? confirm(call, created, given) : created;
}

export function newIntent(
  given: Pick<
    z.infer<z.ZodObject<typeof creation>>,
    'allowed_payment_method_types' | 'amount' | 'description' | 'metadata' | 'receipt_email'
  > & { readonly capture_method?: 'automatic' | 'automatic_async'; readonly currency: string },
): PaymentIntent {
  const made = newObject('payment_intent', 'pi');
  return {
    ...made,
    allowed_payment_method_types: given.allowed_payment_method_types ?? null,
    amount: given.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
    capture_method: given.capture_method ?? 'automatic_async',
    client_secret: `${made.id}_secret_${randomText(24)}`,
    confirmation_method: 'automatic',
    currency: given.currency,
    description: given.description ?? null,
    metadata: given.metadata,
    payment_method_options: {},
    payment_method_types: given.allowed_payment_method_types ?? ['card', 'link'],
    receipt_email: given.receipt_email ?? null,
    status: 'requires_payment_method',
    // prettier-ignore
    ...nulls(
      'application', 'application_fee_amount', 'canceled_at', 'cancellation_reason', 'customer', 'customer_account',
      'excluded_payment_method_types', 'last_payment_error', 'latest_charge', 'managed_payments', 'next_action',
      'on_behalf_of', 'payment_method', 'payment_method_configuration_details', 'payment_record', 'processing',
      'review', 'setup_future_usage', 'shipping', 'source', 'statement_descriptor',
      'statement_descriptor_suffix', 'transfer_data', 'transfer_group'
    ),
  };
}

/** Puts a call's payment method into the intent. */
function choosePaymentMethod(call: Call, intent: PaymentIntent, given: Confirmation): PaymentIntent {
  if (given.payment_method === undefined) return intent;
  const status = intent.status === 'requires_payment_method' ? 'requires_confirmation' : intent.status;
  return { ...intent, payment_method: findPaymentMethod(call, given.payment_method).id, status };
}

function confirm(call: Call, intent: PaymentIntent, given: Confirmation): PaymentIntent {
  if (intent.payment_method === null)
    throw unexpectedState(
      intent,
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    );
  const mayRedirect = intent.allowed_payment_method_types === null;
  if (mayRedirect && !call.isPublishable && !given.return_url && !given.use_stripe_sdk)
    throw refuse(
      'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`.',
    );
  return attemptPayment(call, intent, intent.payment_method);
}

/** `GET /v1/payment_intents/:id`; can expand its charge, except for a browser, which does not see the charge. */
export function retrieveIntent(call: Call): object {
  const given = parseParameters(
    { client_secret: z.string().optional(), expand: expandParameter(expansions.payment_intent) },
    call.form,
  );
  return expand(call, findIntent(call, given.client_secret), given.expand);
}

/** `POST /v1/payment_intents/:id` */
export function updateIntent(call: Call): PaymentIntent {
  const given = parseParameters(
    {
      description: z.string().max(1000).optional(),
      metadata,
      receipt_email: emailAddress.or(z.literal('')).optional(),
    },
    call.form,
  );
  const intent = findIntent(call);
  return call.state.put('payment_intent', {
    ...intent,
    ...(given.description !== undefined && { description: given.description }),
    metadata: { ...intent.metadata, ...given.metadata },
    ...(given.receipt_email !== undefined && { receipt_email: given.receipt_email || null }),
  });
}

/** `POST /v1/payment_intents/:id/confirm` */
export function confirmIntent(call: Call): PaymentIntent {
  const given = parseParameters({ ...confirmation, client_secret: z.string().optional() }, call.form);
  const intent = findIntent(call, given.client_secret);
  if (intent.status === 'succeeded')
    throw unexpectedState(
      intent,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    );
  if (!open.includes(intent.status))
    throw unexpectedState(
      intent,
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: ${open.join(', ')}.`,
    );
  return confirm(call, choosePaymentMethod(call, intent, given), given);
}

/** `POST /v1/payment_intents/:id/cancel` */
export function cancelIntent(call: Call): PaymentIntent {
  parseParameters({}, call.form);
  const intent = findIntent(call);
  // Stripe cancels a processing payment 'in rare cases' (https://docs.stripe.com/api/payment_intents/cancel). The
  // emulator never does.
  if (call.state.list('invoice_payment', { fields: { 'payment.payment_intent': intent.id } }).length > 0)
    throw refuse(
      'You cannot cancel this PaymentIntent because it belongs to an invoice. Void the invoice, or cancel its subscription.',
    );
  if (!open.includes(intent.status))
    throw unexpectedState(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
    );
  return save(call, 'payment_intent.canceled', 'payment_intent', {
    ...intent,
    canceled_at: nowSeconds(),
    next_action: null,
    status: 'canceled',
  });
}
