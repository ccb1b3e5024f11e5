/** What the outcome of a payment intent does to the invoice that it pays, and to the invoice's subscription. */
import { type Call, save } from './call.ts';
import { daySeconds, type Invoice, nowSeconds, type PaymentIntent, type Subscription } from './objects.ts';
import { find } from './resources.ts';

/** The days from each failed attempt to the next one. */
const retryDays = [3, 5, 7];

/** Stores a subscription's new state and records the event. */
export function saveSubscription(
  call: Call,
  event: 'created' | 'deleted' | 'updated',
  subscription: Subscription,
): Subscription {
  return save(call, `customer.subscription.${event}`, 'subscription', subscription);
}

/** Stores an invoice's new state and records the event. */
export function keepInvoice(call: Call, event: string, invoice: Invoice): Invoice {
  return save(call, `invoice.${event}`, 'invoice', invoice);
}

export function subscriptionOf(call: Call, { parent }: Invoice): Subscription {
  const id = parent?.subscription_details?.subscription;
  return find(call, 'subscription', typeof id === 'string' ? id : '');
}

export const paymentOf = (call: Call, { id }: Invoice) =>
  call.state.list('invoice_payment', { fields: { invoice: id } })[0];

function payInvoice(call: Call, invoice: Invoice, intent: PaymentIntent): void {
  const paid_at = nowSeconds();
  const paid: Invoice = {
    ...invoice,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    status: 'paid',
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at },
  };
  const payment = paymentOf(call, invoice);
  if (payment)
    call.state.put('invoice_payment', {
      ...payment,
      amount_paid: invoice.amount_due,
      status: 'paid',
      status_transitions: { canceled_at: null, paid_at },
    });
  const method = find(call, 'payment_method', intent.payment_method ?? '');
  call.state.put('payment_method', { ...method, customer: intent.customer });
  keepInvoice(call, 'paid', paid);
  const subscription = subscriptionOf(call, invoice);
  // Only the newest invoice makes an unpaid subscription active again.
  const isLive = subscription.ended_at === null && subscription.latest_invoice === invoice.id;
  saveSubscription(call, 'updated', {
    ...subscription,
    ...(isLive && { status: 'active' as const }),
    default_payment_method: method.id,
  });
}

/** Records a failed attempt to pay an invoice, and when the next one is due. */
export function failInvoice(call: Call, invoice: Invoice): void {
  const attempts = invoice.attempt_count + 1;
  const isFirst = invoice.billing_reason === 'subscription_create';
  const days = isFirst || !invoice.auto_advance ? undefined : retryDays[attempts - 1];
  keepInvoice(call, 'payment_failed', {
    ...invoice,
    attempt_count: attempts,
    attempted: true,
    next_payment_attempt: days === undefined ? null : nowSeconds() + days * daySeconds,
  });
  const subscription = subscriptionOf(call, invoice);
  if (isFirst || subscription.ended_at !== null) return;
  saveSubscription(call, 'updated', { ...subscription, status: days === undefined ? 'unpaid' : 'past_due' });
}

/**
 * If an intent belongs to an open invoice, marks the invoice as paid after a success, or records the failed attempt.
 */
export function updateInvoiceOf(call: Call, intent: PaymentIntent): void {
  const [payment] = call.state.list('invoice_payment', { fields: { 'payment.payment_intent': intent.id } });
  const invoice = payment && find(call, 'invoice', payment.invoice);
  if (!invoice || invoice.status !== 'open') return;
  if (intent.status === 'succeeded') payInvoice(call, invoice, intent);
  // No payer is present to pass the challenge of a renewal.
  const isStuck = intent.status === 'requires_action' && invoice.billing_reason !== 'subscription_create';
  if (isStuck || intent.status === 'requires_payment_method') failInvoice(call, invoice);
}
