/** Reads subscriptions: one, a list, or the monthly recurring revenue. Computes what happens next, and when. */
import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  isNotNull,
  isNull,
  sql,
  sum,
  type SQL,
} from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Account } from '#contract/accounts.ts';
import { displayDate } from '#contract/days.ts';
import { displayPrice, toPriceText } from '#contract/money.ts';
import { displayNameOf } from '#contract/packages.ts';
import type { PageQuery } from '#contract/schemas.ts';
import type { Subscription, SubscriptionTotals } from '#contract/subscriptions.calls.ts';
import type { SubscriptionState } from '#contract/subscriptions.ts';
import { maxPausedMonths, renewalAfter } from '#contract/subscriptions.ts';
import { monthIn } from '#contract/zoned-time.ts';
import { readTogether, type Database } from '../db/client.ts';
import type { Page } from '../db/paging.ts';
import { dayOf, type Env } from '../env.ts';
import { notFound } from '../http/errors.ts';
import { canSeeWholeOrder } from '../orders/read.ts';
import { orders, subscriptions, type OrderRecord, type SubscriptionRecord } from '../orders/schema.ts';

export interface Subscribed {
  readonly row: SubscriptionRecord;
  readonly newest: OrderRecord;
}

export function stateOf(row: SubscriptionRecord): SubscriptionState {
  if (row.endedAt !== null) return 'ended';
  if (row.startedAt === null) return 'new';
  if (row.failures > 0 || row.status === 'unpaid') return row.nextTryAt === null ? 'onHold' : 'failed';
  if (row.isEnding) return 'ending';
  return row.resumesAt === null ? 'active' : 'paused';
}

/**
 * The next renewal that is charged, in ms; null if there is none. During a pause it is the first renewal after the
 * pause.
 */
export function nextPaymentAt(row: SubscriptionRecord): number | null {
  const { periodEnd, resumesAt, startedAt, isEnding, endedAt } = row;
  if (periodEnd === null || startedAt === null || isEnding || endedAt !== null) return null;
  let next = periodEnd;
  while (resumesAt !== null && next < resumesAt) next = renewalAfter(next, 1, startedAt);
  return next;
}

/** What the coupon takes off a renewal, in cents. */
export const discountAt = ({ discountCents, discountUntil }: SubscriptionRecord, at: number): number =>
  discountUntil === null || at < discountUntil ? discountCents : 0;

/** What a renewal costs, in cents. */
function priceAt(row: SubscriptionRecord, at: number): number {
  const { newPriceCents, newPriceFrom, priceCents } = row;
  const isNew = newPriceCents !== null && newPriceFrom !== null && at >= newPriceFrom;
  return (isNew ? newPriceCents : priceCents) - discountAt(row, at);
}

/** A sentence that says when the cost of renewals changes: to an announced price, or when the coupon ends. */
function laterPrice(env: Pick<Env, 'SITE_TIMEZONE'>, row: SubscriptionRecord, next: number): string {
  const changes = [row.newPriceFrom, row.discountUntil].filter(
    (at): at is number => at !== null && at > next && priceAt(row, at) !== priceAt(row, next),
  );
  if (changes.length === 0) return '';
  const first = Math.min(...changes);
  const ends = first === row.discountUntil ? ' Skipped payments do not extend the coupon.' : '';
  return ` Starting ${displayDate(dayOf(env, first))}, the price is ${displayPrice(priceAt(row, first))} per month.${ends}`;
}

/** What happens next to a subscription, and when, in sentences for its owner and for staff. */
export function whatNext(env: Pick<Env, 'SITE_TIMEZONE'>, row: SubscriptionRecord): string {
  const on = (at: number | null) => (at === null ? 'soon' : `on ${displayDate(dayOf(env, at))}`);
  const next = nextPaymentAt(row);
  const price = displayPrice(next === null ? row.priceCents : priceAt(row, next));
  const changes = next === null ? '' : laterPrice(env, row, next);
  const card = row.card === '' ? '' : ` It will be charged to the ${row.card}.`;
  const ends = row.isEnding
    ? ` The subscription ends ${on(row.periodEnd)}, and no further month is charged.`
    : '';
  switch (stateOf(row)) {
    case 'new':
      return 'The subscription begins with the first payment.';
    case 'active':
      return `The next payment of ${price} is due ${on(next)}.${card}${changes}`;
    case 'paused':
      return `The subscription is paused. Nothing is charged, and no new month of work begins, until the next payment of ${price}, which is due ${on(next)}.${changes}`;
    case 'ending':
      return `The subscription ends ${on(row.periodEnd)}. Nothing more is charged.`;
    case 'failed':
      return `The last payment of ${displayPrice(row.dueCents)} failed. We will try the card again ${on(row.nextTryAt)}. The payment can also be made sooner, with this card or another one.${ends}`;
    case 'onHold':
      if (row.dueCents === 0)
        return `The subscription is on hold, so no new month of work begins, but nothing is due.${ends}`;
      return `The last payment of ${displayPrice(row.dueCents)} failed, and we will not try the card again. Work on a new month is on hold until it is paid. A new card will be charged right away.${ends}`;
    case 'ended':
      return `The subscription ended ${on(row.endedAt)}. Nothing more is charged.`;
  }
}

/** When the card is charged next, and how much: a failed payment again, or else the next month. Undefined for never. */
function nextCharge(row: SubscriptionRecord): { readonly at: number; readonly cents: number } | undefined {
  const state = stateOf(row);
  if (state === 'onHold') return undefined;
  if (state === 'failed' && row.nextTryAt !== null) return { at: row.nextTryAt, cents: row.dueCents };
  const at = nextPaymentAt(row);
  return at === null ? undefined : { at, cents: priceAt(row, at) };
}

function pausesOf(env: Env, row: SubscriptionRecord): string[] {
  const { periodEnd, startedAt } = row;
  if (periodEnd === null || startedAt === null || stateOf(row) !== 'active') return [];
  return Array.from({ length: maxPausedMonths }, (_, index) =>
    displayDate(dayOf(env, renewalAfter(periodEnd, index + 1, startedAt))),
  );
}

export function toSubscription(env: Env, { row, newest }: Subscribed): Subscription {
  const dateOf = (at: number | null) => (at === null ? null : displayDate(dayOf(env, at)));
  const next = nextCharge(row);
  return {
    _id: row._id,
    orderId: row.firstOrderId,
    newestOrderId: newest._id,
    displayName: displayNameOf(newest),
    customerName: newest.customerName,
    customerEmail: newest.customerEmail,
    state: stateOf(row),
    price: toPriceText(row.priceCents),
    newPrice: row.newPriceCents === null ? null : toPriceText(row.newPriceCents),
    newPriceOn: dateOf(row.newPriceFrom),
    nextPaymentOn: dateOf(next?.at ?? null),
    nextAmount: next ? toPriceText(next.cents) : null,
    pauses: pausesOf(env, row),
    isEnding: row.isEnding,
    monthEndsOn: dateOf(row.periodEnd),
    card: row.card,
    invoiceUrl: row.invoiceUrl,
    startedOn: dateOf(row.startedAt),
    endedOn: dateOf(row.endedAt),
    whatNext: whatNext(env, row),
  };
}

/** The query for the orders of a subscription, newest first. */
export const monthsQuery = (db: Database, id: string, limit = 120) =>
  db.select().from(orders).where(eq(orders.subscriptionId, id)).orderBy(desc(orders._id)).limit(limit);

export const isNewest = sql`${orders._id} = (SELECT max(o."_id") FROM ${orders} o WHERE o."subscriptionId" = ${subscriptions._id})`;

const subscribedQuery = (db: Database, condition: SQL | undefined) =>
  db
    .select({ row: getTableColumns(subscriptions), newest: getTableColumns(orders) })
    .from(subscriptions)
    .innerJoin(orders, isNewest)
    .where(condition)
    .orderBy(desc(subscriptions._id))
    .$dynamic();

/** @throws ApiError 404 */
export async function findSubscribed(db: Database, id: string, account: Account): Promise<Subscribed> {
  const [found] = await subscribedQuery(db, eq(subscriptions._id, id));
  if (!found || !canSeeWholeOrder(account, found.newest))
    throw notFound('We could not find this subscription.');
  return found;
}

/** A page of subscriptions, newest first. @param accountId only those of this account */
export async function listSubscriptions(
  db: Database,
  { page, pageSize, state }: PageQuery & { readonly state?: 'live' | undefined },
  accountId: string | undefined,
): Promise<Page<Subscribed>> {
  const condition = and(
    accountId === undefined ? undefined : eq(orders.accountId, accountId),
    state === 'live' ? isNull(subscriptions.endedAt) : undefined,
    // A subscription whose first order was cancelled never started.
    sql`(${subscriptions.startedAt} IS NOT NULL OR ${subscriptions.endedAt} IS NULL)`,
  );
  const [[total], rows] = await readTogether(db, [
    db.select({ count: count() }).from(subscriptions).innerJoin(orders, isNewest).where(condition),
    subscribedQuery(db, condition)
      .limit(pageSize)
      .offset((page - 1) * pageSize),
  ]);
  return { total: total?.count ?? 0, rows };
}

/** The condition for subscriptions whose price can be changed: they have started and are not ending. */
export const isPriced = and(
  isNull(subscriptions.endedAt),
  isNotNull(subscriptions.startedAt),
  eq(subscriptions.isEnding, false),
);

/** The condition for subscriptions that will be renewed: in addition, they are not paused. */
export const isRenewing = and(isPriced, isNull(subscriptions.resumesAt));

/** What the next renewal of a row costs at the current price, in cents. */
export const nextCents = sql`${subscriptions.priceCents} - CASE WHEN ${subscriptions.discountUntil} <= ${subscriptions.periodEnd} THEN 0 ELSE ${subscriptions.discountCents} END`;

/**
 * The monthly revenue from subscriptions, and what has changed since the first of this month in the site's time zone.
 */
export async function readSubscriptionTotals(db: Database, env: Env): Promise<SubscriptionTotals> {
  const { from: monthStart } = monthIn(env.SITE_TIMEZONE, dayOf(env, Date.now()).slice(0, 7));
  const countSince = (column: SQLiteColumn) =>
    db
      .select({ count: count() })
      .from(subscriptions)
      .where(and(isNotNull(subscriptions.startedAt), gte(column, monthStart)));
  const [[renewing], [began], [ended], [failed], byPackage] = await readTogether(db, [
    db
      .select({ count: count(), cents: sum(nextCents).mapWith(Number) })
      .from(subscriptions)
      .where(isRenewing),
    countSince(subscriptions.startedAt),
    countSince(subscriptions.endedAt),
    countSince(subscriptions.failedAt),
    db
      .select({
        packageName: subscriptions.packageName,
        displayName: sql<string>`coalesce(nullif(max(${orders.displayName}), ''), ${subscriptions.packageName})`,
        subscriptions: count(),
        monthlyCents: sum(subscriptions.priceCents).mapWith(Number),
      })
      .from(subscriptions)
      .innerJoin(orders, eq(orders._id, subscriptions.firstOrderId))
      .where(isPriced)
      .groupBy(subscriptions.packageName),
  ]);
  return {
    renewing: renewing?.count ?? 0,
    monthlyCents: renewing?.cents ?? 0,
    newThisMonth: began?.count ?? 0,
    lostThisMonth: ended?.count ?? 0,
    failedThisMonth: failed?.count ?? 0,
    byPackage,
  };
}

/**
 * Describes a renewal of a subscription, in sentences for the payment page and for emails; null before Stripe has it, and
 * after the subscription was cancelled.
 * @param at the time of the renewal, in ms; by default, the end of the paid month
 */
export async function readRenewal(
  { db, env }: { readonly db: Database; readonly env: Env },
  id: string,
  at?: number,
): Promise<string | null> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions._id, id));
  const renewsAt = at ?? row?.periodEnd;
  if (!row || !renewsAt || row.isEnding || row.endedAt !== null) return null;
  return `The next payment of ${displayPrice(priceAt(row, renewsAt))} will be charged to the same card on ${displayDate(dayOf(env, renewsAt))}, and then every month.${laterPrice(env, row, renewsAt)}`;
}
