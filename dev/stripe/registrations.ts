/** What `npm run deploy` registers at Stripe: webhook endpoints, and domains on which wallets may be offered. */
import type Stripe from 'stripe';
import * as z from 'zod';
import type { Call } from './call.ts';
import { flag, metadata, parseParameters } from './form.ts';
import { newId, nowSeconds } from './objects.ts';
import { find } from './resources.ts';

export type WebhookEndpoint = Omit<Stripe.WebhookEndpoint, 'deleted'>;
export type PaymentMethodDomain = Stripe.PaymentMethodDomain;

const events = z.array(z.string()).min(1);

/** `POST /v1/webhook_endpoints`: its answer alone holds the secret. (Deliveries go where the emulator's options say.) */
export function createEndpoint(call: Call): WebhookEndpoint {
  const given = parseParameters(
    { url: z.url(), enabled_events: events, description: z.string().optional(), metadata },
    call.form,
  );
  const endpoint = call.state.put('webhook_endpoint', {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: nowSeconds(),
    description: given.description ?? null,
    enabled_events: given.enabled_events,
    livemode: false,
    metadata: given.metadata,
    status: 'enabled',
    url: given.url,
  });
  return { ...endpoint, secret: newId('whsec') };
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

/** `POST /v1/payment_method_domains` */
export function createDomain(call: Call): PaymentMethodDomain {
  const given = parseParameters({ domain_name: z.string().min(1), enabled: flag.optional() }, call.form);
  const active = { status: 'active' } as const;
  return call.state.put('payment_method_domain', {
    id: newId('pmd'),
    object: 'payment_method_domain',
    amazon_pay: active,
    apple_pay: active,
    created: nowSeconds(),
    domain_name: given.domain_name,
    enabled: given.enabled ?? true,
    google_pay: active,
    klarna: active,
    link: active,
    livemode: false,
    paypal: active,
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
  return changeDomain(call, { apple_pay: { status: 'active' } });
}
