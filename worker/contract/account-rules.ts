/**
 * The rules and texts of the account forms, without any library: the sign-in pages load these few lines and no more.
 */

export const emailTexts = { required: 'Email is Required', invalid: 'Provide a Valid Email' } as const;
export const passwordTexts = {
  required: 'Password is Required',
  short: 'Minimum 6 Characters',
  long: 'Maximum 256 Characters',
} as const;

/** Lengths of a password, in characters. */
export const passwordLength = { min: 6, max: 256 } as const;

/** A deliverable shape: something@domain.tld, at most 254 characters (RFC 5321), and three letters in a row. */
const deliverable = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@.<>()[\]\\,;:"]+(\.[^\s@.<>()[\]\\,;:"]+)+$/;

export const isEmail = (text: string): boolean =>
  text.length <= 254 && /[a-z]{3}/i.test(text) && deliverable.test(text);

/** How emails compare and are stored: without regard to case. */
export const normalizeEmail = (address: string): string => address.trim().toLowerCase();

/** Shortest password of an administrator. */
export const adminPasswordMinLength = 12;

export const signInTexts = {
  failed: 'Incorrect email or password. Please try again.',
  wrongPassword: 'Incorrect password. Please try again.',
  taken: 'There is already an account with this email. Log in, or reset your password if you have lost it.',
  resetSent: 'If there is an account with this email, we have sent it a link. It works once, for 10 minutes.',
  linkOver: 'This link has been used or is too old. Ask for a new one.',
  passwordChanged: 'Your password is changed. Please log in with it.',
} as const;

/**
 * Where to go after signing in: the path asked for when it is one on this origin, else undefined. An address such as
 * `//other.example`, `/\other.example` or `/.//other.example` would lead a browser away.
 */
export function safeNext(path: string | null | undefined): string | undefined {
  if (!path?.startsWith('/')) return undefined;
  const base = 'https://this.invalid';
  const url = URL.canParse(path, base) ? new URL(path, base) : undefined;
  if (url?.origin !== base || url.pathname.startsWith('//')) return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
}
