/** What a site needs at Stripe besides its keys: the webhook endpoint, and the domain registered for wallets. */
import type Stripe from 'stripe';
import { callAddress } from '#contract/call.ts';
import { webhookEvents } from '#worker/payments/stripe.ts';

/** Where Stripe reports to. */
export const webhookUrl = (siteUrl: string): string => siteUrl + callAddress('POST /stripe/webhook');

/** The endpoint for a site, switched on ones first; undefined when there is none. */
export async function findEndpoint(
  stripe: Stripe,
  siteUrl: string,
): Promise<Stripe.WebhookEndpoint | undefined> {
  const found: Stripe.WebhookEndpoint[] = [];
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 }))
    if (endpoint.url === webhookUrl(siteUrl)) found.push(endpoint);
  return found.find(({ status }) => status === 'enabled') ?? found[0];
}

/** Events that the endpoint does not report and the product wants to know of. */
export const missingEvents = ({ enabled_events }: Stripe.WebhookEndpoint): readonly string[] =>
  enabled_events.includes('*') ? [] : webhookEvents.filter((event) => !enabled_events.includes(event));

/** What became of the endpoint; `unknownSecret`: there is one, but nobody here holds its secret. */
export type EndpointOutcome =
  | { readonly outcome: 'made'; readonly id: string; readonly secret: string }
  | { readonly outcome: 'updated' | 'unchanged' | 'unknownSecret' };

/**
 * Makes the webhook endpoint of a site, or brings the one that is there up to date.
 * Stripe tells an endpoint's secret only when it is made. (https://docs.stripe.com/api/webhook_endpoints/object)
 * @param hasSecret whether the settings or the Worker hold the secret already
 */
export async function ensureEndpoint(
  stripe: Stripe,
  siteUrl: string,
  hasSecret: boolean,
): Promise<EndpointOutcome> {
  const endpoint = await findEndpoint(stripe, siteUrl);
  if (!endpoint) {
    const made = await stripe.webhookEndpoints.create({
      url: webhookUrl(siteUrl),
      enabled_events: [...webhookEvents],
      description: 'Made by npm run deploy',
    });
    return { outcome: 'made', id: made.id, secret: made.secret ?? '' };
  }
  if (!hasSecret) return { outcome: 'unknownSecret' };
  if (endpoint.status === 'enabled' && missingEvents(endpoint).length === 0) return { outcome: 'unchanged' };
  await stripe.webhookEndpoints.update(endpoint.id, {
    disabled: false,
    enabled_events: [
      ...new Set([...webhookEvents, ...endpoint.enabled_events]),
    ] as (typeof webhookEvents)[number][],
  });
  return { outcome: 'updated' };
}

/** The registration of a site's host for wallets; undefined when there is none. */
export async function findWalletDomain(
  stripe: Stripe,
  siteUrl: string,
): Promise<Stripe.PaymentMethodDomain | undefined> {
  const { data } = await stripe.paymentMethodDomains.list({
    domain_name: new URL(siteUrl).hostname,
    limit: 1,
  });
  return data[0];
}

/**
 * Registers a site's host, without which the payment page offers neither Apple Pay nor Google Pay. Asking Stripe to look
 * again is for a host that was registered before it could be reached.
 * (https://docs.stripe.com/payments/payment-methods/pmd-registration)
 */
export async function ensureWalletDomain(
  stripe: Stripe,
  siteUrl: string,
): Promise<Stripe.PaymentMethodDomain> {
  const known = await findWalletDomain(stripe, siteUrl);
  if (!known)
    return stripe.paymentMethodDomains.create({ domain_name: new URL(siteUrl).hostname, enabled: true });
  if (!known.enabled) return stripe.paymentMethodDomains.update(known.id, { enabled: true });
  return known.apple_pay.status === 'active' ? known : stripe.paymentMethodDomains.validate(known.id);
}
