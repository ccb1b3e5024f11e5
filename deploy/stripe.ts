/** What a site needs at Stripe besides its keys: the webhook endpoint, and the domain registered for wallets. */
import type Stripe from 'stripe';
import { callAddress } from '#contract/call.ts';
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

/** What an endpoint's metadata says of its secret, which Stripe itself tells only when it is made. */
const noteOf = (secret: string) => ({ secretHash: hashSecret(secret).slice(0, 16) });

const isNoted = ({ metadata }: Stripe.WebhookEndpoint): boolean => metadata['secretHash'] !== undefined;

const isOf = ({ metadata }: Stripe.WebhookEndpoint, secrets: readonly string[]): boolean =>
  secrets.some((secret) => noteOf(secret).secretHash === metadata['secretHash']);

const idsOf = (endpoints: readonly Stripe.WebhookEndpoint[]) => endpoints.map(({ id }) => id);

/** The endpoints for a site, switched on ones first. */
export async function findEndpoints(stripe: Stripe, siteUrl: string): Promise<Stripe.WebhookEndpoint[]> {
  const found: Stripe.WebhookEndpoint[] = [];
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 }))
    if (endpoint.url === webhookUrl(siteUrl)) found.push(endpoint);
  const rank = ({ status }: Stripe.WebhookEndpoint) => (status === 'enabled' ? 0 : 1);
  return found.sort((one, other) => rank(one) - rank(other));
}

/**
 * The endpoint whose secret the site has. Where nobody here knows that, because it is in the Worker alone: one that a
 * deployment made, which put its secret there, or else the first.
 * @param setting STRIPE_WEBHOOK_SECRET
 */
export function endpointOf(
  found: readonly Stripe.WebhookEndpoint[],
  setting: string | undefined,
): Stripe.WebhookEndpoint | undefined {
  const secrets = secretsIn(setting);
  return secrets.length > 0
    ? secrets.flatMap((secret) => found.filter((endpoint) => isOf(endpoint, [secret])))[0]
    : (found.find(isNoted) ?? found[0]);
}

/** Events that the endpoint does not report and the product wants to know of. */
export const missingEvents = ({ enabled_events }: Stripe.WebhookEndpoint): readonly string[] =>
  enabled_events.includes('*') ? [] : webhookEvents.filter((event) => !enabled_events.includes(event));

interface Endpoint {
  readonly id: string;
  /** Endpoints whose deliveries the site refuses once it has the secret of this one. */
  readonly useless: readonly string[];
}

/** What became of the endpoint; `wrongSecret`: the secret that is given is that of none, and cannot be changed from here. */
export type EndpointOutcome =
  | (Endpoint & {
      readonly outcome: 'made';
      /** What STRIPE_WEBHOOK_SECRET becomes: the new secret, and those before it. */
      readonly secret: string;
    })
  | (Endpoint & { readonly outcome: 'updated' | 'unchanged' })
  | { readonly outcome: 'wrongSecret' };

/** Makes an endpoint, and notes in its metadata which secret it has. */
async function makeEndpoint(stripe: Stripe, siteUrl: string): Promise<{ id: string; secret: string }> {
  const { id, secret = '' } = await stripe.webhookEndpoints.create({
    url: webhookUrl(siteUrl),
    enabled_events: [...webhookEvents],
    description: 'Made by npm run deploy',
  });
  await stripe.webhookEndpoints.update(id, { metadata: noteOf(secret) });
  return { id, secret };
}

export interface KnownSecret {
  /** STRIPE_WEBHOOK_SECRET of the settings. */
  readonly setting: string | undefined;
  /** Whether it is given by the environment, where no other can be put. */
  readonly isFixed: boolean;
  /** Whether the Worker has one. */
  readonly isInWorker: boolean;
}

/**
 * Makes the webhook endpoint of a site, or brings the one that is there up to date. Stripe tells an endpoint's secret only
 * when it is made (https://docs.stripe.com/api/webhook_endpoints/object): where the site's is not known to be that of
 * an endpoint, another one is made beside those that are there, so that no event is reported to none.
 */
export async function ensureEndpoint(
  stripe: Stripe,
  siteUrl: string,
  { setting, isFixed, isInWorker }: KnownSecret,
): Promise<EndpointOutcome> {
  const found = await findEndpoints(stripe, siteUrl);
  const secrets = secretsIn(setting);
  const endpoint = secrets.length > 0 || isInWorker ? endpointOf(found, setting) : undefined;
  if (!endpoint && isFixed && found.length > 0) return { outcome: 'wrongSecret' };
  if (!endpoint) {
    const { id, secret } = await makeEndpoint(stripe, siteUrl);
    // One without a note may have a secret that the site goes on accepting.
    const useless = idsOf(found.filter((other) => secrets.length === 0 || isNoted(other)));
    return { outcome: 'made', id, secret: [secret, ...secrets].join(','), useless };
  }
  const { id } = endpoint;
  const useless = idsOf(
    found.filter((other) => secrets.length > 0 && isNoted(other) && !isOf(other, secrets)),
  );
  // Who rolls the endpoint's secret writes the new one before the one that is known.
  const isNoteDue = secrets.length > 0 && !isOf(endpoint, secrets.slice(0, 1));
  if (endpoint.status === 'enabled' && missingEvents(endpoint).length === 0 && !isNoteDue)
    return { outcome: 'unchanged', id, useless };
  await stripe.webhookEndpoints.update(id, {
    disabled: false,
    enabled_events: [
      ...new Set([...webhookEvents, ...endpoint.enabled_events]),
    ] as (typeof webhookEvents)[number][],
    ...(isNoteDue && { metadata: noteOf(secrets[0] ?? '') }),
  });
  return { outcome: 'updated', id, useless };
}

/**
 * Removes the endpoints whose deliveries the site refuses; for when it has the new secret, so that until then one of them is
 * taken.
 * @returns the ids of others that are left beside the site's: nobody can tell whether it has their secret
 */
export async function removeUseless(
  stripe: Stripe,
  siteUrl: string,
  { id, useless }: Endpoint,
): Promise<readonly string[]> {
  for (const old of useless) await stripe.webhookEndpoints.del(old);
  return idsOf(await findEndpoints(stripe, siteUrl)).filter((other) => other !== id);
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
