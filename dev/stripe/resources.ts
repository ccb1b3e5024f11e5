/** What can be read of the API's objects, the same for all of them: one by its id, and a page of a list. */
import { z } from 'zod';
import type { Call } from './call.ts';
import { missing } from './errors.ts';
import { integer, parseParameters } from './form.ts';
import type { Kind } from './state.ts';

interface Resource {
  /** Its address, such as `/v1/charges`. */
  path: string;
  /** The fields by which its list can be narrowed; none where there is no list. */
  filters?: string[];
}

export const resources: Record<Kind, Resource> = {
  charge: { path: '/v1/charges', filters: ['payment_intent'] },
  event: { path: '/v1/events', filters: ['type'] },
  payment_intent: { path: '/v1/payment_intents', filters: [] },
  payment_method: { path: '/v1/payment_methods' },
  payment_method_domain: { path: '/v1/payment_method_domains', filters: ['domain_name'] },
  refund: { path: '/v1/refunds', filters: ['charge', 'payment_intent'] },
  webhook_endpoint: { path: '/v1/webhook_endpoints', filters: [] },
};

export const kinds = Object.keys(resources) as Kind[];

const bound = integer.optional();
const listParameters = {
  created: z.strictObject({ gt: bound, gte: bound, lt: bound, lte: bound }).optional(),
  limit: integer.pipe(z.number().min(1).max(100)).default(10),
  starting_after: z.string().optional(),
};

/** The object of a kind that a call names by its id, in the path or in a parameter. */
export function find<K extends Kind>(call: Call, kind: K, id = call.id, param = 'id') {
  const object = call.state.get(kind, id);
  if (!object) throw missing(kind === 'payment_method' ? 'PaymentMethod' : kind, id, param);
  return object;
}

/** `GET /v1/charges/:id`, and so on. */
export function retrieve(call: Call, kind: Kind) {
  parseParameters({}, call.form);
  return find(call, kind);
}

/** `GET /v1/charges`, and so on: newest first. */
export function list(call: Call, kind: Kind) {
  const { path: url, filters = [] } = resources[kind];
  const fieldParameters = Object.fromEntries(filters.map((name) => [name, z.string().optional()]));
  const given = parseParameters({ ...fieldParameters, ...listParameters }, call.form);
  const { created, limit, starting_after: startingAfter } = given;
  if (startingAfter !== undefined) find(call, kind, startingAfter, 'starting_after');
  const fields = z.object(fieldParameters).parse(call.form);
  const found = call.state.list(kind, { fields, created, startingAfter, limit: limit + 1 });
  return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit, url };
}
