/** Events as the API shows them, and the two calls that only prove a key: the account's and its balance. */
import { z } from 'zod';
import { type Call } from './call.ts';
import { missing } from './errors.ts';
import { listParameters, parseParameters } from './form.ts';
import { listPage } from './lists.ts';
import { type StripeEvent } from './objects.ts';

/** `GET /v1/events/:id` */
export function retrieveEvent(call: Call): StripeEvent {
  parseParameters({}, call.form);
  const event = call.state.get('event', call.id);
  if (!event) throw missing('event', call.id, 'id');
  return event;
}

/** `GET /v1/events`, of one type or several. */
export function listEvents(call: Call) {
  const given = parseParameters(
    { ...listParameters, type: z.string().optional(), types: z.array(z.string()).max(20).optional() },
    call.form,
  );
  const types = given.types ?? (given.type === undefined ? [] : [given.type]);
  return listPage(call, 'event', '/v1/events', given, { type: types });
}

/** `GET /v1/account` */
export function retrieveAccount(call: Call) {
  parseParameters({}, call.form);
  return {
    id: 'acct_local',
    object: 'account',
    charges_enabled: true,
    country: 'US',
    default_currency: 'usd',
    details_submitted: true,
    email: null,
    payouts_enabled: true,
    type: 'standard',
  };
}

/** `GET /v1/balance`: what the payments that succeeded brought in, less the refunds. */
export function retrieveBalance(call: Call) {
  parseParameters({}, call.form);
  const totals = z.array(z.object({ amount: z.number(), currency: z.string() })).parse(
    call.state.database
      .prepare(
        `SELECT sum(json_extract(json, '$.amount_captured') - json_extract(json, '$.amount_refunded')) AS amount,
             json_extract(json, '$.currency') AS currency FROM objects WHERE kind = 'charge' GROUP BY 2`,
      )
      .all(),
  );
  const amounts = totals.length > 0 ? totals : [{ amount: 0, currency: 'usd' }];
  return {
    object: 'balance',
    available: amounts.map((total) => ({ ...total, source_types: { card: total.amount } })),
    livemode: false,
    pending: amounts.map(({ currency }) => ({ amount: 0, currency, source_types: { card: 0 } })),
  };
}
