/** Payment methods: what a typed card becomes, and the ready-made ones such as `pm_card_visa`. */
import type Stripe from 'stripe';
import { z } from 'zod';
import { brandOf, checkExpiry, cvcLengthOf, isLuhnValid } from './browser/card-rules.ts';
import type { Call } from './call.ts';
import { findByNumber, findReadyMade, fingerprintOf, notATestCard } from './cards.ts';
import { StripeFault } from './errors.ts';
import { integer, parseParameters } from './form.ts';
import { newId, nowSeconds, type PaymentMethod } from './objects.ts';
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
  email: text,
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

function cardFault(code: string, message: string, param: string, declineCode?: string): StripeFault {
  const decline = declineCode === undefined ? {} : { decline_code: declineCode };
  return new StripeFault(402, { type: 'card_error', code, message, param, ...decline });
}

/** Checks a typed card as Stripe does when a payment method is made: by itself, without asking its bank. */
function checkCard({ number, exp_month, exp_year, cvc }: Card): Card {
  const digits = number.replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits) || !isLuhnValid(digits))
    throw cardFault('incorrect_number', 'Your card number is incorrect.', 'number');
  if (!findByNumber(digits))
    throw cardFault(notATestCard.code, notATestCard.message, 'number', notATestCard.decline_code);
  if (exp_month < 1 || exp_month > 12)
    throw cardFault('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  const year = exp_year < 100 ? 2000 + exp_year : exp_year;
  const date = `${String(exp_month).padStart(2, '0')}${String(year % 100).padStart(2, '0')}`;
  if (year > 2099 || !checkExpiry(date).isComplete)
    throw cardFault('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  if (cvc !== undefined && !(/^\d+$/.test(cvc) && cvc.length === cvcLengthOf(digits)))
    throw cardFault('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  return { number: digits, exp_month, exp_year: year, cvc };
}

function keepPaymentMethod(
  call: Call,
  card: Card,
  billing_details: Stripe.PaymentMethod.BillingDetails,
): PaymentMethod {
  const { number, exp_month, exp_year, cvc } = card;
  const brand = brandOf(number);
  return call.state.put('payment_method', {
    id: newId('pm'),
    object: 'payment_method',
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
      wallet: null,
    },
    created: nowSeconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  });
}

/** The payment method with that id. A ready-made one such as `pm_card_visa` becomes a new one at each use. */
export function findPaymentMethod(call: Call, id: string): PaymentMethod {
  const readyMade = findReadyMade(id);
  if (!readyMade) return find(call, 'payment_method', id, 'payment_method');
  const card = {
    number: readyMade.number,
    exp_month: 12,
    exp_year: new Date().getFullYear() + 2,
    cvc: '123',
  };
  return keepPaymentMethod(call, card, billingDetails.parse({}));
}

/** `POST /v1/payment_methods` */
export function createPaymentMethod(call: Call): PaymentMethod {
  const { card, billing_details } = parseParameters(
    { type: z.literal('card'), card: typedCard, billing_details: billingDetails.prefault({}) },
    call.form,
  );
  return keepPaymentMethod(call, checkCard(card), billing_details);
}
