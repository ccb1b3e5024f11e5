/**
 * Signs text that a browser or a mailed link brings back, so that we need not store it. The first of the sealing keys signs;
 * every one verifies.
 */
import { createHmac } from 'node:crypto';
import { sealingKeys, type Env } from '../env.ts';
import { secretsEqual } from './secrets.ts';

type Keys = Pick<Env, 'SEALING_KEYS'>;

const signatureBy = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** @param text begins with the purpose, so that no signature is valid for another one */
export function signatureOf(env: Keys, text: string): string {
  const [key = ''] = sealingKeys(env);
  return signatureBy(key, text);
}

/** Whether a signature is that of a text. */
export const isSignatureOf = (env: Keys, text: string, signature: string): boolean =>
  sealingKeys(env).some((key) => secretsEqual(signature, signatureBy(key, text)));
