/** Creates the order for each month of a subscription that an invoice paid for. */
import { and, eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { newId } from '#contract/ids.ts';
import { toPriceText } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { displayNameOf } from '#contract/packages.ts';
import { hasRow } from '../db/has-row.ts';
import { dayOf } from '../env.ts';
import { describeError } from '../http/log.ts';
import { copyBrief } from '../fulfillment/brief.ts';
import { insertOrder, retryOnConflict, stripeActor } from '../orders/changes.ts';
import {
  customerTextsOf,
  orders,
  type NewOrderRecord,
  type OrderRecord,
  type SubscriptionRecord,
} from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { onPaid } from './on-paid.ts';
import { cardPayment, paidByCard, settlePayment, chargedAt } from './settle.ts';
import { findIntent, idOf, msOf } from './stripe.ts';
import { monthsQuery } from './subscriptions.ts';

/**
 * The intent that paid an invoice; undefined if none did, for example if the invoice was marked as paid by hand.
 */
function payingIntent({ payments: made }: Stripe.Invoice): string | undefined {
  const paid = made?.data.find(({ status }) => status === 'paid') ?? made?.data[0];
  return idOf(paid?.payment.payment_intent);
}

/** The month that an invoice paid for, as an order. */
function monthOf(
  { env }: PaymentContext,
  previous: OrderRecord,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
): NewOrderRecord {
  const period = invoice.lines.data[0]?.period;
  const discountCents = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  return {
    accountId: previous.accountId,
    packageName: previous.packageName,
    displayName: previous.displayName,
    packagePoints: previous.packagePoints,
    subscriptionId: previous.subscriptionId,
    source: previous.source,
    sourceName: previous.sourceName,
    customerEmail: previous.customerEmail,
    ...customerTextsOf(previous),
    // Lists by day are ranges of ids, so the id has the time of the payment, even if we hear of it days later.
    _id: newId(chargedAt(intent)),
    billing: 'monthly',
    invoiceId: invoice.id,
    periodStart: msOf(period?.start),
    periodEnd: msOf(period?.end),
    packagePrice: toPriceText(intent.amount_received),
    priceCents: intent.amount_received,
    couponCode: discountCents > 0 ? previous.couponCode : '',
    discountCents,
    ...paidByCard(intent),
    orderStatus: 'Pending',
    orderDay: dayOf(env, chargedAt(intent)),
    refundedCents: 0,
    paymentIntentId: intent.id,
    remindedAt: null,
    idempotencyKey: null,
    version: 1,
  };
}

/**
 * Creates the order for a paid month, with its payment, ledger entry, brief and plan, in one batch. The unique invoice
 * lets only one of several calls write.
 * @returns undefined if another change came first
 */
async function writeMonth(
  context: PaymentContext,
  previous: OrderRecord,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
): Promise<OrderRecord | undefined> {
  const { db, beforeStep } = context;
  const order = monthOf(context, previous, invoice, intent);
  const paid = await onPaid(context, order, cardPayment(order, intent), intent, order.periodEnd);
  await beforeStep('record renewal');
  return insertOrder(db, order, stripeActor, {
    kind: 'renewed',
    others: [copyBrief(db, previous._id, order._id), ...paid],
    onlyIf: hasRow(orders, and(eq(orders._id, previous._id), eq(orders.version, previous.version))),
  });
}

/**
 * Shows the order number of a month in Stripe's dashboard. After a restore, these numbers show which order numbers
 * were used.
 */
async function labelIntent(
  { env, log, stripe }: PaymentContext,
  order: OrderRecord,
  stripeId: string,
): Promise<void> {
  try {
    await stripe.paymentIntents.update(order.transactionId, {
      description: `Order ${displayOrderNumber(order.number)}: ${displayNameOf(order)} package, one month`,
      metadata: { site: env.SITE_URL, subscription: stripeId, invoice: order.invoiceId },
    });
  } catch (error) {
    log('subscription.not-labeled', { order: order._id, ...describeError(error) });
  }
}

/** Records a paid invoice: settles the first order, or creates the order for a later month. */
export async function recordInvoice(
  context: PaymentContext,
  row: SubscriptionRecord,
  invoice: Stripe.Invoice,
) {
  const { db, log, stripe } = context;
  const intentId = payingIntent(invoice);
  const intent = intentId === undefined ? undefined : await findIntent(stripe, intentId);
  if (intent?.status !== 'succeeded') {
    log('subscription.unpaid-invoice', { subscription: row._id, invoice: invoice.id });
    return;
  }
  if (intent.metadata['orderId'] !== undefined) return settlePayment(context, intent);
  const { made } = await retryOnConflict(async () => {
    const [known] = await db.select({ _id: orders._id }).from(orders).where(eq(orders.invoiceId, invoice.id));
    if (known) return { made: undefined };
    const [previous] = await monthsQuery(db, row._id, 1);
    if (!previous) return { made: undefined };
    const order = await writeMonth(context, previous, invoice, intent);
    return order && { made: order };
  });
  if (made) await labelIntent(context, made, row.stripeId ?? '');
}
