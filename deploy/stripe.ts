/** What a site needs at Stripe besides its keys: the webhook endpoint, and the registration of its host for wallets. */
import Stripe from 'stripe';
import { callAddress } from '#contract/call-address.ts';
import { hashSecret } from '#worker/http/secrets.ts';
import { webhookEvents } from '#worker/payments/stripe.ts';

export const webhookUrl = (siteUrl: string): string => siteUrl + callAddress('POST /stripe/webhook');

/** The secrets in a setting. During rotation it contains several, separated by commas. */
const secretsIn = (setting = ''): string[] =>
  setting
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');

/** The metadata that identifies an endpoint's secret, because Stripe itself reveals the secret only once. */
const secretMetadata = (secret: string) => ({ secretHash: hashSecret(secret).slice(0, 16) });

/** A site's endpoints, enabled ones first. */
export async function findEndpoints(stripe: Stripe, siteUrl: string): Promise<Stripe.WebhookEndpoint[]> {
  const found: Stripe.WebhookEndpoint[] = [];
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 }))
    if (endpoint.url === webhookUrl(siteUrl)) found.push(endpoint);
  const rank = ({ status }: Stripe.WebhookEndpoint) => (status === 'enabled' ? 0 : 1);
  return found.sort((one, other) => rank(one) - rank(other));
}

/**
 * Picks the endpoint whose secret the site most likely has: the one created with that secret; otherwise one created in
 * the dashboard, whose secret is unknown; otherwise the first. If only the Worker has the secret, an endpoint that a
 * deployment created comes first, because the deployment gave the Worker its secret.
 * @param setting STRIPE_WEBHOOK_SECRET; undefined if only the Worker has it
 * @returns `isDoubtful`: the endpoint was created with a different secret, which is right only if the secret was rolled
 *   at Stripe
 */
export function endpointOf(
  found: readonly Stripe.WebhookEndpoint[],
  setting: string | undefined,
): { readonly endpoint: Stripe.WebhookEndpoint; readonly isDoubtful: boolean } | undefined {
  const hashes = secretsIn(setting).map((secret) => secretMetadata(secret).secretHash);
  const secretHashOf = ({ metadata }: Stripe.WebhookEndpoint) => metadata['secretHash'];
  const own = found.find((endpoint) => hashes.includes(secretHashOf(endpoint) ?? ''));
  const endpoint =
    own ?? found.find((other) => (secretHashOf(other) === undefined) === hashes.length > 0) ?? found[0];
  return (
    endpoint && { endpoint, isDoubtful: hashes.length > 0 && !own && secretHashOf(endpoint) !== undefined }
  );
}

export const doubt = (id: string): string =>
  `the endpoint ${id} was created with a different secret than STRIPE_WEBHOOK_SECRET. If you have rolled the secret at Stripe since, do nothing. If not, delete that endpoint in the Stripe dashboard (Developers, Webhooks), remove STRIPE_WEBHOOK_SECRET from the settings and deploy. That creates another endpoint with its own secret.`;

/** Events that the product needs but the endpoint does not report. */
export const missingEvents = ({ enabled_events }: Stripe.WebhookEndpoint): readonly string[] =>
  enabled_events.includes('*') ? [] : webhookEvents.filter((event) => !enabled_events.includes(event));

/** What happened to the endpoint, and the ids of other endpoints with the same URL. */
export type EndpointOutcome = { readonly id: string; readonly others: readonly string[] } & (
  | {
      readonly outcome: 'created';
      /** The new value of STRIPE_WEBHOOK_SECRET: the new secret, then the earlier ones. */
      readonly secret: string;
    }
  | { readonly outcome: 'updated' | 'unchanged'; readonly isDoubtful: boolean }
);

/** Creates an endpoint, and records in its metadata which secret it has. */
async function makeEndpoint(stripe: Stripe, siteUrl: string): Promise<{ id: string; secret: string }> {
  const { id, secret = '' } = await stripe.webhookEndpoints.create({
    url: webhookUrl(siteUrl),
    enabled_events: [...webhookEvents],
    // The events then have the shapes that the Worker was built for, regardless of the account's default version.
    api_version: Stripe.API_VERSION,
    description: 'Created by npm run deploy',
  });
  await stripe.webhookEndpoints.update(id, { metadata: secretMetadata(secret) });
  return { id, secret };
}

/**
 * Creates a site's webhook endpoint, or updates the existing one. Stripe reveals an endpoint's secret only on creation
 * (https://docs.stripe.com/api/webhook_endpoints/object). If the site has no secret, this therefore creates another
 * endpoint next to the existing ones. It deletes none, because another Worker may still use the URL.
 * @param setting STRIPE_WEBHOOK_SECRET in the settings
 * @param isInWorker whether the Worker has one
 */
export async function ensureEndpoint(
  stripe: Stripe,
  siteUrl: string,
  setting: string | undefined,
  isInWorker: boolean,
): Promise<EndpointOutcome> {
  const found = await findEndpoints(stripe, siteUrl);
  const secrets = secretsIn(setting);
  const known = secrets.length > 0 || isInWorker ? endpointOf(found, setting) : undefined;
  const others = found.map(({ id }) => id).filter((id) => id !== known?.endpoint.id);
  if (!known) {
    const { id, secret } = await makeEndpoint(stripe, siteUrl);
    return { outcome: 'created', id, secret: [secret, ...secrets].join(','), others };
  }
  const { endpoint, isDoubtful } = known;
  const { id } = endpoint;
  if (endpoint.status === 'enabled' && missingEvents(endpoint).length === 0)
    return { outcome: 'unchanged', id, isDoubtful, others };
  await stripe.webhookEndpoints.update(id, {
    disabled: false,
    enabled_events: [
      ...new Set([...webhookEvents, ...endpoint.enabled_events]),
    ] as (typeof webhookEvents)[number][],
  });
  return { outcome: 'updated', id, isDoubtful, others };
}

/** A site's host as registered for wallets; undefined if it is not registered. */
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
 * Registers a site's host for wallets. Without the registration, the payment page offers neither Apple Pay nor Google
 * Pay. If the host was registered before it was reachable, Stripe validates it again.
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
