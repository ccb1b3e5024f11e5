/**
 * The way of a call through the API, in Stripe's order: key, address, idempotency, execution in one transaction, and an
 * answer or a refusal as JSON.
 */
import { type Call, ownCall } from './call.ts';
import { refuseCall, serverTrouble, StripeFault } from './errors.ts';
import type { Fault, Faults } from './faults.ts';
import { decodeForm } from './form.ts';
import { type Answer, openIdempotency } from './idempotency.ts';
import { newId, type PaymentIntent } from './objects.ts';
import { cancelIntent, confirmIntent, createIntent, retrieveIntent } from './payment-intents.ts';
import { createPaymentMethod } from './payment-methods.ts';
import {
  createDomain,
  createEndpoint,
  updateDomain,
  updateEndpoint,
  validateDomain,
} from './registrations.ts';
import { createRefund } from './refunds.ts';
import { kinds, list, resources, retrieve } from './resources.ts';
import type { Kind, State } from './state.ts';

interface Route {
  /** Method and path, with `:id` where an id stands. */
  call: string;
  execute: (call: Call) => unknown;
  /** Whether a browser may ask, with the publishable key. */
  isPublishable?: true;
}

const readingRoutes = (kind: Kind): Route[] => [
  { call: `GET ${resources[kind].path}/:id`, execute: (call) => retrieve(call, kind) },
  ...(resources[kind].filters
    ? [{ call: `GET ${resources[kind].path}`, execute: (call: Call) => list(call, kind) }]
    : []),
];

const routes: Route[] = [
  { call: 'POST /v1/payment_methods', execute: createPaymentMethod, isPublishable: true },
  { call: 'POST /v1/payment_intents', execute: createIntent },
  { call: 'GET /v1/payment_intents/:id', execute: retrieveIntent, isPublishable: true },
  { call: 'POST /v1/payment_intents/:id/confirm', execute: confirmIntent, isPublishable: true },
  { call: 'POST /v1/payment_intents/:id/cancel', execute: cancelIntent },
  { call: 'POST /v1/refunds', execute: createRefund },
  { call: 'POST /v1/webhook_endpoints', execute: createEndpoint },
  { call: 'POST /v1/webhook_endpoints/:id', execute: updateEndpoint },
  { call: 'POST /v1/payment_method_domains', execute: createDomain },
  { call: 'POST /v1/payment_method_domains/:id', execute: updateDomain },
  { call: 'POST /v1/payment_method_domains/:id/validate', execute: validateDomain },
  ...kinds.flatMap(readingRoutes),
];

function findRoute(method: string, path: string): { route: Route; id: string } {
  for (const route of routes) {
    const pattern = new RegExp(`^${route.call.replace(':id', '([^/]+)')}$`);
    const match = pattern.exec(`${method} ${path}`);
    if (match) return { route, id: decodeURIComponent(match[1] ?? '') };
  }
  throw refuseCall(404, `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs.`);
}

/** An HTTP request to the API, its body read. */
export interface ApiRequest {
  method: string;
  url: URL;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  body: string;
}

export type ApiAnswer = Answer & { requestId: string; isReplayed: boolean };

export interface ApiOptions {
  secretKey: string;
  publishableKey: string;
  faults: Faults;
  onProcessing: Call['onProcessing'];
  /** Called whenever a call has been executed. */
  afterChange: () => void;
}

/** The fields of an intent that a browser is not shown. */
const secretFields = new Set<string>([
  'amount_received', 'application', 'customer', 'latest_charge', 'metadata', 'on_behalf_of', 'payment_method_options',
  'review', 'statement_descriptor', 'statement_descriptor_suffix', 'transfer_data', 'transfer_group',
] satisfies (keyof PaymentIntent)[]); // prettier-ignore

/** What a browser is shown of an answer: the same, without what is the seller's own business. */
function hideSecretFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('error' in value) return { error: hideSecretFields(value.error) };
  if ('payment_intent' in value) return { ...value, payment_intent: hideSecretFields(value.payment_intent) };
  if (!('object' in value) || value.object !== 'payment_intent') return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !secretFields.has(name)));
}

/** Whether a browser asks, with the publishable key. @throws {StripeFault} 401 for a key that is neither of the two */
function isBrowser(authorization: string | undefined, { secretKey, publishableKey }: ApiOptions): boolean {
  const key = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
  if (!key) throw refuseCall(401, 'You did not provide an API key.');
  if (key !== secretKey && key !== publishableKey)
    throw refuseCall(401, `Invalid API Key provided: ${key.slice(0, 8)}********${key.slice(-4)}`);
  return key === publishableKey;
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

/** The API over `state`: answers one request, or undefined when the connection is to be cut without an answer. */
export function openApi(state: State, options: ApiOptions) {
  const { faults, onProcessing, afterChange } = options;
  const answerOnce = openIdempotency(state);

  /** Executes a call as a test may want it to go wrong. @throws {StripeFault} parameters that do not hold */
  function carryOut(route: Route, call: Call, fault: Fault | undefined): Answer {
    try {
      if (fault?.kind === 'error-before') throw serverTrouble(fault.status);
      return toAnswer(
        200,
        state.transact(() => route.execute(call)),
        call.isPublishable,
      );
    } catch (error) {
      if (error instanceof StripeFault && error.isValidation) throw error;
      return toRefusal(error, call.isPublishable);
    } finally {
      afterChange();
    }
  }

  return function answerCall(request: ApiRequest): ApiAnswer | undefined {
    const { method, url } = request;
    const requestId = newId('req');
    try {
      const isPublishable = isBrowser(request.authorization, options);
      const { route, id } = findRoute(method, url.pathname);
      if (isPublishable && !route.isPublishable)
        throw refuseCall(
          403,
          'This API call cannot be made with a publishable API key. Please use a secret API key.',
          'secret_key_required',
        );
      const key = method === 'POST' ? request.idempotencyKey : undefined;
      const form = decodeForm(method === 'GET' ? url.search.slice(1) : request.body);
      let fault: Fault | undefined;
      const answer = answerOnce(key, `${url.pathname} ${JSON.stringify(form)}`, () => {
        fault = faults.take(method, url.pathname);
        const details = { form, id, isPublishable, requestId, idempotencyKey: key ?? null };
        return carryOut(route, { ...ownCall(state, onProcessing), ...details }, fault);
      });
      return fault?.kind === 'disconnect-after' ? undefined : { ...answer, requestId };
    } catch (error) {
      return { ...toRefusal(error, false), requestId, isReplayed: false };
    }
  };
}
