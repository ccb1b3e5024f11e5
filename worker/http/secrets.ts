/**
 * Bearer secrets: 32 random bytes. Only the browser or the email contains them; the database stores their SHA-256.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret, as base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** The SHA-256 of a secret in hex, which the database stores. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Compares two secrets in constant time. */
export const secretsEqual = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
