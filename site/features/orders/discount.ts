/** The discount of an order in words. */
import { displayPrice, displayPriceText, parsePriceCents } from '#contract/money.ts';
import type { Order } from '#contract/orders.calls.ts';

/** The discount, by a coupon or by staff; empty if there is none. For example, 'FALL10, $49.90 off'. */
export function describeDiscount({
  couponCode,
  discount,
  packagePrice,
}: Pick<Order, 'couponCode' | 'discount' | 'packagePrice'>): string {
  if (discount === '0') return '';
  const off = `${displayPriceText(discount)} off`;
  if (couponCode !== '') return `${couponCode}, ${off}`;
  const listCents = (parsePriceCents(packagePrice) ?? 0) + (parsePriceCents(discount) ?? 0);
  return `${off} the price of ${displayPrice(listCents)}`;
}
