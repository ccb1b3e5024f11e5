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
