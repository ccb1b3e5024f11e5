/** Accounts: the signed-in account, and the schemas of emails and passwords. */
import * as z from 'zod';
import type { Requirement, Role } from './audience.ts';
import { emailTexts, isDeliverable, isEmail, normalizeEmail, trimEmail } from './account-rules.ts';
import { passwordLength, passwordTexts } from './password-rules.ts';

/**
 * How the caller has confirmed their identity in a session, in addition to a password or Google; `nothing` if only
 * those were used.
 */
export const authMethods = ['nothing', 'passkey', 'recoveryCode'] as const;
export type AuthMethod = (typeof authMethods)[number];

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** The role in the `users` record of a verified email, read during this request; `User` without a record. */
  readonly role: Role;
  /** What the account must do before it may use the abilities of its role. */
  readonly lacks: Requirement | null;
  readonly hasPasskey: boolean;
  /** SHA-256 of the session token, as in the database. */
  readonly sessionId: string;
  /** When the caller last confirmed their identity in this session, in ms. A sign-in counts too. */
  readonly confirmedAt: number;
  readonly authMethod: AuthMethod;
}

/**
 * An email that follows a rule. The rule is checked before the conversion to lower case, which would hide some
 * look-alikes.
 */
const emailSchema = (rule: (address: string) => boolean) =>
  z
    .string({ error: emailTexts.required })
    .transform(trimEmail)
    .pipe(z.string().min(1, { error: emailTexts.required, abort: true }).refine(rule, emailTexts.invalid))
    .transform(normalizeEmail);

/**
 * Whether the part before the @ is ASCII. Many mail servers do not support other letters there (SMTPUTF8, RFC 6531), so
 * email to such an address would be lost. The domain may use any script, because it is stored and sent in ASCII.
 */
const hasAsciiLocalPart = (address: string): boolean => /^[!-~]+@/.test(address);
const localPartText =
  'Many mail services cannot deliver to letters such as é before the @. Please use another address.';

/** The email of an account, normalized by `normalizeEmail`. */
export const email = emailSchema(isEmail);

export const newEmail = email.refine(hasAsciiLocalPart, localPartText);

/** The email of someone who sends a message or subscribes: any deliverable address, normalized by `normalizeEmail`. */
export const deliverableEmail = emailSchema(isDeliverable).refine(hasAsciiLocalPart, localPartText);

/** A new password: 6 to 256 characters. */
export const password = z
  .string({ error: passwordTexts.required })
  .min(1, { error: passwordTexts.required, abort: true })
  .min(passwordLength.min, { error: passwordTexts.short(passwordLength.min) })
  .max(passwordLength.max, { error: passwordTexts.long });

export const newAccount = z.strictObject({ email: newEmail, password });

/** The account during sign-in, before it has a session. */
export type SessionlessAccount = Omit<Account, 'sessionId' | 'confirmedAt' | 'authMethod'>;
