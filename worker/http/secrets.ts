/**
 * Bearer secrets: 32 random bytes. Only the browser or the email contains the secret; the database stores its SHA-256.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret, as base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** The SHA-256 of a secret in hex. The database stores it. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Compares two secrets in constant time. */
export const secretsEqual = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
