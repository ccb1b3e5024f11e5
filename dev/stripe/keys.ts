/**
 * The publishable keys that browsers may call with. A server checks one by creating a token with it
 * (https://docs.stripe.com/api/tokens/create_pii): Stripe refuses an unknown key, and only the key's own account can read
 * the token.
 */
import * as z from 'zod';
import type { Call } from './call.ts';
import { missing } from './errors.ts';
import { parseParameters } from './form.ts';
import { newId, nowSeconds } from './objects.ts';

export interface PublishableKeys {
  /** Of the account. */
  own: ReadonlySet<string>;
  /** Of other accounts: Stripe knows them, and they reach nothing of this one. */
  foreign: ReadonlySet<string>;
}

const personalData = z.strictObject({ id_number: z.string().min(1) });

const newToken = () => ({
  id: newId('pii'),
  object: 'token',
  client_ip: null,
  created: nowSeconds(),
  livemode: false,
  type: 'pii',
  used: false,
});

/** `POST /v1/tokens` and `GET /v1/tokens/:id`; the tokens are kept in memory, as long as nobody needs them longer. */
export function openTokens() {
  const made = new Map<string, ReturnType<typeof newToken>>();
  return {
    create: (call: Call) => {
      parseParameters({ pii: personalData }, call.form);
      const token = newToken();
      if (!call.isForeign) made.set(token.id, token);
      return token;
    },
    retrieve: (call: Call) => {
      const token = made.get(call.id);
      if (!token) throw missing('token', call.id, 'token');
      return token;
    },
  };
}
