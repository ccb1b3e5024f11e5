/**
 * Signs text that a browser or a mailed link sends back, so that it does not have to be stored. The first of the
 * sealing keys signs; all of them can verify.
 */
import type { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { sealingKeys, type Env } from '../env.ts';
import { secretsEqual } from './secrets.ts';

type Keys = Pick<Env, 'SEALING_KEYS'>;

const signatureBy = (key: string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Encodes a signature; base64url by default. */
type Encode = (signature: Buffer) => string;
const asBase64url: Encode = (signature) => signature.toString('base64url');

/** @param text begins with the purpose, so that a signature is never valid for another purpose */
export function signatureOf(env: Keys, text: string, encode = asBase64url): string {
  const [key = ''] = sealingKeys(env);
  return encode(signatureBy(key, text));
}

/** Whether a signature belongs to a text. */
export const isSignatureOf = (env: Keys, text: string, signature: string, encode = asBase64url): boolean =>
  sealingKeys(env).some((key) => secretsEqual(signature, encode(signatureBy(key, text))));
