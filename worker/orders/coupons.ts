/**
 * Coupons. Orders contain the code and the discount, so the uses of a coupon are counted from the orders
 * themselves. Cancelled orders do not count. The batch that places an order asserts that the coupon still applies.
 */
import { and, desc, eq, isNull, ne, not, or, sql, sum, type SQL } from 'drizzle-orm';
import { normalizeEmail } from '#contract/account-rules.ts';
import type { Account } from '#contract/accounts.ts';
import { couponRefusal, couponState, discountCents, displayDiscount } from '#contract/coupons.ts';
import type { Coupon, CouponPrice, NewCoupon } from '#contract/coupons.calls.ts';
import { newId } from '#contract/ids.ts';
import { parsePriceCents, toPriceText } from '#contract/money.ts';
import { isCustomerDeleted } from '#contract/orders.ts';
import type { PackageName } from '#contract/orders.ts';
import { isMonthly } from '#contract/packages.ts';
import { auditOfRequest } from '../audit/audit.ts';
import { contentTables } from '../db/content-tables.ts';
import { isUniqueViolation, readTogether, writeBatch, type Database } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { dayOf } from '../env.ts';
import type { Caller, RequestDeps } from '../http/app.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import { countAttempt } from '../limits/rate-limits.ts';
import { momentOf } from '../http/clock.ts';
import { coupons, orders, subscriptions, type CouponRecord } from './schema.ts';

export interface CouponUser {
  readonly code: string;
  /** Empty if no account owns the order yet. */
  readonly accountId: string;
  /** Empty while we do not know who is ordering. */
  readonly customerEmail: string;
}

/**
 * The condition that a person placed an order. Later months of a subscription do not count, because Stripe renews them.
 */
const isPlaced = sql<number>`(${orders.subscriptionId} IS NULL OR ${hasRow(subscriptions, eq(subscriptions.firstOrderId, orders._id))})`;

/** The condition that an order uses a coupon. Cancelled orders do not count. */
const isUse = (code: string): SQL | undefined =>
  and(eq(orders.couponCode, code), ne(orders.paymentStatus, 'Cancelled'), isPlaced);

const isUseBy = ({ code, accountId, customerEmail }: CouponUser): SQL | undefined =>
  and(
    isUse(code),
    or(
      eq(orders.customerEmail, normalizeEmail(customerEmail)),
      accountId === '' ? undefined : eq(orders.accountId, accountId),
    ),
  );

const usesOf = (code: string) => sql<number>`(SELECT count(*) FROM ${orders} WHERE ${isUse(code)})`;
const isUsedBy = (user: CouponUser) =>
  isCustomerDeleted(user) ? sql<number>`0` : hasRow(orders, isUseBy(user));

export const couponQuery = (db: Database, user: CouponUser) =>
  db
    .select({ coupon: coupons, uses: usesOf(user.code), isUsedByCustomer: isUsedBy(user) })
    .from(coupons)
    .where(eq(coupons.code, user.code));
export type FoundCoupon = Awaited<ReturnType<typeof couponQuery>>[number];

/** The condition that this customer can still use a coupon. The batch that places an order asserts it. */
export const hasRemainingUses = (user: CouponUser): SQL =>
  hasRow(
    coupons,
    and(
      eq(coupons.code, user.code),
      isNull(coupons.endedAt),
      or(isNull(coupons.mostUses), sql`${usesOf(user.code)} < ${coupons.mostUses}`),
      or(eq(coupons.oncePerCustomer, false), not(isUsedBy(user))),
    ),
  );

/**
 * How much a coupon takes off the price of an order, in cents.
 * @param found the result of `couponQuery`
 * @throws ApiError 422 the coupon does not apply
 */
export function couponDiscountCents(
  found: FoundCoupon | undefined,
  { packageName, priceCents, today }: { packageName: PackageName; priceCents: number; today: string },
): number {
  const terms = found && { ...found.coupon, isEnded: found.coupon.endedAt !== null };
  const { uses = 0, isUsedByCustomer = 0 } = found ?? {};
  const refusal = couponRefusal(terms, {
    packageName,
    today,
    uses,
    isUsedByCustomer: Boolean(isUsedByCustomer),
  });
  if (!found || refusal !== undefined) throw invalid({ couponCode: refusal ?? '' });
  return discountCents(priceCents, found.coupon);
}

/**
 * What a package costs the caller with a coupon.
 * @param account undefined for an anonymous visitor
 * @param triesOf whose attempts are counted: the account's id, or an anonymous visitor's network address
 * @throws ApiError 404 there is no such package, 422 the coupon does not apply, 429 too many attempts
 */
export async function readCouponPrice(
  { db, env, account }: CouponDeps & { readonly account: Account | undefined },
  { couponCode, packageName }: { readonly couponCode: string; readonly packageName: PackageName },
  triesOf: string,
): Promise<CouponPrice> {
  await countAttempt({ db, env }, 'couponCodes', triesOf);
  const packages = contentTables.pricingPackage;
  const user = { code: couponCode, accountId: account?.id ?? '', customerEmail: account?.email ?? '' };
  const [[bought], [found]] = await readTogether(db, [
    db.select().from(packages).where(eq(packages.packageName, packageName)),
    couponQuery(db, user),
  ]);
  const priceCents = bought && parsePriceCents(bought.packagePrice);
  if (!bought || priceCents === undefined) throw notFound('This package no longer exists.');
  const today = dayOf(env, Date.now());
  const discount = couponDiscountCents(found, { packageName, priceCents, today });
  return {
    code: couponCode,
    listPrice: toPriceText(priceCents),
    discount: toPriceText(discount),
    price: toPriceText(priceCents - discount),
    months: isMonthly(bought) && found ? found.coupon.months : null,
  };
}

const usesByCode = (db: Database) => {
  const isPaid = sql`(${orders.paymentStatus} IN ('Paid', 'Refunded'))`;
  return db
    .select({
      code: orders.couponCode,
      uses: sum(isPlaced).mapWith(Number),
      discountCents: sum(sql`${orders.discountCents} * ${isPaid}`).mapWith(Number),
      soldCents: sum(sql`${orders.priceCents} * ${isPaid}`).mapWith(Number),
    })
    .from(orders)
    .where(and(ne(orders.couponCode, ''), ne(orders.paymentStatus, 'Cancelled')))
    .groupBy(orders.couponCode);
};

function describeCoupon(
  { createdAt, endedAt, ...coupon }: CouponRecord,
  today: string,
  { uses, discountCents, soldCents } = { uses: 0, discountCents: 0, soldCents: 0 },
): Coupon {
  return {
    ...coupon,
    state: couponState({ ...coupon, isEnded: endedAt !== null }, { today, uses }),
    createdAt: new Date(createdAt).toISOString(),
    endedAt: momentOf(endedAt),
    uses,
    discountCents,
    soldCents,
  };
}

type CouponDeps = Pick<Caller, 'db' | 'env'>;

type CouponManager = RequestDeps & { readonly account: Account };

const settingBy = ({ id }: Account) => ({ action: 'setting', accountId: id }) as const;

/** All coupons, newest first. */
export async function listCoupons({ db, env }: CouponDeps): Promise<Coupon[]> {
  const [all, used] = await readTogether(db, [
    db.select().from(coupons).orderBy(desc(coupons._id)),
    usesByCode(db),
  ]);
  const today = dayOf(env, Date.now());
  return all.map((coupon) =>
    describeCoupon(
      coupon,
      today,
      used.find(({ code }) => code === coupon.code),
    ),
  );
}

/** @throws ApiError 409 there is a coupon with this code, 422 its last day has passed */
export async function addCoupon(
  deps: CouponManager,
  { code, percentOff, amountOff, packages, lastDay, mostUses, oncePerCustomer, months }: NewCoupon,
): Promise<Coupon> {
  const { db, env } = deps;
  const createdAt = Date.now();
  const today = dayOf(env, createdAt);
  if (lastDay !== undefined && lastDay < today)
    throw invalid({ lastDay: 'This day has passed. Choose today or a later day.' });
  const record: CouponRecord = {
    _id: newId(createdAt),
    code,
    percentOff: percentOff ?? null,
    amountOffCents: amountOff === undefined ? null : (parsePriceCents(amountOff) ?? null),
    packages: [...new Set(packages)],
    lastDay: lastDay ?? '',
    mostUses: mostUses ?? null,
    oncePerCustomer,
    months,
    createdAt,
    endedAt: null,
  };
  const details = `Added the coupon ${code}, ${displayDiscount(record)}`;
  try {
    await writeBatch(db, [
      db.insert(coupons).values(record),
      auditOfRequest(deps, { ...settingBy(deps.account), recordId: record._id, details }),
    ]);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const sentence = `There is already a coupon with the code ${code}. Choose another code.`;
    throw conflict(sentence, { errors: { code: sentence } });
  }
  return describeCoupon(record, today);
}

/** @throws ApiError 404 */
export async function endCoupon(deps: CouponManager, id: string): Promise<Coupon> {
  const { db, account } = deps;
  const isOpen = and(eq(coupons._id, id), isNull(coupons.endedAt));
  const code = sql`(SELECT ${coupons.code} FROM ${coupons} WHERE ${eq(coupons._id, id)})`;
  const details = sql<string>`'Ended the coupon ' || ${code}`;
  await writeBatch(db, [
    auditOfRequest(deps, { ...settingBy(account), recordId: id, details }, hasRow(coupons, isOpen)),
    db.update(coupons).set({ endedAt: Date.now() }).where(isOpen),
  ]);
  const ended = (await listCoupons(deps)).find(({ _id }) => _id === id);
  if (!ended) throw notFound('We could not find this coupon.');
  return ended;
}
