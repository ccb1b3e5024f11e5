/**
 * Encrypts queued emails, so that a copy of the database without the settings reveals nothing. Uses AES-256-GCM, with
 * key and nonce derived from a key in the settings and a random salt, as in RFC 8188. It uses no other secret, so
 * rotating another secret loses no queued email.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const encoding = 'base64';

function deriveKey(secret: string, salt: string) {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, salt, 'mail outbox', 44));
  return { key: bytes.subarray(0, 32), nonce: bytes.subarray(32) };
}

/**
 * Encrypts a text.
 * @param keys the keys in the settings (`sealingKeys`); the first one encrypts
 * @param context identifies what the text belongs to; only the same context decrypts it
 * @returns salt, tag and ciphertext, separated by dots
 */
export function seal([first = '']: readonly string[], context: string, text: string): string {
  const salt = randomBytes(16).toString(encoding);
  const { key, nonce } = deriveKey(first, salt);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(new TextEncoder().encode(context));
  const sealed = cipher.update(text, 'utf8', encoding) + cipher.final(encoding);
  return [salt, cipher.getAuthTag().toString(encoding), sealed].join('.');
}

function unsealWith(secret: string, context: string, text: string): string {
  const [salt = '', tag = '', sealed = ''] = text.split('.');
  const { key, nonce } = deriveKey(secret, salt);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: 16 })
    .setAAD(new TextEncoder().encode(context))
    .setAuthTag(Uint8Array.from(atob(tag), (character) => character.charCodeAt(0)));
  return decipher.update(sealed, encoding, 'utf8') + decipher.final('utf8');
}

/**
 * Decrypts a text.
 * @param keys the keys in the settings; each is tried
 * @throws if no key fits, the context differs, or the text was altered
 */
export function unseal(keys: readonly string[], context: string, text: string): string {
  let failure: unknown;
  for (const key of keys) {
    try {
      return unsealWith(key, context, text);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
