/** What a card number, a date, a security code and a postal code look like, and Stripe's sentences when they do not. */

export type Brand = 'amex' | 'discover' | 'mastercard' | 'unknown' | 'visa';

interface BrandRule {
  brand: Brand;
  prefix: RegExp;
  length: number;
  /** After how many digits a space is shown. */
  gaps: number[];
  cvcLength: number;
}

const rule = (brand: Brand, prefix: RegExp): BrandRule => ({
  brand,
  prefix,
  length: 16,
  gaps: [4, 8, 12],
  cvcLength: 3,
});
/** The brands of the test cards. */
const rules: BrandRule[] = [
  { ...rule('amex', /^3[47]/), length: 15, gaps: [4, 10], cvcLength: 4 },
  rule('visa', /^4/),
  rule('mastercard', /^(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/),
  rule('discover', /^6(?:011|4[4-9]|5)/),
];
const unknownBrand = rule('unknown', /^/);

function ruleFor(number: string): BrandRule {
  return rules.find(({ prefix }) => prefix.test(number)) ?? unknownBrand;
}

/** What Stripe.js reports of a field that does not hold. */
export interface FieldError {
  type: 'validation_error';
  code: string;
  message: string;
}

/** `incomplete` means that more has to be typed; `error` holds then too, but is shown only once the field is left. */
export interface FieldCheck {
  isComplete: boolean;
  isIncomplete: boolean;
  error: FieldError | undefined;
}

const complete: FieldCheck = { isComplete: true, isIncomplete: false, error: undefined };
const invalid = (code: string, message: string): FieldCheck => ({
  isComplete: false,
  isIncomplete: false,
  error: { type: 'validation_error', code, message },
});
const incomplete = (code: string, message: string): FieldCheck => ({
  ...invalid(code, message),
  isIncomplete: true,
});

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

export function brandOf(number: string): Brand {
  return ruleFor(number).brand;
}

export function cvcLengthOf(number: string): number {
  return ruleFor(number).cvcLength;
}

/** The digits of a card number in groups, as they are printed on the card: `4242 4242 4242 4242`. */
export function formatNumber(text: string): string {
  const { gaps, length } = ruleFor(digitsOf(text));
  const digits = digitsOf(text).slice(0, length);
  return Array.from(digits, (digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join('');
}

/** A date as `MM / YY`. A first digit above 1 is a month by itself; `isDeleting` lets the slash be removed. */
export function formatExpiry(text: string, isDeleting = false): string {
  const typed = digitsOf(text).slice(0, 4);
  const digits = /^[2-9]/.test(typed) ? `0${typed}`.slice(0, 4) : typed;
  if (digits.length < 2 || (digits.length === 2 && isDeleting)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export function isLuhnValid(number: string): boolean {
  const sum = Array.from(number)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

export function checkNumber(text: string): FieldCheck {
  const number = digitsOf(text);
  if (number.length < ruleFor(number).length)
    return incomplete('incomplete_number', 'Your card number is incomplete.');
  return isLuhnValid(number) ? complete : invalid('invalid_number', 'Your card number is invalid.');
}

/** Checks `MM / YY` against the month that `today` is in; a card is good until its month ends. */
export function checkExpiry(text: string, today = new Date()): FieldCheck {
  const digits = digitsOf(text);
  const month = Number(digits.slice(0, 2));
  if (digits.length < 4 || month < 1 || month > 12)
    return incomplete('incomplete_expiry', "Your card's expiration date is incomplete.");
  const year = 2000 + Number(digits.slice(2));
  if (year < today.getFullYear())
    return invalid('invalid_expiry_year_past', "Your card's expiration year is in the past.");
  if (year === today.getFullYear() && month <= today.getMonth())
    return invalid('invalid_expiry_month_past', "Your card's expiration date is in the past.");
  return year > today.getFullYear() + 50
    ? invalid('invalid_expiry_year', "Your card's expiration year is invalid.")
    : complete;
}

export function checkCvc(text: string, number: string): FieldCheck {
  return digitsOf(text).length === cvcLengthOf(digitsOf(number))
    ? complete
    : incomplete('incomplete_cvc', "Your card's security code is incomplete.");
}
