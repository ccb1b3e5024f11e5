/** The read calls, which are the same for all API objects: one object by its id, and a page of a list. */
import * as z from 'zod';
import type { Call } from './call.ts';
import { missing } from './errors.ts';
import { integer, parseParameters } from './form.ts';
import type { Kind, Selection } from './state.ts';

const id = z.string().optional();
const payingIntent = z
  .strictObject({ type: z.literal('payment_intent'), payment_intent: z.string() })
  .transform(({ payment_intent }) => payment_intent);

/**
 * The kinds with read calls, and the parameters that narrow their lists. Discounts only appear inside other objects,
 * and tokens have no list.
 */
const filters: Record<Exclude<Kind, 'discount' | 'token'>, z.ZodRawShape> = {
  balance_transaction: {},
  'billing_portal.session': {},
  charge: { payment_intent: id },
  coupon: {},
  customer: {},
  dispute: { payment_intent: id },
  'radar.early_fraud_warning': {},
  event: { types: z.array(z.string()).max(20).optional() },
  invoice: { status: z.enum(['draft', 'open', 'paid', 'void']).optional(), subscription: id },
  invoice_payment: { payment: payingIntent.optional() },
  payment_intent: {},
  payment_method: {},
  payment_method_domain: { domain_name: id },
  price: {},
  product: {},
  refund: { charge: id, payment_intent: id },
  subscription: {},
  webhook_endpoint: {},
};
type ReadableKind = keyof typeof filters;

/** The path of the field that a filter applies to, if it is not the filter's own name. */
const filteredFields: Record<string, string> = {
  payment: 'payment.payment_intent',
  subscription: 'parent.subscription_details.subscription',
  types: 'type',
};

/** What the read calls of a kind can expand. */
export const expansions: Partial<Record<Kind, string[]>> = {
  invoice: ['payments'],
  payment_intent: ['latest_charge', 'latest_charge.balance_transaction'],
  subscription: ['customer', 'default_payment_method', 'discounts', 'latest_invoice'],
};

/** The kind of the objects whose ids a field contains. */
const references: Record<string, Kind> = {
  balance_transaction: 'balance_transaction',
  customer: 'customer',
  default_payment_method: 'payment_method',
  discounts: 'discount',
  latest_charge: 'charge',
  latest_invoice: 'invoice',
};

/** The object of a kind whose id is in the path of a call or in a parameter. */
export function find<K extends Kind>(call: Call, kind: K, id = call.id, param = 'id') {
  const object = call.state.get(kind, id);
  if (!object) throw missing(kind === 'payment_method' ? 'PaymentMethod' : kind, id, param);
  return object;
}

/** The parameter `expand`, which takes some paths. */
export const expandParameter = (paths: string[] = []) => z.array(z.enum(paths)).default([]);

/** Replaces the ids at some paths, such as `latest_charge.balance_transaction`, with their objects. */
export function expand(call: Call, object: object, paths: readonly string[]): object {
  let expanded: Record<string, unknown> = { ...object };
  for (const path of paths) {
    const [field = '', ...rest] = path.split('.');
    const below = rest.length > 0 ? [rest.join('.')] : [];
    const follow = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(follow);
      if (typeof value === 'string') return expand(call, findReferenced(call, field, value), below);
      return typeof value === 'object' && value !== null ? expand(call, value, below) : value;
    };
    const value = field === 'payments' ? paymentsOf(call, String(expanded['id'])) : expanded[field];
    expanded = { ...expanded, [field]: follow(value) };
  }
  return expanded;
}

function findReferenced(call: Call, field: string, id: string): object {
  const kind = references[field];
  if (!kind) throw new Error(`The field ${field} contains no references.`);
  const isDeleted = kind === 'customer' && !call.state.get(kind, id);
  return isDeleted ? { id, object: 'customer', deleted: true } : find(call, kind, id);
}

/** The payments of an invoice. The invoice contains them only if they are expanded. */
const paymentsOf = (call: Call, invoice: string) => ({
  object: 'list',
  data: call.state.list('invoice_payment', { fields: { invoice } }),
  has_more: false,
  url: `/v1/invoice_payments?invoice=${invoice}`,
});

/** For example, `/v1/charges` and `/v1/radar/early_fraud_warnings`. */
const pathOf = (kind: Kind) => `/v1/${kind.replace('.', '/')}s`;

/** `GET /v1/charges/:id`, and so on. */
function retrieve(call: Call, kind: ReadableKind): object {
  const given = parseParameters({ expand: expandParameter(expansions[kind]) }, call.form);
  return expand(call, find(call, kind), given.expand);
}

const range = z.strictObject({ gte: integer, lte: integer.optional() });

/** `GET /v1/charges`, and so on: a page of the list, newest first. */
function list(call: Call, kind: ReadableKind): object {
  const {
    created,
    limit,
    starting_after,
    expand: paths,
    ...given
  } = parseParameters(
    {
      ...filters[kind],
      created: range.optional(),
      expand: expandParameter(expansions[kind]?.map((path) => `data.${path}`)),
      limit: integer.pipe(z.number().min(1).max(100)).default(10),
      starting_after: id,
    },
    call.form,
  );
  if (starting_after !== undefined) find(call, kind, starting_after, 'starting_after');
  // The values of the filters are texts, or lists of texts.
  const fields = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [filteredFields[name] ?? name, value]),
  ) as NonNullable<Selection['fields']>;
  const found = call.state.list(kind, { fields, created, startingAfter: starting_after, limit: limit + 1 });
  const page = {
    object: 'list',
    data: found.slice(0, limit),
    has_more: found.length > limit,
    url: pathOf(kind),
  };
  return expand(call, page, paths);
}

export const readingRoutes = (Object.keys(filters) as ReadableKind[]).flatMap((kind) => [
  { call: `GET ${pathOf(kind)}/:id`, execute: (call: Call): unknown => retrieve(call, kind) },
  { call: `GET ${pathOf(kind)}`, execute: (call: Call): unknown => list(call, kind) },
]);
