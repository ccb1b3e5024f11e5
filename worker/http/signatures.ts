/**
 * Signs text that a browser or a mailed link brings back, so that we need not store it. The first of the sealing keys signs;
 * every one verifies.
 */
import type { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { sealingKeys, type Env } from '../env.ts';
import { secretsEqual } from './secrets.ts';

type Keys = Pick<Env, 'SEALING_KEYS'>;

const signatureBy = (key: string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** How a signature is written: base64url, unless the caller has another way. */
type Encode = (signature: Buffer) => string;
const asBase64url: Encode = (signature) => signature.toString('base64url');

/** @param text begins with the purpose, so that no signature is valid for another one */
export function signatureOf(env: Keys, text: string, encode = asBase64url): string {
  const [key = ''] = sealingKeys(env);
  return encode(signatureBy(key, text));
}

/** Whether a signature is that of a text. */
export const isSignatureOf = (env: Keys, text: string, signature: string, encode = asBase64url): boolean =>
  sealingKeys(env).some((key) => secretsEqual(signature, encode(signatureBy(key, text))));
