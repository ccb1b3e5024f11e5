/** Payment methods: those created from typed cards, and the ready-made ones such as `pm_card_visa`. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { brandOf, checkCvc, checkExpiry, checkNumber, digitsOf } from './browser/card-rules.ts';
import type { Call } from './call.ts';
import { findByNumber, findReadyMade, fingerprintOf, notATestCard } from './cards.ts';
import { StripeFault } from './errors.ts';
import { emailAddress, integer, parseParameters } from './form.ts';
import { newObject, type PaymentMethod } from './objects.ts';
import { find } from './resources.ts';

const text = z
  .string()
  .max(5000)
  .default('')
  .transform((given) => given || null);
const billingDetails = z.strictObject({
  address: z
    .strictObject({ city: text, country: text, line1: text, line2: text, postal_code: text, state: text })
    .prefault({}),
  email: emailAddress
    .or(z.literal(''))
    .default('')
    .transform((given) => given || null),
  name: text,
  phone: text,
  tax_id: text,
});
const typedCard = z.strictObject({
  number: z.string(),
  exp_month: integer,
  exp_year: integer,
  cvc: z.string().optional(),
});
type Card = z.infer<typeof typedCard>;

const cardFault = ({ code, message }: { code: string; message: string }) =>
  new StripeFault(402, { type: 'card_error', code, message });

/** Checks a typed card like Stripe does when it creates a payment method: without asking the card's bank. */
function checkCard({ number, exp_month, exp_year, cvc }: Card): Card {
  const digits = digitsOf(number);
  if (checkNumber(digits))
    throw cardFault({ code: 'incorrect_number', message: 'Your card number is incorrect.' });
  if (!findByNumber(digits)) throw cardFault(notATestCard);
  const date = `${String(exp_month).padStart(2, '0')}${String(exp_year % 100).padStart(2, '0')}`;
  if (checkExpiry(date))
    throw cardFault({ code: 'invalid_expiry_year', message: "Your card's expiration year is invalid." });
  if (cvc !== undefined && checkCvc(cvc, digits))
    throw cardFault({ code: 'invalid_cvc', message: "Your card's security code is invalid." });
  return { number: digits, exp_month, exp_year, cvc };
}

function keepPaymentMethod(
  call: Call,
  card: Card,
  billing_details: Stripe.PaymentMethod.BillingDetails,
  wallet: Stripe.PaymentMethod.Card['wallet'] = null,
): PaymentMethod {
  const { number, exp_month, exp_year, cvc } = card;
  const brand = brandOf(number);
  return call.state.put('payment_method', {
    ...newObject('payment_method', 'pm'),
    allow_redisplay: 'unspecified',
    billing_details,
    card: {
      brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: billing_details.address?.postal_code ? 'unchecked' : null,
        cvc_check: cvc === undefined ? null : 'unchecked',
      },
      country: 'US',
      display_brand: brand === 'amex' ? 'american_express' : brand,
      exp_month,
      exp_year,
      fingerprint: fingerprintOf(number),
      funding: 'credit',
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet,
    },
    customer: null,
    customer_account: null,
    metadata: {},
    type: 'card',
  });
}

const testWallet = {
  type: 'google_pay',
  google_pay: {},
  dynamic_last4: null,
} satisfies Stripe.PaymentMethod.Card['wallet'];

/**
 * The payment method with this id. Each use of a ready-made one such as `pm_card_visa` creates a new one. The test
 * wallet uses `pm_wallet_visa`, the same card in a wallet.
 */
export function findPaymentMethod(call: Call, id: string): PaymentMethod {
  const isWallet = id.startsWith('pm_wallet_');
  const readyMade = findReadyMade(id.replace('pm_wallet_', 'pm_card_'));
  if (!readyMade) return find(call, 'payment_method', id, 'payment_method');
  const card = {
    number: readyMade.number,
    exp_month: 12,
    exp_year: new Date().getFullYear() + 2,
    cvc: '123',
  };
  return keepPaymentMethod(call, card, billingDetails.parse({}), isWallet ? testWallet : null);
}

/** `POST /v1/payment_methods` */
export function createPaymentMethod(call: Call): PaymentMethod {
  const { card, billing_details } = parseParameters(
    { type: z.literal('card'), card: typedCard, billing_details: billingDetails.prefault({}) },
    call.form,
  );
  return keepPaymentMethod(call, checkCard(card), billing_details);
}
