/**
 * The calls for customers, products, subscriptions, invoices and the customer portal. Their effects are in billing.ts.
 */
import * as z from 'zod';
import {
  bill,
  chargeInvoice,
  endSubscription,
  itemOf,
  openDraft,
  monthsAfter,
  voidOpenInvoice,
} from './billing.ts';
import { type Call, recordEvent, save } from './call.ts';
import { refuse, refuseParameter } from './errors.ts';
import { flag, integer, metadata, parseParameters } from './form.ts';
import { saveSubscription } from './invoice-payments.ts';
import {
  newId,
  newObject,
  nowSeconds,
  nulls,
  randomText,
  type Invoice,
  type Price,
  type Subscription,
} from './objects.ts';
import { expand, expandParameter, find } from './resources.ts';

/** `POST /v1/customers` */
export function createCustomer(call: Call) {
  const given = parseParameters({ description: z.string().max(350).optional(), metadata }, call.form);
  return save(call, 'customer.created', 'customer', {
    ...newObject('customer', 'cus'),
    balance: 0,
    delinquent: false,
    description: given.description ?? null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: nulls('custom_fields', 'default_payment_method', 'footer', 'rendering_options'),
    metadata: given.metadata,
    next_invoice_sequence: 1,
    preferred_locales: [],
    tax_exempt: 'none',
    // prettier-ignore
    ...nulls(
      'address', 'currency', 'customer_account', 'default_source', 'email', 'name', 'phone', 'shipping', 'test_clock'
    ),
  });
}

/** `DELETE /v1/customers/:id`: also cancels the customer's subscriptions. */
export function deleteCustomer(call: Call) {
  parseParameters({}, call.form);
  const customer = find(call, 'customer');
  for (const subscription of call.state.list('subscription', { fields: { customer: customer.id } }))
    if (subscription.ended_at === null) endSubscription(call, subscription, 'cancellation_requested');
  call.state.remove(customer.id);
  recordEvent(call, 'customer.deleted', customer);
  return { id: customer.id, object: 'customer', deleted: true };
}

/** `POST /v1/coupons`: an amount off, once, for some months, or forever. */
export function createCoupon(call: Call) {
  const given = parseParameters(
    {
      amount_off: integer.pipe(z.number().min(1)),
      currency: z.literal('usd'),
      duration: z.enum(['forever', 'once', 'repeating']),
      duration_in_months: integer.pipe(z.number().min(1)).optional(),
      name: z.string().max(40).optional(),
    },
    call.form,
  );
  if ((given.duration === 'repeating') !== (given.duration_in_months !== undefined))
    throw refuseParameter(
      'Send duration_in_months if, and only if, duration is repeating.',
      'duration_in_months',
    );
  return save(call, 'coupon.created', 'coupon', {
    ...given,
    ...newObject('coupon', ''),
    id: randomText(8),
    duration_in_months: given.duration_in_months ?? null,
    metadata: {},
    name: given.name ?? null,
    times_redeemed: 0,
    valid: true,
    ...nulls('max_redemptions', 'percent_off', 'redeem_by'),
  });
}

/** Redeems a coupon for a subscription that is being created. @returns the discount's id */
function redeem(call: Call, couponId: string, { id, customer, created }: Subscription): string {
  const coupon = find(call, 'coupon', couponId, 'discounts[0][coupon]');
  call.state.put('coupon', { ...coupon, times_redeemed: coupon.times_redeemed + 1 });
  const months = coupon.duration_in_months;
  return call.state.put('discount', {
    id: newId('di'),
    object: 'discount',
    customer,
    end: months === null ? null : monthsAfter(created, months),
    source: { coupon: couponId, type: 'coupon' },
    start: created,
    subscription: id,
    // prettier-ignore
    ...nulls(
      'checkout_session', 'customer_account', 'invoice', 'invoice_item', 'promotion_code', 'subscription_item',
    ),
  }).id;
}

/** `POST /v1/products`, with an id that the caller chooses. */
export function createProduct(call: Call) {
  const given = parseParameters(
    { id: z.string().min(1).max(255), name: z.string().min(1), metadata },
    call.form,
  );
  if (call.state.get('product', given.id))
    throw refuse('Product already exists.', { code: 'resource_already_exists', param: 'id' });
  return call.state.put('product', {
    ...newObject('product', ''),
    id: given.id,
    active: true,
    images: [],
    marketing_features: [],
    metadata: given.metadata,
    name: given.name,
    type: 'service',
    updated: nowSeconds(),
    // prettier-ignore
    ...nulls(
      'default_price', 'description', 'package_dimensions', 'shippable', 'statement_descriptor', 'tax_code', 'tax_details',
      'unit_label', 'url'
    ),
  });
}

const priceData = z.strictObject({
  currency: z.literal('usd'),
  product: z.string(),
  recurring: z.strictObject({ interval: z.literal('month') }),
  unit_amount: integer.pipe(z.number().min(0)),
});

function makePrice(
  call: Call,
  { currency, product, recurring, unit_amount }: z.output<typeof priceData>,
): Price {
  find(call, 'product', product, 'items[0][price_data][product]');
  return call.state.put('price', {
    ...newObject('price', 'price'),
    active: false,
    billing_scheme: 'per_unit',
    currency,
    metadata: {},
    product,
    recurring: {
      ...recurring,
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    type: 'recurring',
    unit_amount,
    unit_amount_decimal: String(unit_amount),
    ...nulls('custom_unit_amount', 'lookup_key', 'nickname', 'tiers_mode', 'transform_quantity'),
  });
}

const creation = {
  customer: z.string(),
  description: z.string().max(500).optional(),
  discounts: z.tuple([z.strictObject({ coupon: z.string() })]).optional(),
  expand: expandParameter(['discounts', 'latest_invoice.payments']),
  items: z.tuple([z.strictObject({ price_data: priceData })]),
  metadata,
  // The other behaviors would charge immediately, or fail.
  payment_behavior: z.literal('default_incomplete'),
  payment_settings: z.strictObject({
    payment_method_types: z.array(z.enum(['card', 'link'])),
    save_default_payment_method: z.literal('on_subscription'),
  }),
};

function newSubscription(given: z.output<z.ZodObject<typeof creation>>, price: Price): Subscription {
  const made = newObject('subscription', 'sub');
  const { id, created: now } = made;
  return {
    ...made,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    cancel_at_period_end: false,
    collection_method: 'charge_automatically',
    currency: price.currency,
    customer: given.customer,
    default_tax_rates: [],
    description: given.description ?? null,
    discounts: [],
    invoice_settings: {
      ...nulls('account_tax_ids', 'custom_fields', 'description', 'footer'),
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: [
        {
          id: newId('si'),
          object: 'subscription_item',
          billed_until: now,
          billing_thresholds: null,
          created: now,
          current_period_end: monthsAfter(now, 1),
          current_period_start: now,
          current_trial: null,
          discounts: [],
          metadata: {},
          price,
          quantity: 1,
          subscription: id,
          tax_rates: [],
        },
      ],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    metadata: given.metadata,
    payment_settings: { payment_method_options: null, ...given.payment_settings },
    start_date: now,
    status: 'incomplete',
    trial_settings: null,
    // prettier-ignore
    ...nulls(
      'application', 'application_fee_percent', 'billing_cycle_anchor_config', 'billing_thresholds', 'cancel_at', 'canceled_at',
      'cancellation_details', 'customer_account', 'days_until_due', 'default_payment_method', 'default_source', 'ended_at',
      'latest_invoice', 'managed_payments', 'next_pending_invoice_item_invoice', 'on_behalf_of', 'pause_collection',
      'pending_invoice_item_interval', 'pending_setup_intent', 'pending_update', 'schedule', 'test_clock', 'transfer_data',
      'trial_end', 'trial_start'
    ),
  };
}

/** `POST /v1/subscriptions`: incomplete until its first invoice is paid. */
export function createSubscription(call: Call): object {
  const given = parseParameters(creation, call.form);
  find(call, 'customer', given.customer, 'customer');
  const bare = newSubscription(given, makePrice(call, given.items[0].price_data));
  const made = {
    ...bare,
    discounts: (given.discounts ?? []).map(({ coupon }) => redeem(call, coupon, bare)),
  };
  saveSubscription(call, 'created', made);
  bill(call, made, 'subscription_create');
  return expand(call, find(call, 'subscription', made.id), given.expand);
}

const pause = z.strictObject({ behavior: z.literal('void'), resumes_at: integer.optional() });

const changes = {
  cancel_at_period_end: flag.optional(),
  default_payment_method: z.string().optional(),
  items: z.tuple([z.strictObject({ id: z.string(), price_data: priceData })]).optional(),
  pause_collection: pause.or(z.literal('')).optional(),
  proration_behavior: z.literal('none').optional(),
};

/** `POST /v1/subscriptions/:id` */
export function updateSubscription(call: Call): Subscription {
  const given = parseParameters(changes, call.form);
  const subscription = find(call, 'subscription');
  if (subscription.ended_at !== null)
    throw refuse('A canceled subscription can only update its cancellation_details and metadata.');
  const change = given.items?.[0];
  const item = itemOf(subscription);
  if (change && change.id !== item.id)
    throw refuseParameter(`Invalid subscription item: ${change.id}`, 'items[0][id]');
  if (change && given.proration_behavior !== 'none')
    throw refuse('The stand-in makes no prorations: send proration_behavior none.');
  const { pause_collection: paused, cancel_at_period_end: isEnding, default_payment_method: method } = given;
  if (method !== undefined && find(call, 'payment_method', method).customer !== subscription.customer)
    throw refuse(
      'The customer does not have a payment method with this ID. Attach it to the customer first.',
    );
  const data = [change ? { ...item, price: makePrice(call, change.price_data) } : item];
  return saveSubscription(call, 'updated', {
    ...subscription,
    items: { ...subscription.items, data },
    ...(isEnding !== undefined && {
      cancel_at_period_end: isEnding,
      cancel_at: isEnding ? item.current_period_end : null,
      canceled_at: isEnding ? nowSeconds() : null,
    }),
    ...(method !== undefined && { default_payment_method: method }),
    ...(paused !== undefined && {
      pause_collection: paused === '' ? null : { ...paused, resumes_at: paused.resumes_at ?? null },
    }),
  });
}

/** `DELETE /v1/subscriptions/:id` */
export function cancelSubscription(call: Call): Subscription {
  parseParameters({}, call.form);
  const subscription = find(call, 'subscription');
  if (subscription.ended_at !== null)
    throw refuse(`No such subscription: '${subscription.id}'`, { code: 'resource_missing', param: 'id' });
  return endSubscription(call, subscription, 'cancellation_requested');
}

/** `POST /v1/invoices/:id/pay`: charges the subscription's card. @throws {StripeFault} 402 if it is declined */
export function payInvoice(call: Call): Invoice {
  parseParameters({}, call.form);
  const invoice = find(call, 'invoice');
  if (invoice.status !== 'open') throw refuse(`Invoice is already ${invoice.status ?? 'draft'}`);
  chargeInvoice(call, invoice);
  const now = find(call, 'invoice');
  if (now.status !== 'paid') throw refuse('The card was declined.', { code: 'card_declined' });
  return now;
}

/** `POST /v1/invoices/:id/finalize` */
export function finalizeInvoice(call: Call): Invoice {
  parseParameters({ auto_advance: z.literal('false') }, call.form);
  const invoice = find(call, 'invoice');
  if (invoice.status !== 'draft') throw refuse('This invoice is already finalized.');
  return openDraft(call, invoice);
}

/** `POST /v1/invoices/:id/void` */
export function voidInvoice(call: Call): Invoice {
  parseParameters({}, call.form);
  const invoice = find(call, 'invoice');
  if (invoice.status !== 'open')
    throw refuse(`You can only void open invoices, not ${invoice.status ?? ''} ones.`);
  return voidOpenInvoice(call, invoice);
}

/** `POST /v1/billing_portal/sessions`: a page on which the customer changes the card. */
export function createPortalSession(call: Call) {
  const given = parseParameters(
    {
      customer: z.string(),
      flow_data: z.strictObject({ type: z.literal('payment_method_update') }),
      return_url: z.url(),
    },
    call.form,
  );
  find(call, 'customer', given.customer, 'customer');
  const made = newObject('billing_portal.session', 'bps');
  return call.state.put('billing_portal.session', {
    ...made,
    configuration: 'bpc_emulator',
    customer: given.customer,
    flow: given.flow_data,
    return_url: given.return_url,
    url: `${call.state.url}/portal/${made.id}`,
    ...nulls('customer_account', 'locale', 'on_behalf_of'),
  });
}
