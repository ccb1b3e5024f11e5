/**
 * The way of a call through the API, in Stripe's order: key, address, idempotency, execution in one transaction, and an
 * answer or a refusal as JSON.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Call } from './call.ts';
import { secretKeyRequired, serverTrouble, StripeFault, unauthenticated, unknownCall } from './errors.ts';
import { listEvents, retrieveAccount, retrieveBalance, retrieveEvent } from './events.ts';
import { type Fault, type openFaults } from './faults.ts';
import { decodeForm, type Form } from './form.ts';
import { type Answer, openIdempotency } from './idempotency.ts';
import { expandPaths } from './lists.ts';
import { newId, type PaymentIntent } from './objects.ts';
import {
  cancelIntent,
  confirmIntent,
  createIntent,
  listIntents,
  retrieveIntent,
  updateIntent,
} from './payment-intents.ts';
import { createPaymentMethod, createToken, retrievePaymentMethod } from './payment-methods.ts';
import { createRefund, listCharges, listRefunds, retrieveCharge, retrieveRefund } from './refunds.ts';
import { type State } from './state.ts';

interface Route {
  method: 'GET' | 'POST';
  /** The path, with `:id` where an id stands. */
  path: string;
  execute: (call: Call) => unknown;
  /** Whether a browser may ask, with the publishable key. */
  isPublishable?: true;
}

const routes: Route[] = [
  { method: 'POST', path: '/v1/payment_methods', execute: createPaymentMethod, isPublishable: true },
  { method: 'GET', path: '/v1/payment_methods/:id', execute: retrievePaymentMethod },
  { method: 'POST', path: '/v1/tokens', execute: createToken, isPublishable: true },
  { method: 'GET', path: '/v1/payment_intents', execute: listIntents },
  { method: 'POST', path: '/v1/payment_intents', execute: createIntent },
  { method: 'GET', path: '/v1/payment_intents/:id', execute: retrieveIntent, isPublishable: true },
  { method: 'POST', path: '/v1/payment_intents/:id', execute: updateIntent },
  { method: 'POST', path: '/v1/payment_intents/:id/confirm', execute: confirmIntent, isPublishable: true },
  { method: 'POST', path: '/v1/payment_intents/:id/cancel', execute: cancelIntent },
  { method: 'GET', path: '/v1/charges', execute: listCharges },
  { method: 'GET', path: '/v1/charges/:id', execute: retrieveCharge },
  { method: 'GET', path: '/v1/refunds', execute: listRefunds },
  { method: 'POST', path: '/v1/refunds', execute: createRefund },
  { method: 'GET', path: '/v1/refunds/:id', execute: retrieveRefund },
  { method: 'GET', path: '/v1/events', execute: listEvents },
  { method: 'GET', path: '/v1/events/:id', execute: retrieveEvent },
  { method: 'GET', path: '/v1/balance', execute: retrieveBalance },
  { method: 'GET', path: '/v1/account', execute: retrieveAccount },
];

function findRoute(method: string, path: string): { route: Route; id: string } {
  const parts = path.split('/');
  for (const route of routes) {
    const pattern = route.path.split('/');
    const fits =
      route.method === method &&
      pattern.length === parts.length &&
      pattern.every((part, index) => (part === ':id' ? parts[index] !== '' : part === parts[index]));
    if (fits) return { route, id: decodeURIComponent(parts[pattern.indexOf(':id')] ?? '') };
  }
  throw unknownCall(method, path);
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
  processingMs: number | null;
}

/** The key of `Authorization: Bearer key`, or of Basic with the key as its user. */
function readKey(authorization = ''): string | undefined {
  const [scheme = '', credentials = ''] = authorization.split(' ');
  if (scheme.toLowerCase() === 'bearer') return credentials;
  if (scheme.toLowerCase() === 'basic') return atob(credentials).split(':')[0];
  return undefined;
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

/**
 * The API over `state`: answers one request, or undefined when the connection is to be cut without an answer.
 * `afterChange` is called whenever a call has been executed.
 */
export function openApi(
  state: State,
  faults: ReturnType<typeof openFaults>,
  options: ApiOptions,
  afterChange: () => void,
) {
  const idempotency = openIdempotency(state);

  function authenticate(request: ApiRequest): { isPublishable: boolean } {
    const key = readKey(request.authorization);
    if (key === options.secretKey) return { isPublishable: false };
    if (key === options.publishableKey) return { isPublishable: true };
    throw unauthenticated(key);
  }

  function execute(route: Route, call: Call, fault: Fault | undefined): Answer {
    try {
      if (fault?.kind === 'error-before') throw serverTrouble(fault.status);
      const result = state.transact(() => route.execute(call));
      if (fault?.kind === 'error-after') throw serverTrouble(fault.status);
      const { expand } = call.form;
      const paths = Array.isArray(expand) ? expand.filter((path) => typeof path === 'string') : [];
      const shown = call.isPublishable ? hideSecretFields(result) : expandPaths(state, result, paths);
      return { status: 200, body: JSON.stringify(shown, null, 2) };
    } finally {
      afterChange();
    }
  }

  function toAnswer(error: unknown, isPublishable: boolean): Answer & { isValidation: boolean } {
    if (!(error instanceof StripeFault)) console.error('The Stripe emulator failed:', error);
    const fault = error instanceof StripeFault ? error : serverTrouble(500);
    const shown = isPublishable ? hideSecretFields({ error: fault.error }) : { error: fault.error };
    return { status: fault.status, body: JSON.stringify(shown, null, 2), isValidation: fault.isValidation };
  }

  async function answerOnce(
    request: ApiRequest,
    form: Form,
    requestId: string,
  ): Promise<(Answer & { isReplayed: boolean }) | undefined> {
    const { isPublishable } = authenticate(request);
    const { method, url } = request;
    const { route, id } = findRoute(method, url.pathname);
    if (isPublishable && !route.isPublishable) throw secretKeyRequired();
    const key = method === 'POST' ? request.idempotencyKey : undefined;
    const parameters = JSON.stringify(form);
    const replay = key === undefined ? undefined : idempotency.claim(key, url.pathname, parameters);
    if (replay) return { ...replay, isReplayed: true };
    try {
      const fault = faults.take(method, url.pathname);
      if (fault?.kind === 'disconnect-before') return undefined;
      if (fault?.kind === 'delay') await pause(fault.delayMs);
      const { processingMs } = options;
      const call: Call = {
        state,
        form,
        id,
        isPublishable,
        requestId,
        idempotencyKey: key ?? null,
        processingMs,
      };
      let answer: Answer & { isValidation?: boolean };
      try {
        answer = execute(route, call, fault);
      } catch (error) {
        answer = toAnswer(error, isPublishable);
      }
      if (key !== undefined && !answer.isValidation)
        idempotency.remember(key, url.pathname, parameters, answer);
      return fault?.kind === 'disconnect-after' ? undefined : { ...answer, isReplayed: false };
    } finally {
      if (key !== undefined) idempotency.release(key);
    }
  }

  return async function answerCall(request: ApiRequest): Promise<ApiAnswer | undefined> {
    const requestId = newId('req');
    const { search } = request.url;
    try {
      const form = decodeForm(request.method === 'GET' ? search.slice(1) : request.body);
      const answer = await answerOnce(request, form, requestId);
      return answer && { status: answer.status, body: answer.body, isReplayed: answer.isReplayed, requestId };
    } catch (error) {
      const { status, body } = toAnswer(error, false);
      return { status, body, requestId, isReplayed: false };
    }
  };
}
