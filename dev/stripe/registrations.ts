/** The objects that `npm run deploy` registers at Stripe: webhook endpoints, and domains that may offer wallets. */
import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import * as z from 'zod';
import type { Call } from './call.ts';
import { flag, metadata, parseParameters } from './form.ts';
import { refuse } from './errors.ts';
import { apiVersion, newObject, type PaymentMethodDomain, type WebhookEndpoint } from './objects.ts';
import type { State } from './state.ts';
import { find } from './resources.ts';

/** The maximum number of endpoints in each mode (https://docs.stripe.com/webhooks#register-webhook). */
const mostEndpoints = 16;

const events = z.array(z.string()).min(1);

/** The secret that signs deliveries to an endpoint. It is derived from the id, so it does not have to be stored. */
export const secretOf = (endpointId: string): string =>
  `whsec_${createHash('sha256').update(endpointId).digest('hex')}`;

/** `POST /v1/webhook_endpoints`. Only its response contains the secret. */
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
  const endpoint = call.state.put('webhook_endpoint', newEndpoint(given));
  return { ...endpoint, secret: secretOf(endpoint.id) };
}

type EndpointParameters = Pick<WebhookEndpoint, 'enabled_events' | 'metadata' | 'url'> & {
  api_version?: string | undefined;
  description?: string | undefined;
};

export const newEndpoint = ({ api_version, description, ...given }: EndpointParameters): WebhookEndpoint => ({
  ...newObject('webhook_endpoint', 'we'),
  ...given,
  api_version: api_version ?? null,
  application: null,
  description: description ?? null,
  status: 'enabled',
});

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

/** The status of wallets on a host. They are active only if Stripe could verify the host. */
function walletsOn(state: State, domain: string) {
  const wallet = state.unverifiableHosts.has(domain)
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

/**
 * Sets whether Stripe can verify a host. If not, its domain becomes inactive. If so, its domain becomes active at the
 * next validation.
 */
export function changeVerification(state: State, domain: string, isVerifiable: boolean): void {
  state.unverifiableHosts[isVerifiable ? 'delete' : 'add'](domain);
  if (isVerifiable) return;
  for (const known of state.list('payment_method_domain', { fields: { domain_name: domain } }))
    state.put('payment_method_domain', { ...known, ...walletsOn(state, domain) });
}

/** `POST /v1/payment_method_domains` */
export function createDomain(call: Call): PaymentMethodDomain {
  const given = parseParameters({ domain_name: z.string().min(1), enabled: flag.optional() }, call.form);
  return call.state.put('payment_method_domain', {
    ...newObject('payment_method_domain', 'pmd'),
    ...walletsOn(call.state, given.domain_name),
    domain_name: given.domain_name,
    enabled: given.enabled ?? true,
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
