/** Describes the payment method for receipts. */
import type Stripe from 'stripe';
import { expanded } from './stripe.ts';

/**
 * Stripe's brand codes
 * (https://docs.stripe.com/api/charges/object#charge_object-payment_method_details-card-brand) with their names.
 */
const brands: ReadonlyMap<string, string> = new Map([
  ['amex', 'American Express'],
  ['cartes_bancaires', 'Cartes Bancaires'],
  ['diners', 'Diners Club'],
  ['discover', 'Discover'],
  ['eftpos_au', 'Eftpos'],
  ['jcb', 'JCB'],
  ['mastercard', 'Mastercard'],
  ['unionpay', 'UnionPay'],
  ['visa', 'Visa'],
]);
const wallets: ReadonlyMap<string, string> = new Map([
  ['apple_pay', 'Apple Pay'],
  ['google_pay', 'Google Pay'],
  ['link', 'Link'],
  ['samsung_pay', 'Samsung Pay'],
]);

const detailsOf = (intent: Stripe.PaymentIntent) => expanded(intent.latest_charge)?.payment_method_details;

/** The wallet of a payment, such as 'Apple Pay'; empty if it used none or the response lacks the charge. */
export function walletOf(intent: Stripe.PaymentIntent): string {
  const details = detailsOf(intent);
  return (
    (details?.type === 'link' ? wallets.get('link') : wallets.get(details?.card?.wallet?.type ?? '')) ?? ''
  );
}

/**
 * The payment method, such as 'Visa ending in 4242' or 'Apple Pay, Visa ending in 4242'; empty if the response
 * lacks the charge.
 */
export function describePaymentMethod(intent: Stripe.PaymentIntent): string {
  const wallet = walletOf(intent);
  const card = detailsOf(intent)?.card;
  if (!card) return wallet;
  const words = describeCard(card);
  return wallet === '' ? words : `${wallet}, ${words}`;
}

/** A card, such as 'Visa ending in 4242'. */
export function describeCard(card: { readonly brand: string | null; readonly last4: string | null }): string {
  const brand = brands.get(card.brand ?? '') ?? 'Card';
  return card.last4 ? `${brand} ending in ${card.last4}` : brand;
}
