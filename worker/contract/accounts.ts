/** Accounts as browser and server agree on them: who is signed in, and the rules for an email and a password. */
import { z } from 'zod';

/** Whoever is signed in. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** Verified, and with a `users` record whose role is Admin, looked up at this request. */
  readonly isAdmin: boolean;
  /** SHA-256 of the session token, as the database holds it. */
  readonly sessionId: string;
}

export const emailTexts = { required: 'Email is Required', invalid: 'Provide a Valid Email' } as const;
export const passwordTexts = { required: 'Password is Required', short: 'Minimum 6 Characters' } as const;

/** A deliverable shape: something@domain.tld, at most 254 characters (RFC 5321), and three letters in a row. */
const deliverable = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@.<>()[\]\\,;:"]+(\.[^\s@.<>()[\]\\,;:"]+)+$/;

export const isEmail = (text: string): boolean =>
  text.length <= 254 && /[a-z]{3}/i.test(text) && deliverable.test(text);

/** An email address as the forms and the server accept it, trimmed. */
export const email = z
  .string({ error: emailTexts.required })
  .trim()
  .min(1, { error: emailTexts.required, abort: true })
  .refine(isEmail, { error: emailTexts.invalid });

/** How emails compare and are stored: without regard to case. */
export const normalizeEmail = (address: string): string => address.trim().toLowerCase();

/** A password somebody chooses: 6 to 256 characters. */
export const password = z
  .string({ error: passwordTexts.required })
  .min(1, { error: passwordTexts.required, abort: true })
  .min(6, { error: passwordTexts.short })
  .max(256, { error: 'Maximum 256 Characters' });

/** Shortest password of an administrator. */
export const adminPasswordMinLength = 12;

/** What the API tells of whoever is signed in. */
export type SignedIn = Pick<Account, 'email' | 'emailVerified' | 'isAdmin'>;

/** Answer of the session call, and of the calls that sign somebody in. */
export interface SessionAnswer {
  readonly account: SignedIn | null;
}

/** One of somebody's own sessions; times in ms. */
export interface SessionEntry {
  /** Such as 'Firefox on Windows'. */
  readonly device: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly isCurrent: boolean;
}

export const signInTexts = {
  failed: 'Incorrect email or password. Please try again.',
  wrongPassword: 'Incorrect password. Please try again.',
  taken: 'There is already an account with this email. Log in, or reset your password if you have lost it.',
  resetSent: 'If there is an account with this email, we have sent it a link. It works once, for 10 minutes.',
  linkOver: 'This link has been used or is too old. Ask for a new one.',
  passwordChanged: 'Your password is changed. Please log in with it.',
  verified: 'Your email is verified.',
} as const;

/** A secret out of a mailed link or the settings, as somebody sends it back. */
const token = z.string({ error: 'The link is not complete.' }).min(1, 'The link is not complete.').max(256);
/** A password that is only compared, so that its length says nothing about the rules of the day. */
const typedPassword = z
  .string({ error: passwordTexts.required })
  .min(1, passwordTexts.required)
  .max(256, 'Maximum 256 Characters');
/** Where a plain form wants to go next; see `safeNext`. */
const next = z.string().max(2_000).optional();

export const registerBody = z.strictObject({ email, password, next });
export const loginBody = z.strictObject({ email, password: typedPassword, next });
export const verifyBody = z.strictObject({ token, password: typedPassword.optional() });
export const requestResetBody = z.strictObject({ email });
export const confirmResetBody = z.strictObject({ token, password });
export const changePasswordBody = z.strictObject({ currentPassword: typedPassword, newPassword: password });
/** The password is wanted unless the account has none (it signs in with Google). */
export const deleteAccountBody = z.strictObject({ password: typedPassword.optional() });

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
