/**
 * The publishable keys that browsers may call with. A server checks a key by creating a token with it
 * (https://docs.stripe.com/api/tokens/create_pii): Stripe rejects an unknown key, and only the key's own account can
 * read the token.
 */
import * as z from 'zod';
import type { Call } from './call.ts';
import { parseParameters } from './form.ts';
import { newObject, type Token } from './objects.ts';

export interface PublishableKeys {
  own: ReadonlySet<string>;
  /** Keys of other accounts. Stripe knows them, but they cannot access this account. */
  foreign: ReadonlySet<string>;
}

const personalData = z.strictObject({ id_number: z.string().min(1) });

/** `POST /v1/tokens`. A token of another account's key is not stored, so this account cannot read it. */
export function createToken(call: Call): Token {
  parseParameters({ pii: personalData }, call.form);
  const token: Token = { ...newObject('token', 'pii'), client_ip: null, type: 'pii', used: false };
  return call.isForeign ? token : call.state.put('token', token);
}
