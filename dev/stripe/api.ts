/**
 * Handles an API call in Stripe's order: key, address, idempotency, execution in one transaction, and a JSON response.
 */
import type { Call } from './call.ts';
import { refuse, refuseCall, serverTrouble, StripeFault } from './errors.ts';
import type { Fault, Faults } from './faults.ts';
import { decodeForm } from './form.ts';
import { type Answer, openIdempotency } from './idempotency.ts';
import { createToken, type PublishableKeys } from './keys.ts';
import { apiVersion, newId, type PaymentIntent } from './objects.ts';
import * as intents from './payment-intents.ts';
import { createPaymentMethod } from './payment-methods.ts';
import * as registrations from './registrations.ts';
import * as subscriptions from './subscriptions.ts';
import { createRefund } from './refunds.ts';
import { find, readingRoutes } from './resources.ts';
import type { State } from './state.ts';

interface Route {
  /** The method and path, with `:id` for an id. */
  call: string;
  execute: (call: Call) => unknown;
  /** Whether a browser may make the call with the publishable key. */
  isPublishable?: true;
}

const routes: Route[] = [
  { call: 'POST /v1/payment_methods', execute: createPaymentMethod, isPublishable: true },
  { call: 'POST /v1/payment_intents', execute: intents.createIntent },
  { call: 'GET /v1/payment_intents/:id', execute: intents.retrieveIntent, isPublishable: true },
  { call: 'POST /v1/payment_intents/:id', execute: intents.updateIntent },
  { call: 'POST /v1/payment_intents/:id/confirm', execute: intents.confirmIntent, isPublishable: true },
  { call: 'POST /v1/payment_intents/:id/cancel', execute: intents.cancelIntent },
  { call: 'POST /v1/refunds', execute: createRefund },
  { call: 'POST /v1/tokens', execute: createToken, isPublishable: true },
  { call: 'GET /v1/tokens/:id', execute: (call) => find(call, 'token') },
  { call: 'POST /v1/webhook_endpoints', execute: registrations.createEndpoint },
  { call: 'POST /v1/webhook_endpoints/:id', execute: registrations.updateEndpoint },
  { call: 'DELETE /v1/webhook_endpoints/:id', execute: registrations.removeEndpoint },
  { call: 'POST /v1/payment_method_domains', execute: registrations.createDomain },
  { call: 'POST /v1/payment_method_domains/:id', execute: registrations.updateDomain },
  { call: 'POST /v1/payment_method_domains/:id/validate', execute: registrations.validateDomain },
  { call: 'POST /v1/customers', execute: subscriptions.createCustomer },
  { call: 'DELETE /v1/customers/:id', execute: subscriptions.deleteCustomer },
  { call: 'POST /v1/coupons', execute: subscriptions.createCoupon },
  { call: 'POST /v1/products', execute: subscriptions.createProduct },
  { call: 'POST /v1/subscriptions', execute: subscriptions.createSubscription },
  { call: 'POST /v1/subscriptions/:id', execute: subscriptions.updateSubscription },
  { call: 'DELETE /v1/subscriptions/:id', execute: subscriptions.cancelSubscription },
  { call: 'POST /v1/invoices/:id/finalize', execute: subscriptions.finalizeInvoice },
  { call: 'POST /v1/invoices/:id/pay', execute: subscriptions.payInvoice },
  { call: 'POST /v1/invoices/:id/void', execute: subscriptions.voidInvoice },
  { call: 'POST /v1/billing_portal/sessions', execute: subscriptions.createPortalSession },
  ...readingRoutes,
];

function findRoute(method: string, path: string): { route: Route; id: string } {
  for (const route of routes) {
    const pattern = new RegExp(`^${route.call.replace(':id', '([^/]+)')}$`);
    const match = pattern.exec(`${method} ${path}`);
    if (match) return { route, id: decodeURIComponent(match[1] ?? '') };
  }
  throw refuseCall(404, `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs.`);
}

export interface ApiOptions {
  secretKey: string;
  keys: PublishableKeys;
  /** Restricted keys, each with its permissions, such as `payment_intent_write`. */
  restrictedKeys?: Readonly<Record<string, readonly string[]>> | undefined;
  faults: Faults;
  later: Call['later'];
  /** Called whenever a call has been executed. */
  afterChange: () => void;
}

/** The fields of an intent that browsers do not see. */
const secretFields = new Set<string>([
  'amount_received', 'application', 'customer', 'latest_charge', 'metadata', 'on_behalf_of', 'payment_method_options',
  'review', 'statement_descriptor', 'statement_descriptor_suffix', 'transfer_data', 'transfer_group',
] satisfies (keyof PaymentIntent)[]); // prettier-ignore

/** Returns an answer as a browser sees it, without the seller's private fields. */
function hideSecretFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('error' in value) return { error: hideSecretFields(value.error) };
  if ('payment_intent' in value) return { ...value, payment_intent: hideSecretFields(value.payment_intent) };
  if (!('object' in value) || value.object !== 'payment_intent') return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !secretFields.has(name)));
}

/**
 * The permission that a restricted key needs for a call: to read or to write the type of object in the path. Write
 * access includes read access. https://docs.stripe.com/keys/restricted-api-keys
 */
function permissionFor(method: string, path: string): { needed: string; sufficient: string[] } {
  const [, , ...names] = path.split('/');
  const kind = (names[0] === 'radar' ? `${names[0]}_${names[1] ?? ''}` : (names[0] ?? '')).replace(/s$/, '');
  const resource = kind
    .replace(/^webhook_endpoint$/, 'webhook')
    .replace(/^billing_portal$/, 'customer_portal')
    .replace(/^balance_transaction$/, 'balance_transaction_source');
  const sufficient = method === 'GET' ? [`${resource}_read`, `${resource}_write`] : [`${resource}_write`];
  return { needed: sufficient[0] ?? '', sufficient };
}

/** @throws {StripeFault} 403 for a restricted key that lacks the permission */
function checkPermission(key: string, permissions: readonly string[], method: string, path: string): void {
  const { needed, sufficient } = permissionFor(method, path);
  if (sufficient.some((permission) => permissions.includes(permission))) return;
  throw refuseCall(
    403,
    `The provided key '${key.slice(0, 8)}********${key.slice(-4)}' does not have the required permissions for this endpoint on account 'acct_emulator'. Having the 'rak_${needed}' permission would allow this request to continue.`,
  );
}

/**
 * These shapes belong to one version. A call without a version would get the account's default, which differs between
 * accounts. @throws {StripeFault} 400 https://docs.stripe.com/api/versioning
 */
function checkVersion(version: string | null): void {
  if (version !== apiVersion)
    throw refuse(
      `Invalid Stripe API version: ${version ?? 'none'}. The stand-in only supports ${apiVersion}.`,
    );
}

/**
 * Identifies the caller: a browser has a publishable key, and a restricted key has `permissions`.
 * @throws {StripeFault} 401 for a key that Stripe does not know
 */
function identify(headers: Headers, { secretKey, keys, restrictedKeys = {} }: ApiOptions) {
  const key = /^Bearer (.+)$/i.exec(headers.get('Authorization') ?? '')?.[1];
  if (!key) throw refuseCall(401, 'You did not provide an API key.');
  const isForeign = keys.foreign.has(key);
  const isPublishable = isForeign || keys.own.has(key);
  const permissions = restrictedKeys[key];
  if (key !== secretKey && !isPublishable && !permissions)
    throw refuseCall(401, `Invalid API Key provided: ${key.slice(0, 8)}********${key.slice(-4)}`);
  if (!isPublishable) checkVersion(headers.get('Stripe-Version'));
  return { key, permissions, isPublishable, isForeign };
}

const toAnswer = (status: number, value: unknown, isPublishable: boolean): Answer => ({
  status,
  body: JSON.stringify(isPublishable ? hideSecretFields(value) : value, null, 2),
});

function toRefusal(error: unknown, isPublishable: boolean): Answer {
  if (!(error instanceof StripeFault)) console.error('The Stripe emulator failed:', error);
  const fault = error instanceof StripeFault ? error : serverTrouble(500);
  return toAnswer(fault.status, { error: fault.error }, isPublishable);
}

/** A browser may call from any page. */
const forAnyPage = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': 'Authorization' };

/** The API over `state`. Answers one request, or returns undefined to close the connection without a response. */
export function openApi(state: State, options: ApiOptions) {
  const { faults, later, afterChange } = options;
  const answerOnce = openIdempotency(state);

  /** Executes a call, with the faults that a test has planned. @throws {StripeFault} for invalid parameters */
  async function carryOut(route: Route, call: Call, fault: Fault | undefined): Promise<Answer> {
    try {
      if (fault?.kind === 'hold') await faults.untilCleared();
      if (fault?.kind === 'error-before') throw serverTrouble(fault.status);
      const done = state.transact(() => route.execute(call));
      return toAnswer(200, done, call.isPublishable);
    } catch (error) {
      if (error instanceof StripeFault && error.isValidation) throw error;
      return toRefusal(error, call.isPublishable);
    } finally {
      afterChange();
    }
  }

  /** Executes a call once per key. @throws {StripeFault} if the call cannot start */
  async function answerCall({ method, url, headers }: Request, body: string) {
    const { pathname, search } = new URL(url);
    const { key, permissions, isPublishable, isForeign } = identify(headers, options);
    const { route, id } = findRoute(method, pathname);
    if (isPublishable && !route.isPublishable)
      throw refuseCall(
        403,
        'This API call cannot be made with a publishable API key. Please use a secret API key.',
        'secret_key_required',
      );
    const idempotencyKey = method === 'POST' ? headers.get('Idempotency-Key') : null;
    const form = decodeForm(method === 'GET' ? search.slice(1) : body);
    if (permissions) {
      checkPermission(key, permissions, method, pathname);
      // The key must also be able to read what the call expands.
      if (JSON.stringify(form['expand'] ?? '').includes('balance_transaction'))
        checkPermission(key, permissions, 'GET', '/v1/balance_transactions');
    }
    let fault: Fault | undefined;
    const answer = await answerOnce(
      idempotencyKey ?? undefined,
      `${pathname} ${JSON.stringify(form)}`,
      () => {
        fault = faults.take(method, pathname);
        return carryOut(route, { state, later, form, id, isPublishable, isForeign }, fault);
      },
    );
    return fault?.kind === 'disconnect-after' ? undefined : answer;
  }

  return async function answerRequest(request: Request): Promise<Response | undefined> {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: forAnyPage });
    const body = await request.text();
    let answer: Answer | undefined;
    try {
      answer = await answerCall(request, body);
    } catch (error) {
      answer = toRefusal(error, false);
    }
    if (!answer) return undefined;
    const headers = { ...forAnyPage, 'Content-Type': 'application/json', 'Request-Id': newId('req') };
    return new Response(answer.body, { status: answer.status, headers });
  };
}
