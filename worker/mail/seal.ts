/**
 * Seals text that waits in the database, so that a copy of the database alone gives nothing away: AES-256-GCM under a
 * key derived from a secret of the Worker.
 */
import { Buffer } from 'node:buffer';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

const deriveKey = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'mail outbox', 32));

/**
 * @param secret a secret of the Worker
 * @param context what the text belongs to; only the same context opens it
 * @returns base64 of IV, tag and ciphertext
 */
export function seal(secret: string, context: string, text: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret), iv).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** @throws when secret or context are not those it was sealed with, or the text was altered */
export function unseal(secret: string, context: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(secret), bytes.subarray(0, ivBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  );
}
