/**
 * Changes a subscription for owners and staff: pause, resume, cancel, keep, change the card or the
 * price. We change it at Stripe first, and then read the result. If a change and a renewal happen at the same
 * time, Stripe decides which was first.
 */
import { and, eq, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { Account } from '#contract/accounts.ts';
import { counted } from '#contract/counted.ts';
import { displayPrice, minPriceCents, parsePriceCents } from '#contract/money.ts';
import type { PackageName } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { priceNoticeDays, renewalAfter } from '#contract/subscriptions.ts';
import { dayMs } from '../http/clock.ts';
import { ApiError, conflict } from '../http/errors.ts';
import { forEachConcurrent } from '../operations/for-each-concurrent.ts';
import { retryOnConflict } from '../orders/changes.ts';
import { subscriptions, type SubscriptionRecord } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { orUndefinedIf404 } from './stripe.ts';
import {
  discountAt,
  findSubscribed,
  isPriced,
  nextPaymentAt,
  stateOf,
  toSubscription,
  type Subscribed,
} from './subscriptions.ts';
import { syncSubscription, writeSubscription } from './sync-subscription.ts';

type Live = Subscribed & {
  readonly stripeId: string;
  readonly startedAt: number;
  readonly periodEnd: number;
};

/** @throws ApiError 404, 409 it has not started, or has ended */
async function findLive({ db }: PaymentContext, id: string, account: Account): Promise<Live> {
  const found = await findSubscribed(db, id, account);
  const { stripeId, startedAt, periodEnd, endedAt } = found.row;
  if (endedAt !== null) throw conflict('This subscription has ended. You can order the package again.');
  if (stripeId === null || startedAt === null || periodEnd === null)
    throw conflict(
      'This subscription begins with its first payment. To end it before that, cancel the order.',
    );
  return { ...found, stripeId, startedAt, periodEnd };
}

const unknownToStripe = () =>
  conflict('Our payment provider cannot find this subscription. Please write to us.');

export interface ChangedSubscription {
  readonly subscription: Subscription;
  /** What was done, for the audit log; undefined if the subscription already had this state. */
  readonly details: string | undefined;
}

/**
 * Changes a subscription at Stripe and reads the result.
 * @param details describes the change, for the audit log
 * @param decide returns the change; undefined if it was already made. It throws if the change is not possible now.
 */
async function change(
  context: PaymentContext,
  id: string,
  account: Account,
  details: string,
  decide: (live: Live) => Stripe.SubscriptionUpdateParams | undefined,
): Promise<ChangedSubscription> {
  const { db, env, stripe } = context;
  const live = await findLive(context, id, account);
  const params = decide(live);
  if (params) {
    const updated = await orUndefinedIf404(stripe.subscriptions.update(live.stripeId, params));
    if (!updated) throw unknownToStripe();
    await syncSubscription(context, live.stripeId);
  }
  const subscription = toSubscription(env, await findSubscribed(db, id, account));
  return { subscription, details: params && details };
}

/** How long before a renewal a pause ends, in ms. The margin makes sure that Stripe charges that renewal. */
const resumeBeforeMs = dayMs;

/** Skips the next payments. @throws ApiError 404, 409 it is not active */
export const pauseSubscription = (context: PaymentContext, id: string, account: Account, months: number) =>
  change(context, id, account, `Paused a subscription for ${counted(months, 'month')}`, (live) => {
    const { row, periodEnd, startedAt } = live;
    const state = stateOf(row);
    if (state === 'paused') throw conflict('This subscription is already paused. Resume it first.');
    if (state !== 'active')
      throw conflict('Only an active subscription can be paused. Pay what is due, or keep the subscription.');
    const resumesAt = renewalAfter(periodEnd, months, startedAt) - resumeBeforeMs;
    return { pause_collection: { behavior: 'void', resumes_at: Math.floor(resumesAt / 1_000) } };
  });

/** Ends a pause. @throws ApiError 404, 409 it has ended */
export const resumeSubscription = (context: PaymentContext, id: string, account: Account) =>
  change(context, id, account, 'Resumed a subscription', ({ row }) =>
    row.resumesAt === null ? undefined : { pause_collection: '' },
  );

/** @throws ApiError 404, 409 it has ended */
export const cancelAtPeriodEnd = (context: PaymentContext, id: string, account: Account) =>
  change(context, id, account, 'Cancelled a subscription', ({ row }) =>
    row.isEnding ? undefined : { cancel_at_period_end: true },
  );

/** Withdraws a cancellation. @throws ApiError 404, 409 it has ended */
export const undoCancellation = (context: PaymentContext, id: string, account: Account) =>
  change(context, id, account, 'Undid the cancellation of a subscription', ({ row }) =>
    row.isEnding ? { cancel_at_period_end: false } : undefined,
  );

/**
 * Opens Stripe's page for changing the card. Only the owner may open it, because it shows their card.
 * @throws ApiError 404, 409 it has ended
 */
export async function openPortal(context: PaymentContext, id: string, account: Account): Promise<string> {
  const { env, stripe } = context;
  const { row, newest } = await findLive(context, id, account);
  if (newest.accountId !== account.id) throw conflict('Only the customer can change the card.');
  const session = await orUndefinedIf404(
    stripe.billingPortal.sessions.create({
      customer: row.customerId,
      flow_data: { type: 'payment_method_update' },
      return_url: env.SITE_URL + linkTo('subscription', id),
    }),
  );
  if (!session) throw unknownToStripe();
  return session.url;
}

/** The first renewal that leaves enough time to notify the customer, in ms. */
function renewalAfterNotice(row: SubscriptionRecord, startedAt: number, now: number): number {
  let renewal = nextPaymentAt(row) ?? now;
  while (renewal < now + priceNoticeDays * dayMs) renewal = renewalAfter(renewal, 1, startedAt);
  return renewal;
}

/**
 * Announces a price to the customer. We send it to Stripe after the last renewal at the old price (`syncSubscription`).
 * Setting the current price withdraws an announced one.
 * @throws ApiError 404, 409 it has ended, or is ending
 */
export async function changePrice(
  context: PaymentContext,
  id: string,
  account: Account,
  price: string,
): Promise<ChangedSubscription> {
  const { db, env } = context;
  const { stripeId, details } = await announcePrice(context, id, account, price);
  await syncSubscription(context, stripeId);
  return { subscription: toSubscription(env, await findSubscribed(db, id, account)), details };
}

/**
 * Writes an announced price and emails the customer. Reconciliation sends it to Stripe, unless another call does so
 * first.
 */
async function announcePrice(
  context: PaymentContext,
  id: string,
  account: Account,
  price: string,
): Promise<Pick<ChangedSubscription, 'details'> & Pick<Live, 'stripeId'>> {
  const cents = parsePriceCents(price) ?? 0;
  return retryOnConflict(async () => {
    const { row, newest, stripeId, startedAt } = await findLive(context, id, account);
    if (row.isEnding) throw conflict('This subscription is ending, so its price can no longer change.');
    const from = renewalAfterNotice(row, startedAt, Date.now());
    const discountCents = discountAt(row, from);
    if (cents - discountCents < minPriceCents)
      throw conflict(
        `The coupon takes ${displayPrice(discountCents)} off, so at least ${displayPrice(discountCents + minPriceCents)} is needed.`,
      );
    const isCurrent = cents === row.priceCents;
    if (cents === (row.newPriceCents ?? row.priceCents)) return { stripeId, details: undefined };
    const columns = isCurrent
      ? { newPriceCents: null, newPriceFrom: null }
      : { newPriceCents: cents, newPriceFrom: from };
    const details = `${isCurrent ? 'Kept' : 'Announced'} the price of ${displayPrice(cents)} per month`;
    const written = await writeSubscription(context, row, { ...columns, checkAt: Date.now() }, newest);
    return written && { stripeId, details };
  });
}

/**
 * Announces a price to all subscriptions to a package that have started and are not ending. A repeat does not notify
 * customers who already know the price.
 * @returns how many customers were notified, and how many subscriptions could not change because their coupon
 *   is worth more than the price
 */
export async function changePrices(
  context: PaymentContext,
  account: Account,
  { packageName, price }: { readonly packageName: PackageName; readonly price: string },
): Promise<{ readonly changed: number; readonly left: number }> {
  const cents = parsePriceCents(price) ?? 0;
  const wanted = await context.db
    .select({ _id: subscriptions._id })
    .from(subscriptions)
    .where(
      and(
        isPriced,
        eq(subscriptions.packageName, packageName),
        sql`coalesce(${subscriptions.newPriceCents}, ${subscriptions.priceCents}) <> ${cents}`,
      ),
    );
  let [changed, left] = [0, 0];
  await forEachConcurrent(wanted, async ({ _id }) => {
    try {
      if ((await announcePrice(context, _id, account, price)).details !== undefined) changed += 1;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      left += 1;
    }
  });
  return { changed, left };
}
