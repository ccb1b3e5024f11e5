/** What `npm run deploy` registers at Stripe: webhook endpoints, and domains on which wallets may be offered. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type Stripe from 'stripe';
import * as z from 'zod';
import type { Call } from './call.ts';
import { flag, metadata, parseParameters } from './form.ts';
import { refuse } from './errors.ts';
import { apiVersion, newId, nowSeconds, type PaymentMethodDomain, type WebhookEndpoint } from './objects.ts';
import type { State } from './state.ts';
import { find } from './resources.ts';

/** Stripe allows so many endpoints in each mode (https://docs.stripe.com/webhooks#register-webhook). */
const mostEndpoints = 16;

const stripeFolder = dirname(createRequire(import.meta.url).resolve('stripe'));

/** The names of all events, which the installed `stripe` package knows as a type alone. */
const eventNames = new Set(
  Array.from(
    (
      /type EnabledEvent = (.*);/.exec(
        readFileSync(join(stripeFolder, 'resources/WebhookEndpoints.d.ts'), 'utf8'),
      )?.[1] ?? ''
    ).matchAll(/'([^']+)'/g),
    ([, name = '']) => name,
  ),
);

const events = z
  .array(z.string().refine((name) => eventNames.has(name), { error: 'It is no event type.' }))
  .min(1);

/** What deliveries to an endpoint are signed with. It follows from the id, so that nobody has to keep it. */
export const secretOf = (endpointId: string): string =>
  `whsec_${createHash('sha256').update(endpointId).digest('hex')}`;

/** `POST /v1/webhook_endpoints`: its answer alone holds the secret. */
export function createEndpoint(call: Call): WebhookEndpoint {
  const given = parseParameters(
    {
      url: z.url(),
      enabled_events: events,
      api_version: z.literal(apiVersion).optional(),
      description: z.string().optional(),
      metadata,
    },
    call.form,
  );
  if (call.state.list('webhook_endpoint', {}).length >= mostEndpoints)
    throw refuse(`You have reached the maximum of ${mostEndpoints} test webhook endpoints.`);
  const endpoint = call.state.put('webhook_endpoint', {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: given.api_version ?? null,
    application: null,
    created: nowSeconds(),
    description: given.description ?? null,
    enabled_events: given.enabled_events,
    livemode: false,
    metadata: given.metadata,
    status: 'enabled',
    url: given.url,
  });
  return { ...endpoint, secret: secretOf(endpoint.id) };
}

/** `POST /v1/webhook_endpoints/:id` */
export function updateEndpoint(call: Call): WebhookEndpoint {
  const given = parseParameters(
    { disabled: flag.optional(), enabled_events: events.optional(), metadata },
    call.form,
  );
  const endpoint = find(call, 'webhook_endpoint');
  return call.state.put('webhook_endpoint', {
    ...endpoint,
    metadata: { ...endpoint.metadata, ...given.metadata },
    ...(given.enabled_events && { enabled_events: given.enabled_events }),
    ...(given.disabled !== undefined && { status: given.disabled ? 'disabled' : 'enabled' }),
  });
}

/** `DELETE /v1/webhook_endpoints/:id` */
export function removeEndpoint(call: Call): Stripe.DeletedWebhookEndpoint {
  const { id, object } = find(call, 'webhook_endpoint');
  call.state.remove(id);
  return { id, object, deleted: true };
}

/** The hosts that Stripe cannot verify. */
const unverifiable = new WeakMap<State, Set<string>>();

/** How wallets are offered on a host: only where Stripe could verify it. */
function walletsOn(state: State, domain: string) {
  const wallet = unverifiable.get(state)?.has(domain)
    ? ({
        status: 'inactive',
        status_details: { error_message: 'The domain could not be verified.' },
      } as const)
    : ({ status: 'active' } as const);
  return {
    amazon_pay: wallet,
    apple_pay: wallet,
    google_pay: wallet,
    klarna: wallet,
    link: wallet,
    paypal: wallet,
  };
}

/** Makes Stripe verify a host no more, or again: what is registered there becomes inactive, and active when it is validated. */
export function changeVerification(state: State, domain: string, isVerifiable: boolean): void {
  const hosts = unverifiable.get(state) ?? new Set();
  if (isVerifiable) hosts.delete(domain);
  else hosts.add(domain);
  unverifiable.set(state, hosts);
  if (isVerifiable) return;
  for (const known of state.list('payment_method_domain', { fields: { domain_name: domain } }))
    state.put('payment_method_domain', { ...known, ...walletsOn(state, domain) });
}

/** `POST /v1/payment_method_domains` */
export function createDomain(call: Call): PaymentMethodDomain {
  const given = parseParameters({ domain_name: z.string().min(1), enabled: flag.optional() }, call.form);
  return call.state.put('payment_method_domain', {
    id: newId('pmd'),
    object: 'payment_method_domain',
    ...walletsOn(call.state, given.domain_name),
    created: nowSeconds(),
    domain_name: given.domain_name,
    enabled: given.enabled ?? true,
    livemode: false,
  });
}

const changeDomain = (call: Call, change: Partial<PaymentMethodDomain>): PaymentMethodDomain =>
  call.state.put('payment_method_domain', { ...find(call, 'payment_method_domain'), ...change });

/** `POST /v1/payment_method_domains/:id` */
export function updateDomain(call: Call): PaymentMethodDomain {
  const { enabled } = parseParameters({ enabled: flag.optional() }, call.form);
  return changeDomain(call, enabled === undefined ? {} : { enabled });
}

/** `POST /v1/payment_method_domains/:id/validate` */
export function validateDomain(call: Call): PaymentMethodDomain {
  parseParameters({}, call.form);
  const { domain_name: domain } = find(call, 'payment_method_domain');
  return changeDomain(call, walletsOn(call.state, domain));
}
