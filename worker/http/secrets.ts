/** Bearer secrets: 32 random bytes that only the browser or the mail holds; the database keeps their SHA-256. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret, 32 random bytes as base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** SHA-256 in hex: what the database holds of a secret. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Compares two secrets in a time that does not depend on where they differ. */
export const secretsEqual = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
