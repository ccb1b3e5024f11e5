/**
 * Prices are typed and stored as decimal strings (`499`, `499.50`) and computed with in integer cents, never in
 * floating point (docs/decisions/money.md).
 */

/** Highest price in cents: 999999.99 dollars, the most that Stripe takes in one charge. */
const maxPriceCents = 99_999_999;

/**
 * Lowest price of a package in cents: Stripe charges no card for less in US dollars
 * (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).
 */
export const minPriceCents = 50;

const priceShape = /^(0|[1-9][0-9]{0,5})(?:\.([0-9]{1,2}))?$/;

/** Cents of a decimal price string, or undefined when it is not a price above 0 with at most two decimals. */
export function parsePriceCents(price: string): number | undefined {
  const match = priceShape.exec(price);
  if (!match) return undefined;
  const cents = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return cents > 0 && cents <= maxPriceCents ? cents : undefined;
}

const typedShape = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?$/;

/** A price as people type it, `$599` or `1,200`, as the decimal string it means; any other text as it is. */
export function readTypedPrice(typed: string): string {
  // Characters that nobody sees come along when people paste.
  const seen = typed.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim();
  const [, whole = '', rest = ''] = typedShape.exec(seen) ?? [];
  return whole === '' ? typed : `${whole.replaceAll(',', '')}${rest}`;
}

/** Cents as dollars with exactly two decimals, such as `1499.50`. */
export function formatCents(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  return `${cents < 0 ? '-' : ''}${String(whole)}.${rest}`;
}

/** Cents as a price is typed and stored: `499`, or `499.50`. */
export const toPriceText = (cents: number): string => formatCents(cents).replace(/\.00$/, '');

/**
 * Cents as people read them: `$1,499` or `$1,499.50`.
 * @param withCents always with two decimals, as the specification wants of the total sales: `$1,499.00`
 */
export function displayPrice(cents: number, { withCents = false } = {}): string {
  const [whole = '0', rest = '00'] = formatCents(Math.abs(cents)).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '-' : ''}$${grouped}${rest === '00' && !withCents ? '' : `.${rest}`}`;
}

/** A price string as people read it, or the text itself when it is no price. */
export function displayPriceText(price: string): string {
  const cents = parsePriceCents(price);
  return cents === undefined ? price : displayPrice(cents);
}
