/**
 * Stripe Billing: invoices of subscriptions, their payments and retries, and everything that time causes. A renewal's
 * invoice is finalized and charged immediately; Stripe waits an hour. After the last retry, the subscription is
 * `unpaid`, which is one of the three settings that Stripe offers.
 * https://docs.stripe.com/billing/subscriptions/overview
 */
import { type Call, save } from './call.ts';
import { StripeFault } from './errors.ts';
import {
  daySeconds,
  type Invoice,
  type InvoiceLine,
  newId,
  newObject,
  nowSeconds,
  nulls,
  type PaymentIntent,
  type Subscription,
  type SubscriptionItem,
} from './objects.ts';
import { failInvoice, keepInvoice, paymentOf, saveSubscription, subscriptionOf } from './invoice-payments.ts';
import { newIntent } from './payment-intents.ts';
import { find } from './resources.ts';
import { attemptPayment } from './settle.ts';

/** How long an incomplete subscription waits for its first payment. */
const incompleteSeconds = 23 * 3_600;

/** The time a number of months after an anchor, on the same day of the month or on its last day. */
export function monthsAfter(anchor: number, months: number): number {
  const start = new Date(anchor * 1000);
  const month = start.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(start.getUTCDate(), lastDay);
  const midnight = Date.UTC(start.getUTCFullYear(), month, day);
  return Math.floor((midnight + (start.getTime() % (daySeconds * 1000))) / 1000);
}

export function itemOf({ id, items: { data } }: Subscription): SubscriptionItem {
  const [item] = data;
  if (!item) throw new Error(`The subscription ${id} has no item.`);
  return item;
}

/** The intent that pays an invoice; undefined if the invoice needs no payment. */
export function intentOf(call: Call, invoice: Invoice): PaymentIntent | undefined {
  const id = paymentOf(call, invoice)?.payment.payment_intent;
  return typeof id === 'string' ? find(call, 'payment_intent', id) : undefined;
}

/** The discount of a subscription's coupon on a new invoice, in cents. */
function discountsNow(call: Call, { discounts }: Subscription, amount: number) {
  return discounts.flatMap((id) => {
    const { end, source } = find(call, 'discount', id);
    const { amount_off } = find(call, 'coupon', source.coupon);
    return end !== null && end <= nowSeconds()
      ? []
      : [{ amount: Math.min(amount_off ?? 0, amount), discount: id }];
  });
}

/** The discounts that remain after an invoice. One-time and expired discounts are removed. */
const discountsAfter = (call: Call, { discounts }: Subscription): string[] =>
  discounts.filter((id) => {
    const { end, source } = find(call, 'discount', id);
    return find(call, 'coupon', source.coupon).duration !== 'once' && (end === null || end > nowSeconds());
  });

function lineFor(subscription: Subscription, invoice: string): InvoiceLine {
  const { id, current_period_start: start, current_period_end: end, price } = itemOf(subscription);
  const amount = price.unit_amount ?? 0;
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description: null,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: id,
      },
      type: 'subscription_item_details',
    },
    period: { start, end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity: 1,
    quantity_decimal: '1',
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}

/** Fields of an invoice that the emulator does not use. */
const emptyFields = () =>
  // prettier-ignore
  nulls(
      'account_tax_ids', 'application', 'automatically_finalizes_at', 'custom_fields', 'customer_account', 'customer_address',
      'customer_email', 'customer_name', 'customer_phone', 'customer_shipping', 'default_payment_method', 'default_source',
      'description', 'due_date', 'footer', 'from_invoice', 'invoice_pdf', 'last_finalization_error', 'latest_revision',
      'next_payment_attempt', 'number', 'on_behalf_of', 'receipt_number', 'rendering', 'shipping_cost', 'shipping_details',
      'statement_descriptor', 'test_clock', 'webhooks_delivered_at'
  );

function newInvoice(
  call: Call,
  subscription: Subscription,
  reason: string,
  status: Invoice['status'],
): Invoice {
  const made = newObject('invoice', 'in');
  const { id, created } = made;
  const plain = lineFor(subscription, id);
  const discount_amounts = discountsNow(call, subscription, plain.amount);
  const line = { ...plain, discount_amounts };
  const total = discount_amounts.reduce((left, { amount }) => left - amount, line.amount);
  const due = { amount_due: total, amount_remaining: total };
  const totals = { subtotal: line.amount, subtotal_excluding_tax: line.amount, total };
  return {
    ...made,
    ...due,
    ...totals,
    total_excluding_tax: total,
    account_country: 'US',
    account_name: 'The stand-in',
    amount_overpaid: 0,
    amount_paid: 0,
    amount_paid_off_stripe: 0,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: status === 'open',
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    billing_reason: reason,
    collection_method: 'charge_automatically',
    currency: 'usd',
    customer: subscription.customer,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_tax_rates: [],
    discounts: discount_amounts.map(({ discount }) => discount),
    effective_at: created,
    ending_balance: 0,
    hosted_invoice_url: `${call.state.url}/invoice/${id}`,
    issuer: { type: 'self' },
    lines: { object: 'list', data: [line], has_more: false, url: `/v1/invoices/${id}/lines` },
    metadata: {},
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: subscription.payment_settings?.payment_method_types ?? null,
    },
    period_end: line.period.end,
    period_start: line.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: 0,
    status,
    status_transitions: {
      ...nulls('marked_uncollectible_at', 'paid_at', 'voided_at'),
      finalized_at: status === 'open' ? created : null,
    },
    total_discount_amounts: discount_amounts,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    ...emptyFields(),
  };
}

function openPayment(call: Call, invoice: Invoice, description: string): void {
  const intent = save(call, 'payment_intent.created', 'payment_intent', {
    ...newIntent({
      allowed_payment_method_types: ['card', 'link'],
      amount: invoice.amount_due,
      currency: invoice.currency,
      description,
      metadata: {},
    }),
    customer: invoice.customer,
    setup_future_usage: 'off_session',
  });
  call.state.put('invoice_payment', {
    ...newObject('invoice_payment', 'inpay'),
    amount_paid: null,
    amount_requested: invoice.amount_due,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  });
}

/** Bills the current period. @param status `open` to be paid, `void` during a pause, `draft` if nothing is charged */
export function bill(
  call: Call,
  subscription: Subscription,
  reason: 'subscription_create' | 'subscription_cycle',
  status: 'draft' | 'open' | 'void' = 'open',
): Invoice {
  const made = newInvoice(call, subscription, reason, status);
  call.state.put('subscription', {
    ...subscription,
    discounts: discountsAfter(call, subscription),
    latest_invoice: made.id,
  });
  const invoice = keepInvoice(call, 'created', made);
  const isFirst = reason === 'subscription_create';
  if (status === 'open')
    openPayment(call, invoice, isFirst ? 'Subscription creation' : 'Subscription update');
  return invoice;
}

/** Opens a draft, so that it can be paid. Nothing charges it automatically. */
export function openDraft(call: Call, draft: Invoice): Invoice {
  const status_transitions = { ...draft.status_transitions, finalized_at: nowSeconds() };
  const invoice: Invoice = { ...draft, status: 'open', status_transitions };
  openPayment(call, invoice, 'Subscription update');
  return keepInvoice(call, 'finalized', invoice);
}

/** Charges an open invoice to the subscription's card, without the payer. */
export function chargeInvoice(call: Call, invoice: Invoice): void {
  const { customer, default_payment_method: own } = subscriptionOf(call, invoice);
  const { invoice_settings } = find(call, 'customer', customer);
  const method = own ?? invoice_settings.default_payment_method;
  const intent = intentOf(call, invoice);
  if (!intent) return;
  if (typeof method !== 'string') {
    failInvoice(call, invoice);
    return;
  }
  try {
    attemptPayment(call, intent, method, { isOffSession: true });
  } catch (error) {
    if (!(error instanceof StripeFault) || error.status !== 402) throw error;
  }
}

/** Voids an open invoice, which cancels its intent. */
export function voidOpenInvoice(call: Call, invoice: Invoice): Invoice {
  const intent = intentOf(call, invoice);
  if (intent && intent.status !== 'succeeded') {
    save(call, 'payment_intent.canceled', 'payment_intent', {
      ...intent,
      canceled_at: nowSeconds(),
      cancellation_reason: 'void_invoice',
      next_action: null,
      status: 'canceled',
    });
  }
  const status_transitions = { ...invoice.status_transitions, voided_at: nowSeconds() };
  return keepInvoice(call, 'voided', { ...invoice, status: 'void', auto_advance: false, status_transitions });
}

const openInvoices = (call: Call, { id }: Subscription): Invoice[] =>
  call.state.list('invoice', {
    fields: { 'parent.subscription_details.subscription': id, status: 'open' },
  });

/**
 * Ends a subscription. An incomplete one expires with its invoice. Open invoices of any other subscription are no
 * longer charged.
 */
export function endSubscription(
  call: Call,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
): Subscription {
  const isIncomplete = subscription.status === 'incomplete';
  for (const invoice of openInvoices(call, subscription))
    if (isIncomplete) voidOpenInvoice(call, invoice);
    else call.state.put('invoice', { ...invoice, auto_advance: false, next_payment_attempt: null });
  const now = nowSeconds();
  return saveSubscription(call, isIncomplete && reason === 'payment_failed' ? 'updated' : 'deleted', {
    ...subscription,
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
    status: isIncomplete ? 'incomplete_expired' : 'canceled',
  });
}

/** Starts the next period, or ends the subscription if it was set to end. */
function renew(call: Call, subscription: Subscription): void {
  if (subscription.cancel_at_period_end) {
    endSubscription(call, subscription, 'cancellation_requested');
    return;
  }
  const item = itemOf(subscription);
  const { billing_cycle_anchor: anchor } = subscription;
  const start = item.current_period_end;
  let months = 1;
  while (monthsAfter(anchor, months) <= start) months += 1;
  const next = { ...item, current_period_start: start, current_period_end: monthsAfter(anchor, months) };
  const renewed = saveSubscription(call, 'updated', {
    ...subscription,
    items: { ...subscription.items, data: [next] },
  });
  const status = renewed.pause_collection ? 'void' : renewed.status === 'unpaid' ? 'draft' : 'open';
  const invoice = bill(call, renewed, 'subscription_cycle', status);
  if (status === 'open') chargeInvoice(call, invoice);
}

/** Something that time causes for a subscription. */
interface Due {
  at: number;
  happen: (call: Call) => void;
}

/** The next thing that time causes for a subscription; undefined if it has ended. */
function nextOf(call: Call, subscription: Subscription): Due | undefined {
  if (subscription.ended_at !== null) return undefined;
  if (subscription.status === 'incomplete')
    return {
      at: subscription.created + incompleteSeconds,
      happen: () => void endSubscription(call, subscription, 'payment_failed'),
    };
  const due: Due[] = [
    { at: itemOf(subscription).current_period_end, happen: () => renew(call, subscription) },
  ];
  const resumesAt = subscription.pause_collection?.resumes_at ?? null;
  const resumed: Subscription = { ...subscription, pause_collection: null };
  if (resumesAt !== null)
    due.push({ at: resumesAt, happen: () => void saveSubscription(call, 'updated', resumed) });
  for (const invoice of openInvoices(call, subscription))
    if (invoice.next_payment_attempt !== null)
      due.push({ at: invoice.next_payment_attempt, happen: () => chargeInvoice(call, invoice) });
  return due.sort((one, other) => one.at - other.at)[0];
}

/** Finds the next thing that is due before `until` (Unix seconds). */
export function findDue(call: Call, until: number): Due | undefined {
  return call.state
    .list('subscription', {})
    .flatMap((subscription) => nextOf(call, subscription) ?? [])
    .filter(({ at }) => at <= until)
    .sort((one, other) => one.at - other.at)[0];
}
