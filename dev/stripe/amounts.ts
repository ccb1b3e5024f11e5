/** What may be charged: amounts in the smallest unit of a currency, and the currencies. */
import { refuseParameter } from './errors.ts';

/** The least that Stripe charges, in the currency's smallest unit; 50 where the list is silent. */
const minimumAmounts: Record<string, number> = { gbp: 30, jpy: 50, chf: 50, eur: 50, usd: 50 };
const maximumAmount = 99_999_999;
const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

/**
 * Checks an amount in the currency's smallest unit.
 * @throws {StripeFault} 400 when it is not positive, too small or too large
 */
export function checkAmount(amount: number, currency: string): void {
  if (amount < 1) throw refuseParameter('Invalid positive integer', 'amount', 'parameter_invalid_integer');
  const minimum = minimumAmounts[currency] ?? 50;
  if (amount < minimum)
    throw refuseParameter(
      `Amount must be at least ${asMoney(minimum, currency)}`,
      'amount',
      'amount_too_small',
    );
  if (amount > maximumAmount)
    throw refuseParameter(
      `Amount must be no more than ${asMoney(maximumAmount, currency)}`,
      'amount',
      'amount_too_large',
    );
}

/** `50` cents as `$0.50 usd`, as Stripe's sentences say it. */
function asMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return `${format.format(amount / 10 ** maximumFractionDigits)} ${currency}`;
}

/**
 * A currency's code in small letters.
 * @throws {StripeFault} 400 when there is no such currency
 */
export function readCurrency(given: string): string {
  const currency = given.toLowerCase();
  if (currencies.has(currency)) return currency;
  throw refuseParameter(`Invalid currency: ${currency}.`, 'currency');
}
