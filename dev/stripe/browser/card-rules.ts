/** The formats of a card number, a date, a security code and a postal code, with Stripe's error messages. */

export type Brand = 'amex' | 'discover' | 'mastercard' | 'unknown' | 'visa';

interface BrandRule {
  brand: Brand;
  prefix: RegExp;
  length: number;
  /** The numbers of digits after which a space is shown. */
  gaps: number[];
  cvcLength: number;
}

const usual = { length: 16, gaps: [4, 8, 12], cvcLength: 3 };
const unknownBrand: BrandRule = { brand: 'unknown', prefix: /^/, ...usual };
const rules: BrandRule[] = [
  { brand: 'amex', prefix: /^3[47]/, length: 15, gaps: [4, 10], cvcLength: 4 },
  { brand: 'visa', prefix: /^4/, ...usual },
  { brand: 'mastercard', prefix: /^(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/, ...usual },
  { brand: 'discover', prefix: /^6(?:011|4[4-9]|5)/, ...usual },
];

const ruleFor = (number: string): BrandRule =>
  rules.find(({ prefix }) => prefix.test(number)) ?? unknownBrand;

/** Stripe.js's report about an invalid field. */
export interface FieldError {
  type: 'validation_error';
  code: string;
  message: string;
}

const wrong = (code: string, message: string): FieldError => ({ type: 'validation_error', code, message });

/** Whether the field is unfinished, which is not an error until the user leaves it. */
export const isIncomplete = ({ code }: FieldError): boolean => code.startsWith('incomplete_');

export const digitsOf = (text: string): string => text.replace(/\D/g, '');
export const brandOf = (number: string): Brand => ruleFor(number).brand;
export const cvcLengthOf = (number: string): number => ruleFor(number).cvcLength;

/** The digits of a card number in groups, as printed on the card: `4242 4242 4242 4242`. */
export function formatNumber(text: string): string {
  const { gaps, length } = ruleFor(digitsOf(text));
  const digits = digitsOf(text).slice(0, length);
  return Array.from(digits, (digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join('');
}

/** A date as `MM / YY`. A first digit above 1 is a whole month; `isDeleting` lets the slash be removed. */
export function formatExpiry(text: string, isDeleting = false): string {
  const typed = digitsOf(text).slice(0, 4);
  const digits = /^[2-9]/.test(typed) ? `0${typed}`.slice(0, 4) : typed;
  if (digits.length < 2 || (digits.length === 2 && isDeleting)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

function isLuhnValid(number: string): boolean {
  const sum = Array.from(number)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/** The error of a card number, if there is one. The other checks work the same way. */
export function checkNumber(text: string): FieldError | undefined {
  const number = digitsOf(text);
  if (number.length < ruleFor(number).length)
    return wrong('incomplete_number', 'Your card number is incomplete.');
  return isLuhnValid(number) ? undefined : wrong('invalid_number', 'Your card number is invalid.');
}

/** Checks `MM / YY` against the month of `today`. A card is valid until the end of its month. */
export function checkExpiry(text: string, today = new Date()): FieldError | undefined {
  const digits = digitsOf(text);
  const month = Number(digits.slice(0, 2));
  if (digits.length < 4 || month < 1 || month > 12)
    return wrong('incomplete_expiry', "Your card's expiration date is incomplete.");
  const year = 2000 + Number(digits.slice(2));
  if (year < today.getFullYear())
    return wrong('invalid_expiry_year_past', "Your card's expiration year is in the past.");
  if (year === today.getFullYear() && month <= today.getMonth())
    return wrong('invalid_expiry_month_past', "Your card's expiration date is in the past.");
  return year > today.getFullYear() + 50
    ? wrong('invalid_expiry_year', "Your card's expiration year is invalid.")
    : undefined;
}

export const checkCvc = (text: string, number: string): FieldError | undefined =>
  digitsOf(text).length === cvcLengthOf(digitsOf(number))
    ? undefined
    : wrong('incomplete_cvc', "Your card's security code is incomplete.");
