/**
 * Starts a subscription at Stripe. Its first invoice has a PaymentIntent, which the customer pays on the order's
 * payment page like any other. Until then the subscription is incomplete, and Stripe drops it after 23 hours.
 * https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses
 */
import { and, eq, isNull, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { displayOrderNumber } from '#contract/orders.ts';
import { displayNameOf } from '#contract/packages.ts';
import type { Database, Statement } from '../db/client.ts';
import { coupons, subscriptions, type OrderRecord } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { expanded, idOf, isRefusal, labelOf, msOf } from './stripe.ts';

/** Creates the product for a package at Stripe if it does not exist yet. */
async function ensureProduct({ env, stripe }: PaymentContext, order: OrderRecord): Promise<string> {
  const id = `${new URL(env.SITE_URL).host}-${order.packageName}`;
  try {
    await stripe.products.create({ id, name: `${displayNameOf(order)} package` });
  } catch (error) {
    if (!isRefusal(error, 'resource_already_exists')) throw error;
  }
  return id;
}

export const monthlyPrice = (product: string, priceCents: number) => ({
  currency: 'usd',
  product,
  recurring: { interval: 'month' as const },
  unit_amount: priceCents,
});

/** The invoice of an expanded subscription, and the intent that pays it. */
function firstPaymentOf({ latest_invoice }: Stripe.Subscription) {
  const invoice = expanded(latest_invoice);
  const intent = idOf(invoice?.payments?.data[0]?.payment.payment_intent);
  if (!invoice || intent === undefined) throw new Error('The subscription has no first payment.');
  return { invoice: invoice.id, intent };
}

/**
 * Creates the coupon for one order at Stripe. Its amount is the order's discount, so both sides count the same cents.
 * @returns its id; undefined for an order without a coupon
 */
async function makeCoupon(
  { db, stripe }: PaymentContext,
  { couponCode, discountCents }: OrderRecord,
  idempotencyKey: string,
): Promise<string | undefined> {
  if (discountCents === 0) return undefined;
  const [known] = await db
    .select({ months: coupons.months })
    .from(coupons)
    .where(eq(coupons.code, couponCode));
  const months = known?.months ?? null;
  const { id } = await stripe.coupons.create(
    {
      amount_off: discountCents,
      currency: 'usd',
      name: couponCode,
      ...(months === null && { duration: 'forever' }),
      ...(months === 1 && { duration: 'once' }),
      ...(months !== null && months > 1 && { duration: 'repeating', duration_in_months: months }),
    },
    { idempotencyKey: `${idempotencyKey}-coupon` },
  );
  return id;
}

/**
 * Creates a customer and an incomplete subscription. The customer at Stripe has neither name nor email: the order's id is
 * enough to find them here.
 * @returns the intent of the first payment, whose metadata names the order, the subscription, its invoice, and when the
 *   month and a coupon of several months end, in Unix seconds
 */
export async function createStripeSubscription(
  context: PaymentContext,
  order: OrderRecord,
  receipt: { readonly receipt_email?: string },
  idempotencyKey: string,
): Promise<Stripe.PaymentIntent> {
  const { env, stripe } = context;
  const description = `Order ${displayOrderNumber(order.number)}: ${displayNameOf(order)} package, every month`;
  const metadata = labelOf(env, order._id);
  const product = await ensureProduct(context, order);
  const customer = await stripe.customers.create(
    { description, metadata },
    { idempotencyKey: `${idempotencyKey}-customer` },
  );
  const coupon = await makeCoupon(context, order, idempotencyKey);
  const made = await stripe.subscriptions.create(
    {
      customer: customer.id,
      description,
      items: [{ price_data: monthlyPrice(product, order.priceCents + order.discountCents) }],
      ...(coupon !== undefined && { discounts: [{ coupon }] }),
      metadata: { ...metadata, subscriptionId: order.subscriptionId },
      payment_behavior: 'default_incomplete',
      payment_settings: {
        payment_method_types: ['card', 'link'],
        save_default_payment_method: 'on_subscription',
      },
      expand: ['discounts', 'latest_invoice.payments'],
    },
    { idempotencyKey },
  );
  const { invoice, intent } = firstPaymentOf(made);
  const discountUntil = expanded(made.discounts[0])?.end;
  const [month] = made.items.data;
  return stripe.paymentIntents.update(intent, {
    description,
    ...receipt,
    metadata: {
      ...metadata,
      subscription: made.id,
      invoice,
      periodStart: String(month?.current_period_start ?? ''),
      periodEnd: String(month?.current_period_end ?? ''),
      ...(discountUntil && { discountUntil: String(discountUntil) }),
    },
  });
}

/** The invoice that an intent pays, and its month, as a change of its order; nothing for an order that is paid once. */
export const invoiceOf = ({
  metadata: { invoice, periodStart, periodEnd },
}: Stripe.PaymentIntent): Partial<Pick<OrderRecord, 'invoiceId' | 'periodStart' | 'periodEnd'>> =>
  invoice === undefined
    ? {}
    : { invoiceId: invoice, periodStart: msOf(Number(periodStart)), periodEnd: msOf(Number(periodEnd)) };

/** When the month that an intent pays ends and the next one is due, in ms; null for an order that is paid once. */
export const renewalOf = ({ metadata }: Stripe.PaymentIntent): number | null =>
  msOf(Number(metadata['periodEnd'] ?? 0));

/** The statements that record which subscription at Stripe an intent starts; none for an order that is paid once. */
export const linkStripeSubscription = (
  db: Database,
  order: OrderRecord,
  intent: Stripe.PaymentIntent,
): Statement[] =>
  intent.metadata['subscription'] === undefined
    ? []
    : [
        db
          .update(subscriptions)
          .set({
            stripeId: intent.metadata['subscription'],
            customerId: idOf(intent.customer) ?? '',
            status: 'incomplete',
            periodEnd: renewalOf(intent),
            discountUntil: msOf(Number(intent.metadata['discountUntil'] ?? 0)),
          })
          .where(and(eq(subscriptions.firstOrderId, order._id), isNull(subscriptions.startedAt))),
      ];

/**
 * The statement for the batch of the first payment. It changes nothing for an order that is paid once, because no
 * subscription has it as its first order.
 * @param at time in ms
 */
export const activateSubscription = (
  db: Database,
  { _id }: Pick<OrderRecord, '_id'>,
  at: number,
): Statement =>
  db
    .update(subscriptions)
    .set({
      status: 'active',
      startedAt: sql`coalesce(${subscriptions.startedAt}, ${at})`,
      // Stripe has the rest of the data. Reconciliation asks for it unless an event arrives first.
      checkAt: at,
    })
    .where(and(eq(subscriptions.firstOrderId, _id), isNull(subscriptions.endedAt)));
