/**
 * The rules and texts of the sign-in forms. The pages with these forms load only this file and the password rules, so
 * it uses no library.
 */
import { resolvePath } from './addresses.ts';
import { parseUrl } from './parse-url.ts';

export const emailTexts = { required: 'Email is Required', invalid: 'Provide a Valid Email' } as const;

/** The longest domain (RFC 1035, section 2.3.4). */
const maxDomainLength = 253;

/** Letters, digits, hyphens and dots of any script. Other characters would end a domain in a URL. */
const domainCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u;

/**
 * Returns an address with its domain in ASCII (RFC 5891), the format of mail services: `jo@bücher.example` and
 * `jo@xn--bcher-kva.example` are one mailbox. An invalid domain is returned unchanged.
 */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  if (
    at === 0 ||
    domain.length > maxDomainLength ||
    /^[!-~]*$/.test(domain) ||
    !domainCharacters.test(domain)
  )
    return address;
  return address.slice(0, at) + (parseUrl(`http://${domain}`)?.hostname ?? domain);
}

/** A word of the part before the @, of any script, and a label of a domain in ASCII. */
const word = String.raw`[^\s@<>()[\]\\,;:".]+`;
const label = String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`;

/**
 * The shape of a deliverable address whose domain is in ASCII: words between single dots (RFC 5321, section 4.1.2), and
 * at least two labels, the last one not a number (RFC 1123, section 2.1).
 */
const deliverable = new RegExp(
  String.raw`^(?=.{1,64}@)${word}(?:\.${word})*@(?:${label}\.)+(?!\d+$)${label}$`,
  'i',
);

/**
 * Rejected characters: all non-ASCII characters except letters, marks and digits, and all invisible characters (control
 * characters, zero-width characters, lone surrogates).
 */
const forbidden = /[^!-~\p{L}\p{M}\p{N}]|\p{Default_Ignorable_Code_Point}/u;

/** The recommended scripts (UAX 31, table 5). Scripts between the same bars are used together. */
const scripts =
  'Latin|Cyrillic|Greek|Armenian|Georgian|Hebrew|Arabic|Thaana|Ethiopic|Devanagari|Bengali|Gurmukhi|Gujarati|Oriya|Tamil|Telugu|Kannada|Malayalam|Sinhala|Thai|Lao|Tibetan|Myanmar|Khmer|Han Hiragana Katakana Hangul Bopomofo';

/**
 * Whether all letters are from one script, so that no letter can pass for a letter of another script (UTS 39, section
 * 5.1).
 */
const isOfOneScript = (text: string): boolean =>
  scripts.split('|').some((together) => {
    const letters = together.split(' ').map((script) => `\\p{Script=${script}}`);
    return new RegExp(`^[\\p{Script=Common}\\p{Script=Inherited}${letters.join('')}]+$`, 'u').test(text);
  });

/**
 * Whether email can be sent to an address, and the address does not look like another one. It has at most 254
 * characters (RFC 5321), is normalized (NFKC), uses one script and contains no invisible characters.
 */
export const isDeliverable = (text: string): boolean =>
  text.length <= 254 &&
  deliverable.test(asciiAddress(text)) &&
  !forbidden.test(text) &&
  text.normalize('NFKC') === text &&
  isOfOneScript(text);

/**
 * Whether an account can have an address: it is deliverable and has three letters in a row (the specification's rule).
 */
export const isEmail = (text: string): boolean => /[a-z]{3}/i.test(text) && isDeliverable(text);

const aroundEmail = ' \t\r\n\u200b\u2060\ufeff';

/**
 * Removes spaces, line breaks and zero-width characters around an address. Other white space is kept, so the address is
 * rejected later. There is no regular expression here, because one that backtracks over many spaces takes seconds on
 * hostile input.
 */
export function trimEmail(typed: string): string {
  let [from, to] = [0, typed.length];
  while (from < to && aroundEmail.includes(typed.charAt(from))) from += 1;
  while (to > from && aroundEmail.includes(typed.charAt(to - 1))) to -= 1;
  return typed.slice(from, to);
}

/** The form in which emails are compared and stored: trimmed, in lower case, and with the domain in ASCII. */
export const normalizeEmail = (address: string): string => asciiAddress(trimEmail(address).toLowerCase());

export const signInTexts = {
  failed: 'Incorrect email or password. Please try again.',
  wrongPassword: 'Incorrect password. Please try again.',
  taken: 'There is already an account with this email. Log in, or reset your password if you forgot it.',
  resetSent:
    'If there is an account with this email, we sent it a link. The link works once and expires in 10 minutes.',
  linkOver: 'This link has already been used or has expired. Ask for a new one.',
  passwordChanged: 'Your password has been changed. Please log in with the new one.',
} as const;

/** The requested path after a sign-in; undefined if it is not a path on this origin. */
export const safeNext = (path: string | null | undefined): string | undefined => resolvePath(path ?? '');

/**
 * The query parameter of the account page after a user confirms their identity in a separate tab; `no` if they did not
 * confirm it.
 */
export const confirmedQuery = 'confirmed';

/** The query parameter that makes the next screen after a verification link say that the email is verified. */
export const verifiedQuery = 'verified';
