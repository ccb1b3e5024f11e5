import * as z from 'zod';
import type { Output } from './call.ts';
import { requirements, userRoles } from './audience.ts';

const signedIn = z.strictObject({
  email: z.string(),
  emailVerified: z.boolean(),
  isAdmin: z.boolean(),
  role: z.enum(userRoles),
  /** What the account must do before it may use the abilities of its role. See `requirementTexts`. */
  lacks: z.enum(requirements).nullable(),
});
export type SignedIn = Output<typeof signedIn>;

export const sessionAnswer = z.strictObject({ account: signedIn.nullable() });
export type SessionAnswer = Output<typeof sessionAnswer>;

/** A secret from an emailed link or the settings. */
export const token = z
  .string({ error: 'The link is not complete.' })
  .min(1, 'The link is not complete.')
  .max(256);

/** The page to open after a plain form is submitted; see `safeNext`. */
export const next = z.string().max(2_000).optional();
