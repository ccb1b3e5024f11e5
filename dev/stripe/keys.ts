/**
 * The publishable keys that browsers may call with. A server checks a key by creating a token with it
 * (https://docs.stripe.com/api/tokens/create_pii): Stripe rejects an unknown key, and only the key's own account can
 * read the token.
 */
import * as z from 'zod';
import type { Call } from './call.ts';
import { missing } from './errors.ts';
import { parseParameters } from './form.ts';
import { newObject } from './objects.ts';

export interface PublishableKeys {
  own: ReadonlySet<string>;
  /** Keys of other accounts. Stripe knows them, but they cannot access this account. */
  foreign: ReadonlySet<string>;
}

const personalData = z.strictObject({ id_number: z.string().min(1) });

const newToken = () => ({
  ...newObject('token', 'pii'),
  client_ip: null,
  type: 'pii',
  used: false,
});

/** `POST /v1/tokens` and `GET /v1/tokens/:id`; tokens are kept only in memory. */
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
