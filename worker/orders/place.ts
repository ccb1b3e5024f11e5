/**
 * Places orders. The server trusts nothing that it can determine itself: the email must be the caller's, the price must
 * be the package's current price, and this module sets the statuses and the date. An order stores what was bought at
 * that time.
 */
import { isDeepStrictEqual } from 'node:util';
import { and, eq, isNotNull, not, sql, type SQL } from 'drizzle-orm';
import { normalizeEmail } from '#contract/account-rules.ts';
import { newId } from '#contract/ids.ts';
import { displayPackagePrice, isMonthly, pointsOf } from '#contract/packages.ts';
import { displayPrice, minPriceCents, parsePriceCents, toPriceText } from '#contract/money.ts';
import type { NewOrder, OrderForCustomer } from '#contract/orders.calls.ts';
import type { PackageName, PriceChanged } from '#contract/orders.ts';
import { sourceName } from '#contract/source.ts';
import { accountExists } from '../accounts/owner.ts';
import { accounts } from '../accounts/schema.ts';
import { findAccount } from '../accounts/find-account.ts';
import { contentTables } from '../db/content-tables.ts';
import { auditOfRequest } from '../audit/audit.ts';
import { readTogether, type Database, type Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { dayOf } from '../env.ts';
import type { Caller, RequestDeps } from '../http/app.ts';
import { conflict, invalid, idempotencyKeyReused, notFound } from '../http/errors.ts';
import type { MailContent } from '../mail/layout.ts';
import { isKeyUnused, recordKey } from '../limits/idempotency-keys.ts';
import { countAttempt } from '../limits/rate-limits.ts';
import {
  couponDiscountCents,
  couponQuery,
  hasRemainingUses,
  type CouponUser,
  type FoundCoupon,
} from './coupons.ts';
import { insertOrder, retryOnConflict, type Actor } from './changes.ts';
import { orderLimits } from './limits.ts';
import { addNote } from '../notes/notes.ts';
import { columnsWithName } from '../db/firm-name.ts';
import { orderPlacedForCustomerMail, orderPlacedMail } from './mails.ts';
import { notifyCustomer } from './notify.ts';
import { customerTextsOf, orders, type NewOrderRecord, type OrderRecord } from './schema.ts';
import { insertSubscription, liveSubscriptionQuery, subscribedAlready } from './subscriptions.ts';

const packages = contentTables.pricingPackage;

/**
 * Reads the package, the coupon, the owner's order with the same idempotency key, whether the key was used for
 * someone else's order, the orders that use up the caller's limits, and the owner's subscription to the package.
 */
async function findBought(
  db: Database,
  packageName: PackageName,
  coupon: CouponUser,
  idempotencyKey: string | undefined,
  limitingOrdersQuery: ReturnType<typeof orderLimits>['limitingOrdersQuery'],
) {
  const ofKey = idempotencyKey === undefined ? sql`false` : eq(orders.idempotencyKey, idempotencyKey);
  const [[bought], [found], [key], [repeated], [usedUp], [subscribed]] = await readTogether(db, [
    db.select(columnsWithName('pricingPackage')).from(packages).where(eq(packages.packageName, packageName)),
    couponQuery(db, coupon),
    db.select({ isUsed: sql<number>`NOT ${isKeyUnused(idempotencyKey ?? '')}` }).from(sql`(SELECT 1)`),
    db
      .select()
      .from(orders)
      .where(and(eq(orders.accountId, coupon.accountId), ofKey)),
    limitingOrdersQuery,
    liveSubscriptionQuery(db, { ...coupon, packageName }),
  ]);
  return { bought, found, repeated, subscribed, isKeyUsed: Boolean(key?.isUsed), usedUp };
}

/** The input from a customer, or from staff who place the order for a customer. */
type PlacedInput = NewOrder & Pick<Partial<OrderForCustomer>, 'customerPhone' | 'amountOff'>;

/** The staff's discount, in cents. */
const amountOffCents = ({ amountOff = '' }: PlacedInput): number => parsePriceCents(amountOff) ?? 0;

const isSameOrder = (order: OrderRecord, input: PlacedInput): boolean =>
  normalizeEmail(order.customerEmail) === normalizeEmail(input.customerEmail) &&
  order.packageName === input.packageName &&
  order.priceCents + order.discountCents === parsePriceCents(input.packagePrice) &&
  order.couponCode === (input.couponCode ?? '') &&
  (order.couponCode !== '' || order.discountCents === amountOffCents(input)) &&
  isDeepStrictEqual(customerTextsOf(order), customerTextsOf(input));

/** Who owns a new order, who places it, and which email the customer gets. */
interface Placement {
  /** Empty if no account owns the order yet. */
  readonly accountId: string;
  readonly customerEmail: string;
  readonly by: Actor;
  readonly writeMail: (siteUrl: string, order: NewOrderRecord) => MailContent;
  readonly isLimited: boolean;
  /** A condition that must hold during the write. If it does not, everything is read and decided again. */
  readonly onlyIf?: SQL | undefined;
  readonly alsoWrite?: (order: NewOrderRecord) => readonly Statement[];
}

/**
 * Places an order for the caller. A repeated idempotency key returns the existing order.
 * @throws ApiError 409 with `currentPrice` if the price has changed, 422 if the email is not the caller's, the coupon
 *   does not apply or another order used the key, 429 after too many orders or coupon codes
 */
export async function placeOrder(
  caller: Caller,
  input: NewOrder,
  idempotencyKey: string | undefined,
): Promise<OrderRecord> {
  const { id, email } = caller.account;
  if (normalizeEmail(input.customerEmail) !== normalizeEmail(email))
    throw invalid({ customerEmail: 'Place the order with the email that you are logged in with.' });
  if (input.couponCode) await countAttempt(caller, 'couponCodes', id);
  const placement: Placement = {
    accountId: id,
    customerEmail: email,
    by: { role: 'customer', accountId: id },
    writeMail: orderPlacedMail,
    isLimited: true,
  };
  return place(caller, () => placement, input, idempotencyKey);
}

/**
 * Places an order for a customer, on behalf of staff. The order belongs to the account with that email if the email is
 * verified. Otherwise, the account gets the order once it verifies the email (`claimOrders`). An unverified account may
 * belong to someone else, who must not see the order.
 * @throws ApiError like `placeOrder`, except for limits; 422 if an order with another note used the key
 */
export async function placeOrderForCustomer(
  caller: Caller & Pick<RequestDeps, 'clientIp'>,
  { note = '', ...input }: OrderForCustomer,
  idempotencyKey: string | undefined,
): Promise<OrderRecord> {
  const { db, account } = caller;
  const customerEmail = normalizeEmail(input.customerEmail);
  // Keys from headers contain no spaces, so this key cannot equal the key of a customer's own order.
  const key = idempotencyKey && `add-order ${account.id} ${idempotencyKey}`;
  const isVerified = and(eq(accounts.email, customerEmail), isNotNull(accounts.emailVerifiedAt));
  const findPlacement = async (): Promise<Placement> => {
    const owner = await findAccount(db, { email: customerEmail });
    const isTheirs = owner?.emailVerified === true;
    return {
      accountId: isTheirs ? owner.id : '',
      customerEmail,
      by: { role: 'administrator', accountId: account.id },
      writeMail: orderPlacedForCustomerMail,
      isLimited: false,
      // The owner may have deleted their account since `findAccount`, or an account may have verified the email and
      // claimed its orders.
      onlyIf: and(
        isTheirs ? accountExists(owner.id) : not(hasRow(accounts, isVerified)),
        key === undefined ? undefined : isKeyUnused(key),
      ),
      alsoWrite: ({ _id, couponCode, discountCents }) => [
        // The unique index covers only one owner's orders.
        ...(key === undefined ? [] : [recordKey(db, key, Date.now())]),
        ...(couponCode !== '' || discountCents === 0
          ? []
          : [
              auditOfRequest(caller, {
                action: 'discount',
                accountId: account.id,
                recordId: _id,
                details: `Took ${displayPrice(discountCents)} off an order`,
              }),
            ]),
      ],
    };
  };
  const order = await place(caller, findPlacement, input, key);
  // If this fails, a repeated call adds the note to the existing order.
  const about = { kind: 'order', recordId: order._id, text: note, idempotencyKey: key } as const;
  if (note !== '') await addNote(db, account, about, hasRow(orders, eq(orders._id, order._id)));
  return order;
}

const initialValues = {
  paymentStatus: 'UnPaid',
  orderStatus: 'Pending',
  paymentMethod: 'PayPal',
  wallet: '',
  transactionId: '',
  refundedCents: 0,
  paymentIntentId: '',
  invoiceId: null,
  periodStart: null,
  periodEnd: null,
  remindedAt: null,
  version: 1,
} as const;

/**
 * The staff's discount, in cents.
 * @param listCents the price of the package
 * @throws ApiError 422 the package is monthly, or too little is left
 */
function checkedAmountOff(
  bought: typeof packages.$inferSelect,
  listCents: number,
  input: PlacedInput,
): number {
  const offCents = amountOffCents(input);
  if (offCents > 0 && isMonthly(bought))
    throw invalid({
      amountOff: 'You cannot enter a discount for a monthly package. Use a coupon instead.',
    });
  if (offCents > 0 && listCents - offCents < minPriceCents)
    throw invalid({
      amountOff: `At least ${displayPrice(minPriceCents)} of ${displayPrice(listCents)} must be left to pay.`,
    });
  return offCents;
}

/**
 * The price of an order: the package's price minus the coupon's or the staff's discount.
 * @throws ApiError 409 the price has changed or is too low to be paid, 422 the coupon does not apply or too little is
 *   left
 */
function priceOf(
  bought: typeof packages.$inferSelect,
  found: FoundCoupon | undefined,
  input: PlacedInput,
  today: string,
): Pick<OrderRecord, 'packagePrice' | 'priceCents' | 'couponCode' | 'discountCents'> {
  const listCents = parsePriceCents(bought.packagePrice);
  if (listCents === undefined || listCents !== parsePriceCents(input.packagePrice))
    throw conflict(
      `The price of this package is now ${displayPackagePrice(bought)}. Do you want to order at this price?`,
      { currentPrice: bought.packagePrice } satisfies PriceChanged,
    );
  if (listCents < minPriceCents)
    throw conflict('This package cannot be ordered online at its current price. Please write to us.');
  const { packageName, couponCode = '' } = input;
  const discountCents =
    couponCode === ''
      ? checkedAmountOff(bought, listCents, input)
      : couponDiscountCents(found, { packageName, priceCents: listCents, today });
  const priceCents = listCents - discountCents;
  const packagePrice = discountCents === 0 ? bought.packagePrice : toPriceText(priceCents);
  return { packagePrice, priceCents, couponCode, discountCents };
}

function place(
  { db, env }: Caller,
  findPlacement: () => Placement | Promise<Placement>,
  input: PlacedInput,
  idempotencyKey: string | undefined,
): Promise<OrderRecord> {
  return retryOnConflict(async () => {
    const { accountId, customerEmail, by, writeMail, isLimited, onlyIf, alsoWrite } = await findPlacement();
    const now = Date.now();
    const coupon: CouponUser = { code: input.couponCode ?? '', accountId, customerEmail };
    const limits = orderLimits(db, env, accountId, now);
    const { bought, found, repeated, subscribed, isKeyUsed, usedUp } = await findBought(
      db,
      input.packageName,
      coupon,
      idempotencyKey,
      limits.limitingOrdersQuery,
    );
    if (repeated ? !isSameOrder(repeated, input) : isKeyUsed) throw idempotencyKeyReused('order');
    if (repeated) return repeated;

    if (!bought) throw notFound('This package no longer exists.');
    const orderDay = dayOf(env, now);
    const price = priceOf(bought, found, input, orderDay);
    const isSubscription = isMonthly(bought);
    if (isSubscription && subscribed) throw subscribedAlready(subscribed);
    if (isLimited && usedUp) limits.refuse(usedUp);
    const order: NewOrderRecord = {
      _id: newId(now),
      accountId,
      packageName: bought.packageName,
      displayName: bought.displayName,
      billing: isSubscription ? 'monthly' : 'once',
      subscriptionId: isSubscription ? newId(now) : null,
      ...price,
      packagePoints: [...pointsOf(bought)],
      customerEmail,
      ...customerTextsOf(input),
      source: input.source ?? null,
      sourceName: sourceName(input.source),
      ...initialValues,
      orderDay,
      idempotencyKey: idempotencyKey ?? null,
    };
    return insertOrder(db, order, by, {
      kind: 'placed',
      others: [
        ...insertSubscription(db, order, found?.coupon.months === 1 ? 0 : order.discountCents),
        ...notifyCustomer({ db, env }, order, 'order-placed', writeMail),
        ...(alsoWrite?.(order) ?? []),
      ],
      onlyIf: and(
        isLimited ? limits.isWithin : onlyIf,
        coupon.code === '' ? undefined : hasRemainingUses(coupon),
      ),
    });
  });
}
