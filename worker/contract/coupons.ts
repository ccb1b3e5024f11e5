/** The rules of coupons: how much a coupon takes off, and whether it applies. */
import { counted } from './counted.ts';
import { displayDate } from './days.ts';
import { displayPrice, minPriceCents } from './money.ts';
import type { PackageName } from './orders.ts';

/** The spelling of a code: 3 to 30 letters, digits or hyphens. People may type it in any case. */
export const couponCodePattern = /^[A-Z0-9][A-Z0-9-]{1,28}[A-Z0-9]$/;

export const normalizeCouponCode = (typed: string): string => typed.trim().toUpperCase();

/** A coupon's discount: a percentage, or an amount in cents. The other field is null. */
interface Discount {
  readonly percentOff: number | null;
  readonly amountOffCents: number | null;
}

/**
 * How much a coupon takes off a price, in cents, rounded to the cent. At least Stripe's minimum charge is left to pay.
 */
export function discountCents(priceCents: number, { percentOff, amountOffCents }: Discount): number {
  const wanted = percentOff === null ? (amountOffCents ?? 0) : Math.round((priceCents * percentOff) / 100);
  return Math.min(wanted, Math.max(priceCents - minPriceCents, 0));
}

/** The maximum number of months for which a coupon may lower a monthly package. */
export const maxCouponMonths = 36;

/** Which payments a coupon lowers, as text. @param months payments of a monthly package; null for all of them */
export const displayCouponMonths = (months: number | null): string => {
  if (months === null) return 'every payment';
  return months === 1 ? 'the first payment' : `each of the first ${months} payments`;
};

/** Formats a discount: `10% off` or `$100 off`. */
export const displayDiscount = ({ percentOff, amountOffCents }: Discount): string =>
  `${percentOff === null ? displayPrice(amountOffCents ?? 0) : `${percentOff}%`} off`;

export const couponStates = ['Active', 'Ended', 'Expired', 'Used up'] as const;
type CouponState = (typeof couponStates)[number];

/** @param today in the site's time zone, YYYY-MM-DD */
export function couponState(
  { lastDay, mostUses, isEnded }: Pick<CouponTerms, 'lastDay' | 'mostUses' | 'isEnded'>,
  { today, uses }: Pick<CouponUse, 'today' | 'uses'>,
): CouponState {
  if (isEnded) return 'Ended';
  if (lastDay !== '' && today > lastDay) return 'Expired';
  return mostUses !== null && uses >= mostUses ? 'Used up' : 'Active';
}

export interface CouponTerms {
  readonly code: string;
  /** The packages that the coupon applies to; empty for all of them. */
  readonly packages: readonly PackageName[];
  /** The last day on which the coupon applies, YYYY-MM-DD; empty if it has none. */
  readonly lastDay: string;
  /** How many orders may use the coupon; null for any number. */
  readonly mostUses: number | null;
  readonly oncePerCustomer: boolean;
  readonly isEnded: boolean;
}

interface CouponUse {
  readonly packageName: PackageName;
  /** Today in the site's time zone, YYYY-MM-DD. */
  readonly today: string;
  /** How many orders use the coupon. Cancelled orders do not count. */
  readonly uses: number;
  readonly isUsedByCustomer: boolean;
}

/** Why a coupon does not apply to an order; undefined if it applies. */
export function couponRefusal(
  coupon: CouponTerms | undefined,
  { packageName, today, uses, isUsedByCustomer }: CouponUse,
): string | undefined {
  if (!coupon) return 'There is no coupon with this code. Please check the spelling.';
  const { code, packages, lastDay, mostUses, oncePerCustomer, isEnded } = coupon;
  if (isEnded) return `The coupon ${code} has ended.`;
  if (lastDay !== '' && today > lastDay) return `The coupon ${code} ended on ${displayDate(lastDay)}.`;
  if (packages.length > 0 && !packages.includes(packageName))
    return `The coupon ${code} is for ${packages.join(' and ')} only.`;
  if (oncePerCustomer && isUsedByCustomer)
    return `The coupon ${code} can be used once per customer, and one of your orders already uses it.`;
  if (mostUses !== null && uses >= mostUses)
    return `The coupon ${code} is used up: it was limited to ${counted(mostUses, 'order')}.`;
  return undefined;
}
