/** The reading calls, which are the same for all objects of the API: one object by its id, and a page of a list. */
import * as z from 'zod';
import type { Call } from './call.ts';
import { missing } from './errors.ts';
import { integer, parseParameters } from './form.ts';
import type { Kind, Selection } from './state.ts';

/** The fields by which the list of each kind can be narrowed. */
const filters: Record<Kind, string[]> = {
  balance_transaction: [],
  'billing_portal.session': [],
  charge: ['payment_intent'],
  coupon: [],
  customer: [],
  discount: [],
  dispute: ['payment_intent'],
  'radar.early_fraud_warning': ['payment_intent'],
  event: [],
  invoice: [],
  invoice_payment: [],
  payment_intent: [],
  payment_method: [],
  payment_method_domain: ['domain_name'],
  price: [],
  product: [],
  refund: ['charge', 'payment_intent'],
  subscription: ['customer'],
  webhook_endpoint: [],
};

const listParameters = {
  created: z.strictObject({ gte: integer, lte: integer.optional() }).optional(),
  limit: integer.pipe(z.number().min(1).max(100)).default(10),
  starting_after: z.string().optional(),
};

/** The object of a kind whose id is in the path of a call or in a parameter. */
export function find<K extends Kind>(call: Call, kind: K, id = call.id, param = 'id') {
  const object = call.state.get(kind, id);
  if (!object) throw missing(kind === 'payment_method' ? 'PaymentMethod' : kind, id, param);
  return object;
}

/** What the calls about intents can expand. The second one expands the charge too. */
export const chargeExpansions = ['latest_charge', 'latest_charge.balance_transaction'] as const;

/** Expands an intent's charge, and the charge's balance transaction. Returns any other object unchanged. */
export function expandCharge(call: Call, object: object, expand: readonly string[]): object {
  if (expand.length === 0 || !('latest_charge' in object) || typeof object.latest_charge !== 'string')
    return object;
  const charge = find(call, 'charge', object.latest_charge);
  const booked = expand.some((path) => path.endsWith('.balance_transaction')) && charge.balance_transaction;
  const expanded = booked
    ? { ...charge, balance_transaction: find(call, 'balance_transaction', booked) }
    : charge;
  return { ...object, latest_charge: expanded };
}

/** Such as `/v1/charges` and `/v1/radar/early_fraud_warnings`. */
const pathOf = (kind: Kind) => `/v1/${kind.replace('.', '/')}s`;

/** `GET /v1/charges/:id`, and so on. */
function retrieve(call: Call, kind: Kind) {
  parseParameters({}, call.form);
  return find(call, kind);
}

/** A page of a list, newest first. */
export function pageOf<K extends Kind>(call: Call, kind: K, selection: Selection & { limit: number }) {
  const { limit } = selection;
  const found = call.state.list(kind, { ...selection, limit: limit + 1 });
  return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit, url: pathOf(kind) };
}

/** `GET /v1/charges`, and so on. */
function list(call: Call, kind: Kind) {
  const fieldParameters = Object.fromEntries(filters[kind].map((name) => [name, z.string().optional()]));
  const typeParameters = { types: z.array(z.string()).max(20).optional() };
  const expansions = chargeExpansions.map((path) => `data.${path}` as const);
  const expandParameters = { expand: z.array(z.enum(expansions)).default([]) };
  const given = parseParameters(
    {
      ...fieldParameters,
      ...listParameters,
      ...(kind === 'event' && typeParameters),
      ...(kind === 'payment_intent' && expandParameters),
    },
    call.form,
  );
  const { created, limit, starting_after: startingAfter } = given;
  const types = z.object(typeParameters).parse(call.form).types;
  if (startingAfter !== undefined) find(call, kind, startingAfter, 'starting_after');
  const fields = z.object(fieldParameters).parse(call.form);
  const range = { since: created?.gte, until: created?.lte, startingAfter, limit };
  const page = pageOf(call, kind, { fields, types, ...range });
  const { expand } = z.object(expandParameters).parse(call.form);
  return { ...page, data: page.data.map((object) => expandCharge(call, object, expand)) };
}

/** The two reading calls of every kind except discounts, which Stripe shows only inside other objects. */
export const readingRoutes = (Object.keys(filters) as Kind[])
  .filter((kind) => kind !== 'discount')
  .flatMap((kind) => [
    { call: `GET ${pathOf(kind)}/:id`, execute: (call: Call): unknown => retrieve(call, kind) },
    { call: `GET ${pathOf(kind)}`, execute: (call: Call): unknown => list(call, kind) },
  ]);
