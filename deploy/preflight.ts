/**
 * Checks everything that could make a deployment fail, before the deployment changes anything: the account's
 * permissions, plan, R2 and Images, the domain, the database, and Stripe's keys. `TO DO` ends the deployment. A check
 * that could not run does not end it.
 */
import Stripe from 'stripe';
import * as z from 'zod';
import type { Account } from './account.ts';
import { findZone, type AskCloudflare } from './cloudflare-api.ts';
import { withDatabase } from './database.ts';
import type { LookUp } from './dns.ts';
import { fine, makeChecks, todo, unknown, type Checks, type Finding } from './finding.ts';
import type { Settings } from './settings.ts';
import { webhookUrl } from './stripe.ts';
import { messageOf } from './errors.ts';
import { describeRefusal } from '#worker/payments/key-check.ts';
import { isOnWorkersDev, isTrial, trialText } from '#worker/settings.ts';
import { tryUpload } from './trial-upload.ts';
import type { WorkerConfig } from './worker-config.ts';

export interface DeployContext {
  readonly account: Account;
  /** Cloudflare's API; undefined if wrangler provides no token. */
  readonly cloudflare: AskCloudflare | undefined;
  readonly lookUp: LookUp;
  readonly config: WorkerConfig;
  readonly settings: Settings;
  readonly stripe: Stripe;
}

const hostOf = ({ SITE_URL = '' }: Settings) => new URL(SITE_URL).hostname;

const noToken = unknown('wrangler provided no token for the Cloudflare API');

/** The permissions that a deployment fails without, by their names in `wrangler login --scopes-list`. */
const needed = [
  'account:read',
  'workers:write',
  'workers_scripts:write',
  'workers_routes:write',
  'zone:read',
];
/** The permissions for steps that the site works without. */
const useful = ['email_sending:write', 'challenge-widgets.write'];

function permissions({ account: { permissions: granted } }: DeployContext): Finding {
  if (!granted)
    return unknown(
      'wrangler does not report the permissions of an API token (docs/deploy.md, Builds from the repository, lists them)',
    );
  const lackedOf = (names: readonly string[]) => names.filter((name) => !granted.includes(name)).join(', ');
  const again = 'run npx wrangler login again and keep all permissions';
  if (lackedOf(needed) !== '') return todo(`wrangler lacks ${lackedOf(needed)}: ${again}.`);
  return lackedOf(useful) === ''
    ? fine('granted')
    : unknown(
        `wrangler lacks ${lackedOf(useful)}, so email or Turnstile cannot be set up: to change that, ${again}`,
      );
}

async function domain({ cloudflare, account, settings }: DeployContext): Promise<Finding> {
  const host = hostOf(settings);
  if (isOnWorkersDev(host)) return isTrial(settings) ? unknown(trialText) : fine(host);
  if (!cloudflare) return noToken;
  const zone = await findZone(cloudflare, account.id, host);
  if (!zone)
    return todo(
      `the account ${account.name} has no domain for ${host}: add it (https://dash.cloudflare.com/?to=/:account/add-site), or name another account in CLOUDFLARE_ACCOUNT_ID.`,
    );
  return zone.status === 'active'
    ? fine(`${zone.name} is active`)
    : unknown(
        `${zone.name} is ${zone.status}: the site answers when its registrar uses Cloudflare's nameservers`,
      );
}

async function database({ settings }: DeployContext): Promise<Finding> {
  if (!settings.TURSO_DATABASE_URL) return fine('this deployment creates it');
  try {
    const { rows } = await withDatabase(settings, (client) =>
      client.execute("SELECT name FROM sqlite_master WHERE type = 'table'"),
    );
    const names = rows
      .map(({ name }) => (typeof name === 'string' ? name : ''))
      .filter((name) => !/^(sqlite|libsql|_litestream)_/.test(name));
    return names.length === 0 || names.includes('__drizzle_migrations')
      ? fine(names.length === 0 ? 'empty' : 'has the tables of this site')
      : todo(
          `the database of TURSO_DATABASE_URL contains something else (${names.slice(0, 3).join(', ')}): create one for this site.`,
        );
  } catch (error) {
    return todo(
      `the database of TURSO_DATABASE_URL rejects the connection (${messageOf(error)}): check TURSO_DATABASE_URL and TURSO_AUTH_TOKEN.`,
    );
  }
}

/** A read call for each permission that a restricted key needs, by the permission's name in Stripe's dashboard. */
const reads = {
  'Webhook Endpoints': (stripe: Stripe) => stripe.webhookEndpoints.list({ limit: 1 }),
  'Payment method domains': (stripe: Stripe) => stripe.paymentMethodDomains.list({ limit: 1 }),
  PaymentIntents: (stripe: Stripe) => stripe.paymentIntents.list({ limit: 1 }),
  Refunds: (stripe: Stripe) => stripe.refunds.list({ limit: 1 }),
  Charges: (stripe: Stripe) => stripe.charges.list({ limit: 1 }),
  'Balance transaction sources': (stripe: Stripe) => stripe.balanceTransactions.list({ limit: 1 }),
  Disputes: (stripe: Stripe) => stripe.disputes.list({ limit: 1 }),
  'Early fraud warnings': (stripe: Stripe) => stripe.radar.earlyFraudWarnings.list({ limit: 1 }),
  Subscriptions: (stripe: Stripe) => stripe.subscriptions.list({ limit: 1 }),
  Invoices: (stripe: Stripe) => stripe.invoices.list({ limit: 1 }),
  Customers: (stripe: Stripe) => stripe.customers.list({ limit: 1 }),
  Products: (stripe: Stripe) => stripe.products.list({ limit: 1 }),
  Coupons: (stripe: Stripe) => stripe.coupons.list({ limit: 1 }),
  Events: (stripe: Stripe) => stripe.events.list({ limit: 1 }),
} as const;

async function mayRead(read: Promise<unknown>): Promise<boolean> {
  try {
    await read;
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return false;
    throw error;
  }
}

/** How many webhook endpoints an account may have. https://docs.stripe.com/webhooks */
const endpointLimit = 16;

/** The read permissions that a restricted key lacks. */
async function deniedTo(stripe: Stripe): Promise<string[]> {
  const entries = Object.entries(reads);
  const allowed = await Promise.all(entries.map(([, read]) => mayRead(read(stripe))));
  return entries.flatMap(([name], index) => (allowed[index] ? [] : [name]));
}

/** Whether Stripe would refuse to create the site's endpoint. */
async function isFull(stripe: Stripe, siteUrl: string): Promise<boolean> {
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  return data.length >= endpointLimit && !data.some(({ url }) => url === webhookUrl(siteUrl));
}

async function stripeKey({
  stripe,
  settings: { STRIPE_SECRET_KEY = '', SITE_URL = '' },
}: DeployContext): Promise<Finding> {
  try {
    const denied = STRIPE_SECRET_KEY.startsWith('rk_') ? await deniedTo(stripe) : [];
    const notes = [
      ...(denied.length > 0
        ? [`the restricted key lacks read access to ${denied.join(', ')} (docs/deploy.md, Payment)`]
        : []),
      ...(!denied.includes('Webhook Endpoints') && (await isFull(stripe, SITE_URL))
        ? [`the account has all ${endpointLimit} webhook endpoints that Stripe allows: delete one`]
        : []),
    ];
    return notes.length === 0 ? fine('accepts STRIPE_SECRET_KEY') : unknown(notes.join('; '));
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError)
      return todo(`Stripe rejects STRIPE_SECRET_KEY (${error.message}): copy it from the dashboard again.`);
    throw error;
  }
}

/** Tests the key for a site that has none yet (payment-key.ts) in the same way as a save on the site. */
async function paymentKey({ settings }: DeployContext): Promise<Finding> {
  const { STRIPE_PUBLISHABLE_KEY: key, STRIPE_SECRET_KEY = '', STRIPE_API_URL } = settings;
  if (!key) return fine('not in the settings; the site keeps its own');
  const refusal = await describeRefusal({ STRIPE_SECRET_KEY, STRIPE_API_URL }, key);
  return refusal === undefined
    ? fine('accepts payments')
    : todo(`STRIPE_PUBLISHABLE_KEY: ${refusal} If the site already has a key, remove it from the settings.`);
}

const checks = {
  permissions,
  'plan, R2 and Images': ({ config }) => tryUpload(config),
  domain,
  database,
  Stripe: stripeKey,
  'payment key': paymentKey,
} as const satisfies Checks<string, DeployContext>;

export const runPreflightChecks = (
  context: DeployContext,
): Promise<Readonly<Record<keyof typeof checks, Finding>>> => makeChecks(checks, context, unknown);

const attachments = z.array(z.object({ service: z.string() }));

/**
 * What the site's host points to now, if that is not the site's Worker. A deployment would replace it.
 * @returns undefined if the host is free, already belongs to the site, or cannot be checked
 */
export async function findConflict({
  cloudflare,
  account,
  lookUp,
  config,
  settings,
}: DeployContext): Promise<string | undefined> {
  const host = hostOf(settings);
  if (isOnWorkersDev(host) || !cloudflare) return undefined;
  const query = new URLSearchParams({ hostname: host });
  const attached = attachments.parse(
    await cloudflare(`/accounts/${account.id}/workers/domains?${query.toString()}`),
  );
  const other = attached.find(({ service }) => service !== config.name);
  if (other) return `${host} points to the Worker '${other.service}'.`;
  if (attached.length > 0) return undefined;
  const records = await Promise.all((['A', 'AAAA', 'CNAME'] as const).map((type) => lookUp(host, type)));
  const targets = [...new Set(records.flat())];
  return targets.length === 0 ? undefined : `${host} already points elsewhere: ${targets.join(', ')}.`;
}
