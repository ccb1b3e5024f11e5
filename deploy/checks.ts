/**
 * The checks of `npm run doctor`: the live site, its database and the services, with the deployment's settings. Each
 * check returns one finding: it passed, what to do, or why the check was impossible.
 */
import type { Client } from '@libsql/client';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type Stripe from 'stripe';
import * as z from 'zod';
import { backupLimitMs, cronStoppedAfterMs, firstRunGraceMs } from '#worker/operations/jobs.ts';
import { describeRefusal } from '#worker/payments/key-check.ts';
import { modeOf, webhookEvents } from '#worker/payments/stripe.ts';
import { isTrial, trialText } from '#worker/settings.ts';
import { hourMs } from '#worker/http/clock.ts';
import type { LookUp } from './dns.ts';
import { fine, makeChecks, todo, unknown, type Checks, type Finding } from './finding.ts';
import { examineMail, type Sending } from './mail-domain.ts';
import { migrationsFolder } from './prepare-database.ts';
import type { Settings } from './settings.ts';
import { doubt, endpointOf, findEndpoints, findWalletDomain, missingEvents, webhookUrl } from './stripe.ts';
import { revisionPath } from '#contract/history.ts';

const minuteMs = 60_000;

/** How much two clocks may differ, in ms. Stripe's signatures allow 5 minutes. */
const clockLimitMs = minuteMs;
/** How long Stripe may take to deliver an event, in ms. */
const deliveryLimitMs = 5 * minuteMs;

export interface Subject {
  readonly siteUrl: string;
  readonly settings: Settings;
  readonly database: Client;
  readonly stripe: Stripe;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Calls the site over plain HTTP. */
  readonly fetchInsecure: (path: string) => Promise<Response>;
  /** What Cloudflare reports about sending from a domain; undefined if we cannot ask Cloudflare. */
  readonly sendingFrom: (domain: string) => Promise<Sending | undefined>;
  readonly lookUp: LookUp;
  readonly now: () => number;
}

const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;

async function reachable({ siteUrl, fetch }: Subject): Promise<Finding> {
  const health = await fetch('/api/health');
  if (!health.ok)
    return todo(`/api/health returns ${health.status}: look at the Worker's log (npx wrangler tail).`);
  const page = await fetch('/');
  return page.ok ? fine(siteUrl) : todo(`/ returns ${page.status}: deploy again (npm run deploy).`);
}

async function encrypted({ siteUrl, fetchInsecure }: Subject): Promise<Finding> {
  if (!siteUrl.startsWith('https://')) return todo('SITE_URL must begin with https://.');
  const answer = await fetchInsecure('/');
  const location = answer.headers.get('Location') ?? '';
  return answer.status >= 300 && answer.status < 400 && location.startsWith('https://')
    ? fine('the certificate is valid, and http:// redirects to https://')
    : todo(
        'http:// does not redirect to https://: turn on Always Use HTTPS (Cloudflare, SSL/TLS, Edge Certificates).',
      );
}

const wantedHeaders = [
  'Content-Security-Policy',
  'Strict-Transport-Security',
  'X-Content-Type-Options',
  'Referrer-Policy',
] as const;

/**
 * Signs that Cloudflare injected something that the page's policy blocks, and the setting that turns the injection off.
 */
const rewrites = [
  ['/cdn-cgi/l/email-protection', 'Email Address Obfuscation (Security, Settings)'],
  ['static.cloudflareinsights.com', 'the automatic setup of Web Analytics'],
  ['/cdn-cgi/challenge-platform/', 'Bot Fight Mode (Security, Bots)'],
  ['rocket-loader', 'Rocket Loader (Speed, Settings)'],
] as const;

/** Cloudflare may inject only into responses to browsers. */
const asBrowser = {
  headers: {
    Accept: 'text/html',
    'User-Agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36',
  },
} as const satisfies RequestInit;

async function headers({ fetch }: Subject): Promise<Finding> {
  const page = await fetch('/contact', asBrowser);
  const missing = wantedHeaders.filter((name) => !page.headers.has(name));
  if (missing.length > 0)
    return todo(`${missing.join(', ')} missing: look for a rule in Cloudflare that removes headers.`);
  const text = await page.text();
  const switches = rewrites.filter(([sign]) => text.includes(sign)).map(([, name]) => name);
  if (switches.length > 0) return todo(`Cloudflare rewrites the pages: turn off ${switches.join(', and ')}.`);
  return fine('as sent by the Worker, and the page is not rewritten');
}

/**
 * Skips the isolate's memory (`answerFromMemory`), which keeps a requested page for a second. Only the shared
 * cache can report what it did.
 */
const pastMemory = { headers: { 'Cache-Control': 'no-cache' } } as const satisfies RequestInit;

async function cached({ fetch }: Subject): Promise<Finding> {
  const statuses: (string | null)[] = [];
  for (let turn = 0; turn < 2; turn += 1)
    statuses.push((await fetch('/', pastMemory)).headers.get('Cf-Cache-Status'));
  const said = `Cf-Cache-Status ${statuses.map((status) => status ?? 'none').join(', then ')}`;
  const last = statuses[1];
  if (!last)
    return unknown(`${said}: there is no cache in front of the site; it also works and is fast without one`);
  if (last === 'DYNAMIC') return unknown(`${said}: this does not show whether the cache has the page`);
  return /^(HIT|STALE|UPDATING|REVALIDATED)$/.test(last)
    ? fine(said)
    : todo(
        `${said}: the cache in front of the Worker does not keep the page. Check again in a minute. If this persists, set enabled = true under [cache] in wrangler.toml, and deploy.`,
      );
}

const revisionAnswer = z.object({ revision: z.number().nullable() });

async function revision({ fetch, database }: Subject): Promise<Finding> {
  const answer = revisionAnswer.parse(await (await fetch(revisionPath)).json());
  const { rows } = await database.execute('SELECT max(revision) AS revision FROM publications');
  const stored = asNumber(rows[0]?.['revision']);
  return answer.revision === stored
    ? fine(`${String(stored)}, as in the database`)
    : todo(
        `visitors get revision ${String(answer.revision)}, and the database has ${String(stored)}: check TURSO_DATABASE_URL, or deploy again.`,
      );
}

async function migrated({ database }: Subject): Promise<Finding> {
  const wanted = readMigrationFiles({ migrationsFolder });
  const { rows } = await database.execute('SELECT max(created_at) AS at FROM __drizzle_migrations');
  const last = asNumber(rows[0]?.['at']) ?? 0;
  const missing = wanted.filter(({ folderMillis }) => folderMillis > last).length;
  return missing === 0
    ? fine(`all ${wanted.length} applied`)
    : todo(`${missing} of ${wanted.length} are missing: npm run deploy.`);
}

async function lastRun(database: Client, name: string) {
  const { rows } = await database.execute({ sql: 'SELECT * FROM job_runs WHERE name = ?', args: [name] });
  const [row] = rows;
  return {
    ranAt: asNumber(row?.['ranAt']),
    succeededAt: asNumber(row?.['succeededAt']),
    failure: typeof row?.['failure'] === 'string' ? row['failure'] : undefined,
  };
}

/** Whether the site is so new that its cron trigger may not have started yet. */
async function isNew({ database, now }: Subject): Promise<boolean> {
  const { ranAt } = await lastRun(database, 'deployment');
  return ranAt !== undefined && now() - ranAt < firstRunGraceMs;
}

const ago = (ms: number): string =>
  ms < 2 * hourMs ? `${Math.round(ms / minuteMs)} minutes ago` : `${Math.round(ms / hourMs)} hours ago`;

async function cron(subject: Subject): Promise<Finding> {
  const { database, now } = subject;
  const { ranAt, failure } = await lastRun(database, 'cron');
  if (ranAt === undefined && (await isNew(subject)))
    return unknown('has not run yet: a new trigger may take 15 minutes');
  if (ranAt === undefined || now() - ranAt > cronStoppedAfterMs)
    return todo(
      `${ranAt === undefined ? 'has never run' : `last ran ${ago(now() - ranAt)}`}: look at the Cron Trigger of the Worker (Cloudflare, Settings, Trigger events) and its log.`,
    );
  return failure === undefined ? fine(ago(now() - ranAt)) : todo(`it fails (${failure}): npx wrangler tail.`);
}

async function backup(subject: Subject): Promise<Finding> {
  const { database, now } = subject;
  const { succeededAt, failure } = await lastRun(database, 'backup');
  if (succeededAt === undefined && failure === undefined && (await isNew(subject)))
    return unknown('none yet: the first one follows the first run of the cron trigger');
  if (succeededAt !== undefined && now() - succeededAt <= backupLimitMs)
    return fine(ago(now() - succeededAt));
  const last =
    succeededAt === undefined ? 'there is none' : `the last one is from ${ago(now() - succeededAt)}`;
  return todo(
    `${last}${failure === undefined ? '' : ` (${failure})`}, and one is due each night: look at the Worker's log (npx wrangler tail), and create one yourself (npm run backup).`,
  );
}

const mail = ({ settings, lookUp, sendingFrom }: Subject): Promise<Finding> =>
  examineMail(settings, lookUp, sendingFrom);

function address({ siteUrl, settings: { MAIL_TRANSPORT } }: Subject): Promise<Finding> {
  const isOnTrial = isTrial({ SITE_URL: siteUrl, MAIL_TRANSPORT });
  return Promise.resolve(isOnTrial ? todo(trialText) : fine(new URL(siteUrl).hostname));
}

/** The URLs of the account's other endpoints that receive a type of event. */
async function otherTakersOf(stripe: Stripe, type: string, id: string): Promise<string[]> {
  const found: string[] = [];
  for await (const other of stripe.webhookEndpoints.list({ limit: 100 }))
    if (
      other.id !== id &&
      other.status === 'enabled' &&
      other.enabled_events.some((one) => one === type || one === '*')
    )
      found.push(other.url);
  return found;
}

async function webhook({ stripe, siteUrl, settings, now }: Subject): Promise<Finding> {
  const found = await findEndpoints(stripe, siteUrl);
  const known = endpointOf(found, settings.STRIPE_WEBHOOK_SECRET);
  if (!known) return todo(`Stripe has no endpoint for ${webhookUrl(siteUrl)}: npm run deploy.`);
  const { endpoint, isDoubtful } = known;
  if (endpoint.status !== 'enabled') return todo('the endpoint is disabled at Stripe: npm run deploy.');
  const missing = missingEvents(endpoint);
  if (missing.length > 0) return todo(`Stripe does not report ${missing.join(', ')}: npm run deploy.`);
  const { data } = await stripe.events.list({ limit: 100 });
  const last = data.find(
    ({ type, created }) =>
      (webhookEvents as readonly string[]).includes(type) && created * 1_000 < now() - deliveryLimitMs,
  );
  const others = last ? await otherTakersOf(stripe, last.type, endpoint.id) : [];
  if (last && last.pending_webhooks > 0 && others.length > 0)
    return unknown(
      `the last event (${last.type}) has not reached every endpoint that asks for it, which are this one and ${others.join(', ')}: the Stripe dashboard (Developers, Webhooks) says which one refuses it.`,
    );
  if (last && last.pending_webhooks > 0)
    return todo(
      `the last event (${last.type}) was not delivered: is STRIPE_WEBHOOK_SECRET the endpoint's secret, and is Bot Fight Mode off?`,
    );
  if (!last && isDoubtful) return todo(doubt(endpoint.id));
  return fine(`${webhookUrl(siteUrl)}, ${last ? 'last event delivered' : 'no event yet'}`);
}

/** Sends an unsigned POST like Stripe's. The site itself must reject it, not a proxy in front of the site. */
async function webhookDoor({ fetch }: Subject): Promise<Finding> {
  const answer = await fetch('/api/stripe/webhook', {
    method: 'POST',
    body: '{}',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    },
  });
  return answer.status === 400 && answer.headers.get('Content-Type')?.startsWith('application/problem+json')
    ? fine('automated requests reach the site')
    : todo(
        `an automated request got ${answer.status} before it reached the site: turn Bot Fight Mode off (Cloudflare, Security, Bots); with Super Bot Fight Mode, skip /api/stripe/webhook and /api/unsubscribe/.`,
      );
}

const keysAnswer = z.array(z.object({ stripeKey: z.string() }));

async function keys({ fetch, settings }: Subject): Promise<Finding> {
  const stored = keysAnswer.parse(await (await fetch('/api/stripe-keys')).json());
  const publishable = stored[0]?.stripeKey;
  if (publishable === undefined) return todo('no publishable key yet: enter it at /add-paypal-Email.');
  const { STRIPE_SECRET_KEY = '', STRIPE_API_URL } = settings;
  const [shown, secret] = [modeOf(publishable), modeOf(STRIPE_SECRET_KEY)];
  if (shown !== secret)
    return todo(
      `the publishable key is a ${shown} key, and STRIPE_SECRET_KEY is a ${secret} key: change one of them.`,
    );
  const refusal = await describeRefusal({ STRIPE_SECRET_KEY, STRIPE_API_URL }, publishable);
  return refusal === undefined ? fine(`both are ${secret} keys, and Stripe accepts them`) : todo(refusal);
}

async function wallets({ stripe, siteUrl }: Subject): Promise<Finding> {
  const domain = await findWalletDomain(stripe, siteUrl);
  if (!domain?.enabled) return todo('the host is not registered for wallets at Stripe: npm run deploy.');
  return domain.apple_pay.status === 'active'
    ? fine(`${domain.domain_name} is registered`)
    : todo(
        `Apple Pay is not active for ${domain.domain_name}: npm run deploy asks Stripe to look again (${domain.apple_pay.status_details?.error_message ?? 'no reason given'}).`,
      );
}

async function clock({ fetch, now }: Subject): Promise<Finding> {
  const date = Date.parse((await fetch('/api/health')).headers.get('Date') ?? '');
  if (Number.isNaN(date)) return unknown('the site does not report its time');
  const difference = Math.abs(date - now());
  return difference <= clockLimitMs
    ? fine('agrees with the site')
    : todo(
        `this machine's clock and the site's differ by ${Math.round(difference / 1_000)} s: correct this machine's clock.`,
      );
}

const checks = {
  site: reachable,
  address,
  TLS: encrypted,
  headers,
  cache: cached,
  revision,
  migrations: migrated,
  cron,
  backup,
  mail,
  webhook,
  'webhook path': webhookDoor,
  keys,
  wallets,
  clock,
} as const satisfies Checks<string, Subject>;

export type CheckName = keyof typeof checks;

/** Runs all checks. If a check itself fails, that is also a finding. */
export const examine = (subject: Subject): Promise<Readonly<Record<CheckName, Finding>>> =>
  makeChecks(checks, subject, todo);
