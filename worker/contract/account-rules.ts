/**
 * The rules and texts of the sign-in forms, without any library: their pages load these few lines, those of the
 * passwords, and no more.
 */
import { resolvePath } from './addresses.ts';

export const emailTexts = { required: 'Email is Required', invalid: 'Provide a Valid Email' } as const;

/** A deliverable shape: something@domain.tld. */
const deliverable = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@.<>()[\]\\,;:"]+(\.[^\s@.<>()[\]\\,;:"]+)+$/;

/**
 * Characters that are refused: beyond ASCII anything but letters, marks and digits, and anything invisible (control
 * characters, zero-width characters, lone surrogates).
 */
const unclear = /[^!-~\p{L}\p{M}\p{N}]|\p{Default_Ignorable_Code_Point}/u;

/** Scripts in everyday use (UAX 31, table 5); those of one line are written together. */
const scripts =
  'Latin|Cyrillic|Greek|Armenian|Georgian|Hebrew|Arabic|Thaana|Ethiopic|Devanagari|Bengali|Gurmukhi|Gujarati|Oriya|Tamil|Telugu|Kannada|Malayalam|Sinhala|Thai|Lao|Tibetan|Myanmar|Khmer|Han Hiragana Katakana Hangul Bopomofo';

/** Whether all letters are of one script, so that none of them looks like one of another (UTS 39, section 5.1). */
const isOfOneScript = (text: string): boolean =>
  scripts.split('|').some((together) => {
    const letters = together.split(' ').map((script) => `\\p{Script=${script}}`);
    return new RegExp(`^[\\p{Script=Common}\\p{Script=Inherited}${letters.join('')}]+$`, 'u').test(text);
  });

/**
 * Whether mail can be sent to an address, and nobody can take it for another: at most 254 characters (RFC 5321), in
 * the form that Unicode normalizes to (NFKC), without hidden characters and of one script.
 */
export const isDeliverable = (text: string): boolean =>
  text.length <= 254 &&
  deliverable.test(text) &&
  !unclear.test(text) &&
  text.normalize('NFKC') === text &&
  isOfOneScript(text);

/** Whether an address can be an account's: deliverable, with three letters in a row. */
export const isEmail = (text: string): boolean => /[a-z]{3}/i.test(text) && isDeliverable(text);

const aroundEmail = ' \t\r\n\u200b\u2060\ufeff';

/**
 * An address as typed, without the spaces, line breaks and characters without width around it; other white space is
 * not trimmed but refused. It
 * uses no regular expression, because one that searches for the end at each of many spaces takes seconds on hostile
 * input.
 */
export function trimEmail(typed: string): string {
  let [from, to] = [0, typed.length];
  while (from < to && aroundEmail.includes(typed.charAt(from))) from += 1;
  while (to > from && aroundEmail.includes(typed.charAt(to - 1))) to -= 1;
  return typed.slice(from, to);
}

/** How emails compare and are stored: without regard to case. */
export const normalizeEmail = (address: string): string => trimEmail(address).toLowerCase();

export const signInTexts = {
  failed: 'Incorrect email or password. Please try again.',
  wrongPassword: 'Incorrect password. Please try again.',
  taken: 'There is already an account with this email. Log in, or reset your password if you have lost it.',
  resetSent: 'If there is an account with this email, we have sent it a link. It works once, for 10 minutes.',
  linkOver: 'This link has been used or is too old. Ask for a new one.',
  passwordChanged: 'Your password is changed. Please log in with it.',
} as const;

/** Where to go after signing in: the path asked for when it is one on this origin, else undefined. */
export const safeNext = (path: string | null | undefined): string | undefined => resolvePath(path ?? '');

/**
 * The query parameter of the account page when somebody returns to a separate tab from confirming their identity; `no`
 * if they did not.
 */
export const confirmedQuery = 'confirmed';

/** The query parameter of the screen that follows a verification link: it says that the email is verified. */
export const verifiedQuery = 'verified';
