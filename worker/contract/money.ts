/**
 * Prices are typed and stored as decimal strings (`499`, `499.50`). Calculations use integer cents, never floating
 * point (docs/decisions/money.md).
 */

/**
 * The minimum price of a package in cents, Stripe's minimum for a charge in US dollars
 * (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).
 */
export const minPriceCents = 50;

/** Up to 999999.99 dollars, Stripe's maximum for one charge. */
const priceShape = /^(0|[1-9][0-9]{0,5})(?:\.([0-9]{1,2}))?$/;

/** Parses a decimal price string as cents; undefined if it is not a price above 0 with at most two decimals. */
export function parsePriceCents(price: string): number | undefined {
  const match = priceShape.exec(price);
  if (!match) return undefined;
  const cents = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return cents > 0 ? cents : undefined;
}

/** Whether a text is a price that a card can be charged. */
export const isPrice = (text: string): boolean => (parsePriceCents(text) ?? 0) >= minPriceCents;

export const priceProblem = 'Use a price from $0.50 to $999,999.99, such as 499 or 499.50.';

const typedShape = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?$/;

/** Converts a typed price such as `$599` or `1,200` to a decimal string. Returns any other text unchanged. */
export function readTypedPrice(typed: string): string {
  // People may paste invisible characters.
  const visible = typed.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim();
  const [, whole = '', rest = ''] = typedShape.exec(visible) ?? [];
  return whole === '' ? typed : `${whole.replaceAll(',', '')}${rest}`;
}

/** Formats cents as dollars with exactly two decimals, such as `1499.50`. */
export function formatCents(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  return `${cents < 0 ? '-' : ''}${String(whole)}.${rest}`;
}

/** Formats cents as a stored price: `499` or `499.50`. */
export const toPriceText = (cents: number): string => formatCents(cents).replace(/\.00$/, '');

/**
 * Formats cents for display: `$1,499` or `$1,499.50`.
 * @param withCents always show two decimals, as the specification requires for total sales: `$1,499.00`
 */
export function displayPrice(cents: number, { withCents = false } = {}): string {
  const [whole = '0', rest = '00'] = formatCents(Math.abs(cents)).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '-' : ''}$${grouped}${rest === '00' && !withCents ? '' : `.${rest}`}`;
}

/** Formats a stored price for display. Returns any other text unchanged. */
export function displayPriceText(price: string): string {
  const cents = parsePriceCents(price);
  return cents === undefined ? price : displayPrice(cents);
}
