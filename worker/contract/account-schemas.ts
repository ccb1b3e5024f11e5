/** Schemas that the entries of the accounts and of their passkeys share. */
import * as z from 'zod';
import type { Output } from './call.ts';
import { requirements, userRoles } from './audience.ts';

/** What the API tells of somebody who is signed in. */
export const signedIn = z.strictObject({
  email: z.string(),
  emailVerified: z.boolean(),
  isAdmin: z.boolean(),
  role: z.enum(userRoles),
  /** What the account must do before it may use what its role opens; `requirementTexts` says each. */
  lacks: z.enum(requirements).nullable(),
});
export type SignedIn = Output<typeof signedIn>;

/** Who is signed in, if anybody is. */
export const sessionAnswer = z.strictObject({ account: signedIn.nullable() });
export type SessionAnswer = Output<typeof sessionAnswer>;

/** A secret out of a mailed link or the settings, as somebody sends it back. */
export const token = z
  .string({ error: 'The link is not complete.' })
  .min(1, 'The link is not complete.')
  .max(256);

/** Where a plain form wants to go next; see `safeNext`. */
export const next = z.string().max(2_000).optional();
