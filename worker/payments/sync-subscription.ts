/**
 * Brings a subscription up to date with Stripe Billing, which decides when a payment is due. Every event about a
 * subscription, its invoices or its customer calls this, and so does reconciliation. Each time, we read the
 * complete state: the subscription and its paid invoices. Events may therefore arrive in any order, repeatedly,
 * late, or not at all.
 */
import { and, eq, inArray, lte, ne } from 'drizzle-orm';
import type Stripe from 'stripe';
import { assert } from '../db/assert.ts';
import { writeUnlessConflict } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { dayMs } from '../http/clock.ts';
import { describeError } from '../http/log.ts';
import { retryOnConflict } from '../orders/changes.ts';
import { orders, subscriptions, type OrderRecord, type SubscriptionRecord } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { describeCard } from './paid-with.ts';
import { recordInvoice } from './renewals.ts';
import { monthlyPrice } from './start-subscription.ts';
import {
  expanded,
  idOf,
  isFromThisSite,
  maxListed,
  msOf,
  orUndefinedIf404,
  orUndefinedIfRefused,
} from './stripe.ts';
import { changeMails } from './subscription-mails.ts';
import { monthsQuery } from './subscriptions.ts';

/** The paid invoices of a subscription, and those of them without a paid order, oldest first. */
async function paidInvoices({ db, stripe }: PaymentContext, subscription: string) {
  const invoices = await stripe.invoices
    .list({ subscription, status: 'paid', limit: 100, expand: ['data.payments'] })
    .autoPagingToArray({ limit: maxListed });
  const paid = invoices.filter(({ amount_paid }) => amount_paid > 0);
  const ids = paid.map(({ id }) => id);
  const known = await db
    .select({ id: orders.invoiceId })
    .from(orders)
    .where(and(inArray(orders.invoiceId, ids), ne(orders.paymentStatus, 'UnPaid')));
  const recorded = new Set(known.map(({ id }) => id));
  return { paid, missing: paid.filter(({ id }) => !recorded.has(id)).reverse() };
}

const findSubscription = (stripe: Stripe, id: string) =>
  orUndefinedIf404(
    stripe.subscriptions.retrieve(id, {
      expand: ['customer', 'default_payment_method', 'discounts', 'latest_invoice'],
    }),
  );

const itemOf = ({ items }: Stripe.Subscription) => items.data[0];

/** The card that the customer chose in Stripe's portal. The portal makes it the customer's default. */
function portalCardOf(found: Stripe.Subscription): string | undefined {
  const customer = expanded(found.customer);
  if (!customer || customer.deleted) return undefined;
  return idOf(customer.invoice_settings.default_payment_method);
}

/**
 * The customer's new card from the portal, if the subscription has not taken it yet. Renewals charge the subscription's
 * card. We take a choice once: when the customer later pays an open invoice with another card, Stripe makes that one the
 * subscription's (https://docs.stripe.com/api/subscriptions/object, `save_default_payment_method`), and it stays.
 */
function cardToTake(row: SubscriptionRecord, found: Stripe.Subscription): string | undefined {
  const chosen = portalCardOf(found);
  const isNew = chosen !== row.portalCard && chosen !== idOf(found.default_payment_method);
  return isNew ? chosen : undefined;
}

/** The change to the announced price, if the next renewal is the first that may use it. */
function priceToTake(
  row: SubscriptionRecord,
  found: Stripe.Subscription,
): Stripe.SubscriptionUpdateParams | undefined {
  const item = itemOf(found);
  if (!item || row.newPriceCents === null || row.newPriceFrom === null) return undefined;
  const isDue = item.current_period_end * 1_000 >= row.newPriceFrom;
  if (!isDue || item.price.unit_amount === row.newPriceCents) return undefined;
  const price_data = monthlyPrice(idOf(item.price.product) ?? '', row.newPriceCents);
  return { items: [{ id: item.id, price_data }], proration_behavior: 'none' };
}

/**
 * Makes Stripe use the customer's new card, with which it then retries an open invoice, and a price whose notice period
 * is over.
 * @returns whether something changed at Stripe
 */
async function applyChanges(
  { log, stripe }: PaymentContext,
  row: SubscriptionRecord,
  found: Stripe.Subscription,
): Promise<boolean> {
  if (found.ended_at !== null || found.status === 'incomplete') return false;
  const card = cardToTake(row, found);
  const price = priceToTake(row, found);
  if (card === undefined && !price) return false;
  await stripe.subscriptions.update(found.id, {
    ...(card !== undefined && { default_payment_method: card }),
    ...price,
  });
  const invoice = expanded(found.latest_invoice);
  if (card !== undefined && invoice?.status === 'open')
    await stripe.invoices.pay(invoice.id).catch((error: unknown) => {
      log('subscription.card-declined', { subscription: row._id, ...describeError(error) });
    });
  return true;
}

/**
 * Makes the newest month the one that is due, while a subscription is unpaid. Stripe then creates the invoice of each new
 * month as a draft that nothing charges, and only paying the newest invoice makes the subscription active again. No work
 * was done for the months before, so they are not charged.
 * https://docs.stripe.com/billing/subscriptions/overview#unpaid-subscriptions
 * @returns whether something may have changed at Stripe
 */
async function moveToNewestMonth(
  { log, stripe }: PaymentContext,
  row: SubscriptionRecord,
  found: Stripe.Subscription,
): Promise<boolean> {
  const newest = expanded(found.latest_invoice);
  const isDraft = newest?.status === 'draft';
  if (found.status !== 'unpaid' || !newest || !(isDraft || newest.status === 'open')) return false;
  if (isDraft)
    await orUndefinedIfRefused(stripe.invoices.finalizeInvoice(newest.id, { auto_advance: false }));
  const { data: open } = await stripe.invoices.list({ subscription: found.id, status: 'open', limit: 100 });
  const older = open.filter(({ id }) => id !== newest.id);
  for (const { id } of older)
    if (await orUndefinedIfRefused(stripe.invoices.voidInvoice(id)))
      log('subscription.month-voided', { subscription: row._id, invoice: id });
  return isDraft || older.length > 0;
}

/** The monthly price, the announced one unless the subscription has it now, and the coupon, as columns of the row. */
function toPriceColumns(row: SubscriptionRecord, found: Stripe.Subscription) {
  const priceCents = itemOf(found)?.price.unit_amount ?? row.priceCents;
  const [discount] = found.discounts;
  return {
    priceCents,
    ...((row.newPriceCents === null || row.newPriceCents === priceCents) && {
      newPriceCents: null,
      newPriceFrom: null,
    }),
    discountCents: discount === undefined ? 0 : row.discountCents,
    discountUntil: msOf(expanded(discount)?.end),
  };
}

/** The open invoice of a renewal, as columns of the row. */
function toDueColumns(row: SubscriptionRecord, found: Stripe.Subscription, now: number) {
  const latest = expanded(found.latest_invoice);
  const open = latest?.status === 'open' && row.startedAt !== null ? latest : undefined;
  const failures = open?.attempt_count ?? 0;
  // Nothing tries to charge a month that becomes due during the hold.
  const failsFirst = row.failedAt === null && found.status === 'unpaid';
  return {
    dueCents: open?.amount_remaining ?? 0,
    failures,
    ...((failures > row.failures || failsFirst) && { failedAt: now }),
    nextTryAt: msOf(open?.next_payment_attempt),
    invoiceUrl: open?.hosted_invoice_url ?? '',
  };
}

/** What Stripe says about a subscription, as columns of its row. @param hasPaid whether any invoice was paid */
function toColumns(row: SubscriptionRecord, found: Stripe.Subscription, hasPaid: boolean, now: number) {
  const card = expanded(found.default_payment_method)?.card;
  const startedAt = row.startedAt ?? (hasPaid ? msOf(found.start_date) : null);
  // A subscription without a first payment ends with its order. Another subscription at Stripe can still pay that
  // order.
  const endedAt = startedAt === null ? row.endedAt : msOf(found.ended_at);
  const periodEnd = msOf(itemOf(found)?.current_period_end);
  return {
    status: found.status,
    ...toPriceColumns(row, found),
    ...toDueColumns(row, found, now),
    periodEnd,
    isEnding: found.cancel_at_period_end,
    resumesAt: msOf(found.pause_collection?.resumes_at),
    card: card ? describeCard(card) : row.card,
    portalCard: portalCardOf(found) ?? row.portalCard,
    startedAt,
    endedAt,
    checkAt: endedAt === null ? (periodEnd ?? now) + dayMs : null,
    syncedAt: now,
  } satisfies Partial<SubscriptionRecord>;
}

/**
 * Changes a subscription that was read as `row`, and queues the email about the change.
 * @param newest its newest order, which names the customer
 * @returns undefined if another change came first
 */
export async function writeSubscription(
  context: PaymentContext,
  row: SubscriptionRecord,
  columns: Partial<SubscriptionRecord>,
  newest: OrderRecord | undefined,
): Promise<true | undefined> {
  const { db } = context;
  const unchanged = and(eq(subscriptions._id, row._id), eq(subscriptions.version, row.version));
  const isWritten = await writeUnlessConflict(db, [
    assert(db, hasRow(subscriptions, unchanged)),
    db
      .update(subscriptions)
      .set({ ...columns, version: row.version + 1 })
      .where(unchanged),
    ...(newest ? changeMails(context, newest, row, { ...row, ...columns }) : []),
  ]);
  return isWritten || undefined;
}

/**
 * Brings a subscription up to date with Stripe, and creates the orders for paid months.
 * @param stripeId Stripe's id of the subscription
 * @param reportedAt when Stripe reported a change, in ms, if an earlier response may contain it already
 * @throws StripeError Stripe does not answer
 */
export async function syncSubscription(
  context: PaymentContext,
  stripeId: string,
  reportedAt = Infinity,
): Promise<void> {
  const { db, env, log, stripe, beforeStep } = context;
  await retryOnConflict(async () => {
    const now = Date.now();
    // Read before we ask Stripe, so that an old response never replaces a newer one.
    const [row] = await db.select().from(subscriptions).where(eq(subscriptions.stripeId, stripeId));
    if (row && reportedAt <= row.syncedAt) return true;
    const found = await findSubscription(stripe, stripeId);
    if (!row || !found) {
      const isOurs = found !== undefined && isFromThisSite(env, found);
      if (!isOurs || found.status !== 'incomplete') log('subscription.unknown', { subscription: stripeId });
      if (row)
        await db
          .update(subscriptions)
          .set({ checkAt: now + dayMs })
          .where(eq(subscriptions._id, row._id));
      return true;
    }
    // Paid months are recorded first, even if Stripe refuses a change.
    const { paid, missing } = await paidInvoices(context, stripeId);
    for (const invoice of missing) await recordInvoice(context, row, invoice);
    if (await moveToNewestMonth(context, row, found)) return undefined;
    if (await applyChanges(context, row, found)) return undefined;
    const [newest] = await monthsQuery(db, row._id, 1);
    await beforeStep('record subscription');
    return writeSubscription(context, row, toColumns(row, found, paid.length > 0, now), newest);
  });
}

/** Brings the subscription of an invoice up to date. @throws StripeError Stripe does not answer */
export async function syncInvoice(
  context: PaymentContext,
  invoiceId: string,
  reportedAt?: number,
): Promise<void> {
  const { log, stripe } = context;
  const invoice = await orUndefinedIf404(stripe.invoices.retrieve(invoiceId));
  const subscription = idOf(invoice?.parent?.subscription_details?.subscription);
  if (subscription === undefined) log('subscription.unknown', { invoice: invoiceId });
  else await syncSubscription(context, subscription, reportedAt);
}

/** Brings the subscriptions of a customer, whose card may have changed, up to date. */
export async function syncCustomer(
  context: PaymentContext,
  customerId: string,
  reportedAt?: number,
): Promise<void> {
  const theirs = await context.db
    .select({ stripeId: subscriptions.stripeId })
    .from(subscriptions)
    .where(eq(subscriptions.customerId, customerId));
  for (const { stripeId } of theirs)
    if (stripeId !== null) await syncSubscription(context, stripeId, reportedAt);
}

/** The maximum number of subscriptions that one run brings up to date. */
const runLength = 50;

/** Brings due subscriptions up to date, in case an event was lost. A subscription that fails stays due. */
export async function reconcileSubscriptions(context: PaymentContext): Promise<void> {
  const due = await context.db
    .select({ stripeId: subscriptions.stripeId })
    .from(subscriptions)
    .where(lte(subscriptions.checkAt, Date.now()))
    .orderBy(subscriptions.checkAt)
    .limit(runLength);
  for (const { stripeId } of due)
    if (stripeId !== null)
      await syncSubscription(context, stripeId).catch((error: unknown) =>
        context.log('subscription.not-reconciled', { subscription: stripeId, ...describeError(error) }),
      );
}
