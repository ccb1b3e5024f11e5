/**
 * Signs text that a browser or an emailed link sends back, so that it does not have to be stored. The first of the
 * sealing keys signs; all of them can verify.
 */
import { createHmac } from 'node:crypto';
import { sealingKeys, type Env } from '../env.ts';
import { toBase64Url } from './base64url.ts';
import { secretsEqual } from './secrets.ts';

type Keys = Pick<Env, 'SEALING_KEYS'>;

const signatureBy = (key: string, text: string): Uint8Array =>
  createHmac('sha256', key).update(text).digest();

/** @param text begins with the purpose, so that a signature is never valid for another purpose */
export function signatureOf(env: Keys, text: string, encode = toBase64Url): string {
  const [key = ''] = sealingKeys(env);
  return encode(signatureBy(key, text));
}

export const isSignatureOf = (env: Keys, text: string, signature: string, encode = toBase64Url): boolean =>
  sealingKeys(env).some((key) => secretsEqual(signature, encode(signatureBy(key, text))));
