/**
 * The way of a call through the API, in Stripe's order: key, address, idempotency, execution in one transaction, and an
 * answer or a refusal as JSON.
 */
import { setTimeout as pause } from 'node:timers/promises';
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

/** A test wants the connection cut in place of an answer. */
class Disconnect extends Error {}

/** The API over `state`: answers one request, or undefined when the connection is to be cut without an answer. */
export function openApi(state: State, options: ApiOptions) {
  const { faults, onProcessing, afterChange } = options;
  const idempotency = openIdempotency(state);

  function isBrowser(request: ApiRequest): boolean {
    const key = /^Bearer (.+)$/i.exec(request.authorization ?? '')?.[1];
    if (!key) throw refuseCall(401, 'You did not provide an API key.');
    if (key !== options.secretKey && key !== options.publishableKey)
      throw refuseCall(401, `Invalid API Key provided: ${key.slice(0, 8)}********${key.slice(-4)}`);
    return key === options.publishableKey;
  }

  function execute(route: Route, call: Call, fault: Fault | undefined): unknown {
    try {
      if (fault?.kind === 'error-before') throw serverTrouble(fault.status);
      const result = state.transact(() => route.execute(call));
      if (fault?.kind === 'error-after') throw serverTrouble(fault.status);
      return result;
    } finally {
      afterChange();
    }
  }

  const toAnswer = (status: number, value: unknown, isPublishable: boolean): Answer => ({
    status,
    body: JSON.stringify(isPublishable ? hideSecretFields(value) : value, null, 2),
  });

  function refuse(error: unknown, isPublishable: boolean): Answer {
    if (!(error instanceof StripeFault)) console.error('The Stripe emulator failed:', error);
    const fault = error instanceof StripeFault ? error : serverTrouble(500);
    return toAnswer(fault.status, { error: fault.error }, isPublishable);
  }

  /** Executes a call as a test may want it to go wrong. @throws {StripeFault} parameters that do not hold */
  async function carryOut(route: Route, call: Call, fault: Fault | undefined): Promise<Answer> {
    if (fault?.kind === 'delay') await pause(fault.delayMs);
    try {
      return toAnswer(200, execute(route, call, fault), call.isPublishable);
    } catch (error) {
      if (error instanceof StripeFault && error.isValidation) throw error;
      return refuse(error, call.isPublishable);
    }
  }

  async function answer(request: ApiRequest, requestId: string) {
    const isPublishable = isBrowser(request);
    const { method, url } = request;
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
    const answered = await idempotency.answerOnce(key, `${url.pathname} ${JSON.stringify(form)}`, () => {
      fault = faults.take(method, url.pathname);
      if (fault?.kind === 'disconnect-before') throw new Disconnect();
      const details = { form, id, isPublishable, requestId, idempotencyKey: key ?? null };
      return carryOut(route, { ...ownCall(state, onProcessing), ...details }, fault);
    });
    if (fault?.kind === 'disconnect-after') throw new Disconnect();
    return answered;
  }

  return async function answerCall(request: ApiRequest): Promise<ApiAnswer | undefined> {
    const requestId = newId('req');
    try {
      return { ...(await answer(request, requestId)), requestId };
    } catch (error) {
      return error instanceof Disconnect
        ? undefined
        : { ...refuse(error, false), requestId, isReplayed: false };
    }
  };
}
