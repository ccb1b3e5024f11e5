/** Accounts as browser and server agree on them: who is signed in, and the rules for an email and a password. */
import * as z from 'zod';
import type { Requirement, Role } from './audience.ts';
import { emailTexts, isDeliverable, isEmail, normalizeEmail, trimEmail } from './account-rules.ts';
import { passwordLength, passwordTexts } from './password-rules.ts';

export * from './account-rules.ts';
export * from './password-rules.ts';

/** How the caller has proven their identity in a session, beyond a password or Google; `nothing` for those alone. */
export const authMethods = ['nothing', 'passkey', 'recoveryCode'] as const;
export type AuthMethod = (typeof authMethods)[number];

/** The account that is signed in. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** Of the `users` record of a verified email, looked up at this request; User without one. */
  readonly role: Role;
  /** What the account must do before it may use the abilities of its role. */
  readonly lacks: Requirement | null;
  readonly hasPasskey: boolean;
  /** SHA-256 of the session token, as the database holds it. */
  readonly sessionId: string;
  /** When the identity was last confirmed in this session, by a sign-in or a confirmation, in ms. */
  readonly confirmedAt: number;
  readonly authMethod: AuthMethod;
}

/** The rule is applied before lower-casing, which removes some look-alike characters. */
const emailHolding = (rule: (address: string) => boolean) =>
  z
    .string({ error: emailTexts.required })
    .transform(trimEmail)
    .pipe(z.string().min(1, { error: emailTexts.required, abort: true }).refine(rule, emailTexts.invalid))
    .transform(normalizeEmail);

/**
 * Only ASCII reaches everybody before the @: what carries other letters (SMTPUTF8, RFC 6531) many mail servers lack, so a
 * mail would be lost. A domain may be in any script, because it is sent in ASCII (`worker/mail/transport.ts`).
 */
const reaches = (address: string): boolean => /^[!-~]+@/.test(address);
const unreachedText =
  'Many mail services cannot deliver to letters such as é before the @. Please use another address.';

/** The email of an account, as its forms and the server take it: trimmed and in lower case. */
export const email = emailHolding(isEmail);

/** The email that an account or a member is given. */
export const newEmail = email.refine(reaches, unreachedText);

/** The email of a person who writes to the firm or subscribes: any that can be answered, trimmed and in lower case. */
export const deliverableEmail = emailHolding(isDeliverable).refine(reaches, unreachedText);

/** A password somebody chooses: 6 to 256 characters. */
export const password = z
  .string({ error: passwordTexts.required })
  .min(1, { error: passwordTexts.required, abort: true })
  .min(passwordLength.min, { error: passwordTexts.short })
  .max(passwordLength.max, { error: passwordTexts.long });

/** The account as a sign-in finds it, without a session. */
export type AccountOutside = Omit<Account, 'sessionId' | 'confirmedAt' | 'authMethod'>;
