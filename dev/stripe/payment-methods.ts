/** Payment methods and card tokens: what a typed card becomes, and the ready-made ones such as `pm_card_visa`. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { brandOf, checkExpiry, cvcLengthOf, isLuhnValid } from './browser/card-rules.ts';
import { type Call } from './call.ts';
import { findTestCard, findTestToken, notATestCard, type TestCard } from './cards.ts';
import { missing, refuse, refuseParameter, StripeFault } from './errors.ts';
import { integer, metadata, parseParameters } from './form.ts';
import {
  type BillingDetails,
  type CardDetails,
  newId,
  nowSeconds,
  type PaymentMethod,
  type Token,
} from './objects.ts';

const text = z.string().max(5000);
const billingDetails = z.strictObject({
  address: z
    .strictObject({
      city: text.optional(),
      country: text.optional(),
      line1: text.optional(),
      line2: text.optional(),
      postal_code: text.optional(),
      state: text.optional(),
    })
    .optional(),
  email: text.optional(),
  name: text.optional(),
  phone: text.optional(),
  tax_id: text.optional(),
});

const typedCard = z.strictObject({
  number: z.string(),
  exp_month: integer,
  exp_year: integer,
  cvc: z.string().optional(),
});

/** What `payment_methods.create` takes, and `payment_method_data` of an intent. */
export const paymentMethodParameters = {
  type: z.literal('card'),
  card: z.union([z.strictObject({ token: z.string() }), typedCard]),
  billing_details: billingDetails.optional(),
  metadata: metadata.optional(),
  allow_redisplay: z.string().optional(),
};
type PaymentMethodData = z.infer<z.ZodObject<typeof paymentMethodParameters>>;

interface Card {
  test: TestCard;
  expMonth: number;
  expYear: number;
  hasCvc: boolean;
}

function cardFault(code: string, message: string, param: string, declineCode?: string): StripeFault {
  const decline = declineCode === undefined ? {} : { decline_code: declineCode };
  return new StripeFault(402, { type: 'card_error', code, message, param, ...decline });
}

/** Checks a typed card as Stripe does when a payment method is made: by itself, without asking its bank. */
function readCard({ number, exp_month, exp_year, cvc }: z.infer<typeof typedCard>): Card {
  const digits = number.replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits) || !isLuhnValid(digits))
    throw cardFault('incorrect_number', 'Your card number is incorrect.', 'number');
  const test = findTestCard(digits);
  if (!test) throw cardFault(notATestCard.code, notATestCard.message, 'number', notATestCard.decline_code);
  if (exp_month < 1 || exp_month > 12)
    throw cardFault('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  const expYear = exp_year < 100 ? 2000 + exp_year : exp_year;
  const date = `${String(exp_month).padStart(2, '0')}${String(expYear % 100).padStart(2, '0')}`;
  if (expYear > 2099 || !checkExpiry(date).isComplete)
    throw cardFault('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  if (cvc !== undefined && !(/^\d+$/.test(cvc) && cvc.length === cvcLengthOf(digits)))
    throw cardFault('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  return { test, expMonth: exp_month, expYear, hasCvc: cvc !== undefined };
}

function readyMadeCard(test: TestCard): Card {
  return { test, expMonth: 12, expYear: new Date().getFullYear() + 2, hasCvc: true };
}

function describeCard({ test, expMonth, expYear, hasCvc }: Card, hasPostalCode: boolean): CardDetails {
  const brand = brandOf(test.number);
  return {
    brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: hasPostalCode ? 'unchecked' : null,
      cvc_check: hasCvc ? 'unchecked' : null,
    },
    country: 'US',
    display_brand: brand === 'amex' ? 'american_express' : brand,
    exp_month: expMonth,
    exp_year: expYear,
    fingerprint: createHash('sha256').update(test.number).digest('hex').slice(0, 16),
    funding: test.token === 'visa_debit' ? 'debit' : 'credit',
    generated_from: null,
    last4: test.number.slice(-4),
    networks: { available: [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}

function describeBilling(given: z.infer<typeof billingDetails> = {}): BillingDetails {
  const { address = {}, email, name, phone, tax_id } = given;
  return {
    address: {
      city: address.city ?? null,
      country: address.country ?? null,
      line1: address.line1 ?? null,
      line2: address.line2 ?? null,
      postal_code: address.postal_code ?? null,
      state: address.state ?? null,
    },
    email: email ?? null,
    name: name ?? null,
    phone: phone ?? null,
    tax_id: tax_id ?? null,
  };
}

function keepPaymentMethod(call: Call, card: Card, given: Partial<PaymentMethodData> = {}): PaymentMethod {
  const created = nowSeconds();
  const billing = describeBilling(given.billing_details);
  const method = call.state.put('payment_method', {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing,
    card: describeCard(card, billing.address.postal_code !== null),
    created,
    customer: null,
    livemode: false,
    metadata: given.metadata === '' ? {} : { ...given.metadata },
    type: 'card',
  });
  keepOnFile(call, method.id, card.test);
  return method;
}

function keepOnFile(call: Call, id: string, { number }: TestCard): void {
  call.state.put('card_on_file', { id, created: nowSeconds(), number, isUsed: false });
}

function redeemToken(call: Call, id: string): Card {
  const readyMade = findTestToken(id);
  if (readyMade) return readyMadeCard(readyMade);
  const token = call.state.get('token', id);
  const file = call.state.get('card_on_file', id);
  const test = file && findTestCard(file.number);
  if (!token || !test) throw missing('token', id, 'card[token]');
  if (token.used)
    throw refuse(`You cannot use a Stripe token more than once: ${id}.`, { code: 'token_already_used' });
  call.state.put('token', { ...token, used: true });
  const { exp_month, exp_year } = token.card;
  return { test, expMonth: exp_month, expYear: exp_year, hasCvc: true };
}

/** Makes a payment method of what `payment_methods.create` or `payment_method_data` hold. */
export function buildPaymentMethod(call: Call, given: PaymentMethodData): PaymentMethod {
  const card = 'token' in given.card ? redeemToken(call, given.card.token) : readCard(given.card);
  return keepPaymentMethod(call, card, given);
}

/** The payment method with that id. A ready-made one such as `pm_card_visa` becomes a new one at each use. */
export function findPaymentMethod(call: Call, id: string, param = 'payment_method'): PaymentMethod {
  const readyMade = id.startsWith('pm_card_') ? findTestToken(id) : undefined;
  if (readyMade) return keepPaymentMethod(call, readyMadeCard(readyMade));
  const method = call.state.get('payment_method', id);
  if (!method) throw missing('PaymentMethod', id, param);
  return method;
}

/** `POST /v1/payment_methods` */
export function createPaymentMethod(call: Call): PaymentMethod {
  return buildPaymentMethod(call, parseParameters(paymentMethodParameters, call.form));
}

/** `GET /v1/payment_methods/:id` */
export function retrievePaymentMethod(call: Call): PaymentMethod {
  parseParameters({}, call.form);
  return findPaymentMethod(call, call.id);
}

/** `POST /v1/tokens` */
export function createToken(call: Call): Token {
  const { card: given } = parseParameters(
    { card: typedCard.extend({ name: text.optional(), address_zip: text.optional() }) },
    call.form,
  );
  const card = readCard(given);
  if (given.cvc === undefined) throw refuseParameter('Missing required param: card[cvc].', 'card[cvc]');
  const token = call.state.put('token', {
    id: newId('tok'),
    object: 'token',
    card: {
      id: newId('card'),
      object: 'card',
      brand: brandOf(card.test.number),
      exp_month: card.expMonth,
      exp_year: card.expYear,
      last4: card.test.number.slice(-4),
    },
    client_ip: null,
    created: nowSeconds(),
    livemode: false,
    type: 'card',
    used: false,
  });
  keepOnFile(call, token.id, card.test);
  return token;
}
