/** Accounts as browser and server agree on them: who is signed in, and the rules for an email and a password. */
import { z } from 'zod';
import {
  emailTexts,
  isDeliverable,
  isEmail,
  normalizeEmail,
  passwordLength,
  passwordTexts,
  trimEmail,
} from './account-rules.ts';

export * from './account-rules.ts';

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

/** The rule holds for what was typed: in lower case some look-alikes are gone. */
const emailHolding = (rule: (address: string) => boolean) =>
  z
    .string({ error: emailTexts.required })
    .transform(trimEmail)
    .pipe(z.string().min(1, { error: emailTexts.required, abort: true }).refine(rule, emailTexts.invalid))
    .transform(normalizeEmail);

/** The email of an account, as its forms and the server take it: trimmed and in lower case. */
export const email = emailHolding(isEmail);

/** The email of whoever writes to the firm or subscribes: any that can be answered, trimmed and in lower case. */
export const deliverableEmail = emailHolding(isDeliverable);

/** A password somebody chooses: 6 to 256 characters. */
export const password = z
  .string({ error: passwordTexts.required })
  .min(1, { error: passwordTexts.required, abort: true })
  .min(passwordLength.min, { error: passwordTexts.short })
  .max(passwordLength.max, { error: passwordTexts.long });

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

/** A secret out of a mailed link or the settings, as somebody sends it back. */
const token = z.string({ error: 'The link is not complete.' }).min(1, 'The link is not complete.').max(256);
/** A password that is only compared, so that its length says nothing about the rules of the day. */
const typedPassword = z
  .string({ error: passwordTexts.required })
  .min(1, passwordTexts.required)
  .max(passwordLength.max, passwordTexts.long);
/** Where a plain form wants to go next; see `safeNext`. */
const next = z.string().max(2_000).optional();

export const registerBody = z.strictObject({ email, password, next });
export const loginBody = z.strictObject({ email, password, next });
export const verifyBody = z.strictObject({ token, password: typedPassword.optional() });
export const requestResetBody = z.strictObject({ email });
export const confirmResetBody = z.strictObject({ token, password });
export const changePasswordBody = z.strictObject({ currentPassword: typedPassword, newPassword: password });
/** The password is wanted unless the account has none (it signs in with Google). */
export const deleteAccountBody = z.strictObject({ password: typedPassword.optional() });
