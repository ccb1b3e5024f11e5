/** What a site needs at Stripe besides its keys: the webhook endpoint, and the domain registered for wallets. */
import Stripe from 'stripe';
import { callAddress } from '#contract/call-address.ts';
import { hashSecret } from '#worker/http/secrets.ts';
import { webhookEvents } from '#worker/payments/stripe.ts';

/** Where Stripe reports to. */
export const webhookUrl = (siteUrl: string): string => siteUrl + callAddress('POST /stripe/webhook');

/** The secrets of a setting, which holds several with commas between while they are being rotated. */
const secretsIn = (setting = ''): string[] =>
  setting
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');

/** What the metadata of an endpoint that a deployment makes says of its secret: Stripe itself tells that once only. */
const noteOf = (secret: string) => ({ secretHash: hashSecret(secret).slice(0, 16) });

/** The endpoints for a site, switched on ones first. */
export async function findEndpoints(stripe: Stripe, siteUrl: string): Promise<Stripe.WebhookEndpoint[]> {
  const found: Stripe.WebhookEndpoint[] = [];
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 }))
    if (endpoint.url === webhookUrl(siteUrl)) found.push(endpoint);
  const rank = ({ status }: Stripe.WebhookEndpoint) => (status === 'enabled' ? 0 : 1);
  return found.sort((one, other) => rank(one) - rank(other));
}

/**
 * The endpoint that is taken for the one whose secret the site has: one that was made with it, else one of which nothing
 * is known, because somebody made it in the dashboard, else the first. Where nobody here knows the secret, one that
 * a deployment made comes first, because it gave the Worker the secret.
 * @param setting STRIPE_WEBHOOK_SECRET; undefined where the Worker alone has it
 * @returns `isDoubtful`: it was made with another secret, and only who rolled that at Stripe knows that all is well
 */
export function endpointOf(
  found: readonly Stripe.WebhookEndpoint[],
  setting: string | undefined,
): { readonly endpoint: Stripe.WebhookEndpoint; readonly isDoubtful: boolean } | undefined {
  const hashes = secretsIn(setting).map((secret) => noteOf(secret).secretHash);
  const noted = ({ metadata }: Stripe.WebhookEndpoint) => metadata['secretHash'];
  const own = found.find((endpoint) => hashes.includes(noted(endpoint) ?? ''));
  const endpoint =
    own ?? found.find((other) => (noted(other) === undefined) === hashes.length > 0) ?? found[0];
  return endpoint && { endpoint, isDoubtful: hashes.length > 0 && !own && noted(endpoint) !== undefined };
}

/** What is said of a doubtful endpoint. */
export const doubt = (id: string): string =>
  `the endpoint ${id} was created with another secret than STRIPE_WEBHOOK_SECRET. If you rolled the secret at Stripe since, all is well. If not, delete that endpoint in the Stripe dashboard (Developers, Webhooks), take STRIPE_WEBHOOK_SECRET out of the settings and deploy: that creates another endpoint with its own secret.`;

/** Events that the endpoint does not report and the product wants to know of. */
export const missingEvents = ({ enabled_events }: Stripe.WebhookEndpoint): readonly string[] =>
  enabled_events.includes('*') ? [] : webhookEvents.filter((event) => !enabled_events.includes(event));

/** What became of the endpoint, and the ids of others that report to the same address. */
export type EndpointOutcome = { readonly id: string; readonly others: readonly string[] } & (
  | {
      readonly outcome: 'created';
      /** What STRIPE_WEBHOOK_SECRET becomes: the new secret, and those before it. */
      readonly secret: string;
    }
  | { readonly outcome: 'updated' | 'unchanged'; readonly isDoubtful: boolean }
);

/** Makes an endpoint, and notes in its metadata which secret it has. */
async function makeEndpoint(stripe: Stripe, siteUrl: string): Promise<{ id: string; secret: string }> {
  const { id, secret = '' } = await stripe.webhookEndpoints.create({
    url: webhookUrl(siteUrl),
    enabled_events: [...webhookEvents],
    // What it reports has the shapes that the Worker was built for, whatever the account's default version is.
    api_version: Stripe.API_VERSION,
    description: 'Created by npm run deploy',
  });
  await stripe.webhookEndpoints.update(id, { metadata: noteOf(secret) });
  return { id, secret };
}

/**
 * Makes the webhook endpoint of a site, or brings the one that is there up to date. Stripe tells an endpoint's secret only
 * when it is made (https://docs.stripe.com/api/webhook_endpoints/object): where the site has none, another endpoint is made
 * beside those that are there. None is deleted, as another Worker may still answer for the address.
 * @param setting STRIPE_WEBHOOK_SECRET of the settings
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
