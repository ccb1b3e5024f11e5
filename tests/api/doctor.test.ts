/**
 * `npm run doctor` against the local system: a healthy site, and each fault that the doctor knows, caused and found.
 */
import { createClient, type Client } from '@libsql/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import { examine, type CheckName, type Subject } from '#deploy/checks.ts';
import { prepareDatabase } from '#deploy/prepare-database.ts';
import { recordRun } from '#worker/operations/jobs.ts';
import { ensureEndpoint, ensureWalletDomain, findEndpoints, findWalletDomain } from '#deploy/stripe.ts';
import { startStripeEmulator, type StripeEmulator } from '#dev/stripe/server.ts';
import { connectStripe, pay, secretKey, webhookSecret } from '#dev/stripe/testing.ts';
import { publicAddresses, typedSettings } from '../support/deployment.ts';
import { liveRevision } from '../support/content.ts';
import { untilMs } from '../support/limits.ts';
import { fetchAlone, Visitor } from '../support/visitor.ts';

const systemUrl = sharedSystem.url;
const siteUrl = publicAddresses.site;
const hourMs = 3_600_000;

let folder: string;
let emulator: StripeEmulator;
let settings: Subject['settings'];
let stripe: Stripe;
const database = sharedSystem.db.$client;
/** A database that is not the site's: it is new, and no job has run. */
let other: Client;

const headersWith = (answer: Response, change: (headers: Headers) => void): Response => {
  const headers = new Headers(answer.headers);
  change(headers);
  return new Response(answer.body, { status: answer.status, headers });
};

/**
 * The site as it answers through Cloudflare, which reports the time and what its cache did. A page that is in memory
 * for a second after a check has requested it does not come from the cache.
 */
const wellFetch: Subject['fetch'] = async (path, init) =>
  headersWith(await fetchAlone(new URL(path, systemUrl), init), (headers) => {
    if (new Headers(init?.headers).get('Cache-Control') === 'no-cache') headers.set('Cf-Cache-Status', 'HIT');
    headers.set('Date', new Date().toUTCString());
  });

const mailDomain = 'mail.agency.example';

/** The DNS of a domain that Cloudflare has set up for sending, with the policy of its parent domain. */
const records = {
  [`cf-bounce.${mailDomain} TXT`]: ['v=spf1 include:_spf.mx.cloudflare.net ~all'],
  [`cf-bounce._domainkey.${mailDomain} TXT`]: ['v=DKIM1; h=sha256; k=rsa; p=MIIBIjAN'],
  '_dmarc.agency.example TXT': ['v=DMARC1; p=quarantine;'],
};

const resolving =
  (dns: Readonly<Record<string, readonly string[]>>): Subject['lookUp'] =>
  (name, type) =>
    Promise.resolve([...(dns[`${name} ${type}`] ?? [])]);

const well = (): Subject => ({
  siteUrl,
  settings,
  database,
  stripe,
  fetch: wellFetch,
  fetchInsecure: () => Promise.resolve(Response.redirect(siteUrl, 301)),
  sendingFrom: (domain) =>
    Promise.resolve({
      isEnabled: domain === mailDomain,
      returnPath: `cf-bounce.${domain}`,
      dkimSelector: 'cf-bounce',
    }),
  lookUp: resolving(records),
  now: Date.now,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  await prepareDatabase(`file:${join(folder, 'other.sqlite')}`, undefined);
  other = createClient({ url: `file:${join(folder, 'other.sqlite')}` });
  await other.execute("INSERT INTO publications (revision, at, by, changedPages) VALUES (1000, 0, '', '[]')");
  for (const job of ['cron', 'backup'] as const) await recordRun(sharedSystem.db, job, null);
  const { publishableKey } = sharedSystem;
  emulator = await startStripeEmulator({ secretKey, publishableKey, webhookSecret });
  settings = { ...typedSettings, STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: emulator.url };
  stripe = connectStripe(emulator.port);
  // Until the first pages are rendered, visitors get the deployed pages, which have no revision.
  await vi.waitFor(async () => expect(await liveRevision(new Visitor(systemUrl))).not.toBeNull(), {
    timeout: untilMs,
    interval: 50,
  });
  await ensureEndpoint(stripe, siteUrl, undefined, false);
  await ensureWalletDomain(stripe, siteUrl);
});
afterAll(async () => {
  await emulator.close();
  other.close();
  await rm(folder, { recursive: true, force: true });
});

test('A healthy site passes every check', async () => {
  const findings = await examine(well());
  expect(Object.entries(findings).filter(([, { state }]) => state !== 'fine')).toEqual([]);
});

const changed =
  (change: (headers: Headers) => void): Subject['fetch'] =>
  async (...request) =>
    headersWith(await wellFetch(...request), change);

/** Something in front of the site modifies the pages that browsers request. */
const rewriting =
  (written: string): Subject['fetch'] =>
  async (path, init) => {
    const answer = await wellFetch(path, init);
    if (!new Headers(init?.headers).get('User-Agent')?.startsWith('Mozilla/')) return answer;
    return new Response((await answer.text()).replace('</main>', `${written}$&`), answer);
  };

const finding = (state: string, said: string) => ({ state, said: expect.stringContaining(said) as string });
async function expectTodo(name: CheckName, fault: Partial<Subject>, said: string): Promise<void> {
  expect((await examine({ ...well(), ...fault }))[name], said).toEqual(finding('todo', said));
}
const answering = (body: string, status: number) => () => Promise.resolve(new Response(body, { status }));

test('A deployer reads what keeps visitors from the site', async () => {
  await expectTodo('site', { fetch: () => Promise.reject(new Error('refused')) }, 'refused');
  await expectTodo('site', { fetch: answering('', 503) }, 'wrangler tail');
  await expectTodo('TLS', { fetchInsecure: answering('', 200) }, 'Always Use HTTPS');
  const cause = new TypeError('fetch failed', { cause: new Error('CERT') });
  await expectTodo('TLS', { fetchInsecure: () => Promise.reject(cause) }, 'CERT');
});

test('A deployer reads that a site without its own domain is a trial that sends no email', async () => {
  const trial = { siteUrl: 'https://loan-agency-storefront.agency.workers.dev' };
  await expectTodo('address', trial, 'Cloudflare sends no email without one');
  const byResend = { ...well(), ...trial, settings: { ...settings, MAIL_TRANSPORT: 'resend' } };
  expect((await examine(byResend)).address.state).toBe('fine');
  expect(
    (await examine({ ...well(), ...trial, settings: { ...settings, SITE_URL: trial.siteUrl } })).mail,
  ).toEqual(finding('unknown', 'a trial sends no email'));
});

test('A deployer reads how something in front of the site changes its responses', async () => {
  const name = 'Content-Security-Policy';
  await expectTodo('headers', { fetch: changed((headers) => headers.delete(name)) }, name);
  const email = '<a href="/cdn-cgi/l/email-protection">x</a>';
  await expectTodo('headers', { fetch: rewriting(email) }, 'Email Address Obfuscation');
  const beacon = '<script src="https://static.cloudflareinsights.com/beacon.min.js"></script>';
  await expectTodo('headers', { fetch: rewriting(beacon) }, 'Web Analytics');
  const bypass = changed((headers) => headers.set('Cf-Cache-Status', 'BYPASS'));
  await expectTodo('cache', { fetch: bypass }, 'enabled = true under [cache]');
  const botFight = 'turn Bot Fight Mode off (Cloudflare, Security, Bots)';
  await expectTodo('webhook path', { fetch: answering('Just a moment', 403) }, botFight);
});

test('A deployer reads what is wrong with the database, the cron trigger and the backup', async () => {
  await expectTodo('revision', { database: other }, 'TURSO_DATABASE_URL');
  await other.execute('UPDATE __drizzle_migrations SET created_at = 1');
  await expectTodo('migrations', { database: other }, 'are missing: npm run deploy');
  const early = await examine({ ...well(), database: other });
  expect([early.cron, early.backup]).toEqual([
    finding('unknown', 'has not run yet'),
    finding('unknown', 'none yet'),
  ]);
  const hourLater = { database: other, now: () => Date.now() + hourMs };
  await expectTodo('cron', hourLater, 'has never run');
  await expectTodo('backup', hourLater, 'there is none');
  await expectTodo('cron', { now: () => Date.now() + hourMs }, 'Cron Trigger');
  await other.execute({
    sql: "INSERT OR REPLACE INTO job_runs VALUES ('cron', ?1, NULL, 'LibsqlError')",
    args: [Date.now()],
  });
  await expectTodo('cron', { database: other }, 'it fails (LibsqlError)');
  await expectTodo('backup', { now: () => Date.now() + 27 * hourMs }, '27 hours ago');
  await expectTodo('clock', { now: () => Date.now() + hourMs }, "this machine's clock");
});

test('A deployer reads what is wrong with email and Stripe', async () => {
  const elsewhere = { siteUrl: 'https://elsewhere.example' };
  const withSetting = (setting: Subject['settings']) => ({ settings: { ...settings, ...setting } });
  const unknownDomain = withSetting({ MAIL_FROM: 'hello@post.agency.example' });
  await expectTodo('mail', unknownDomain, 'npx wrangler email sending enable post.agency.example');
  for (const [name, said] of [
    [`cf-bounce.${mailDomain} TXT`, 'SPF: TXT cf-bounce.mail.agency.example must be "v=spf1 include:'],
    [`cf-bounce._domainkey.${mailDomain} TXT`, 'DKIM: TXT cf-bounce._domainkey.mail.agency.example'],
    ['_dmarc.agency.example TXT', 'DMARC: add TXT _dmarc.mail.agency.example "v=DMARC1; p=none;"'],
  ] as const)
    await expectTodo('mail', { lookUp: resolving({ ...records, [name]: [] }) }, said);
  await expectTodo('webhook', elsewhere, 'no endpoint for https://elsewhere.example/api/stripe/webhook');
  const otherSecret = withSetting({ STRIPE_WEBHOOK_SECRET: 'whsec_of_another' });
  await expectTodo('webhook', otherSecret, 'was created with a different secret than STRIPE_WEBHOOK_SECRET');
  const liveKey = withSetting({ STRIPE_SECRET_KEY: 'sk_live_1' });
  await expectTodo('keys', liveKey, 'is a test key, and STRIPE_SECRET_KEY is a live key');
  await expectTodo('keys', { fetch: answering('[]', 200) }, '/add-paypal-Email');
  const mistyped = JSON.stringify([{ stripeKey: 'pk_test_mistyped' }]);
  await expectTodo('keys', { fetch: answering(mistyped, 200) }, 'Stripe does not recognize this key');
  await expectTodo('wallets', elsewhere, 'npm run deploy');
});

test('A page that Cloudflare reports as dynamic may still come from the cache', async () => {
  const fetch = changed((headers) => headers.set('Cf-Cache-Status', 'DYNAMIC'));
  expect((await examine({ ...well(), fetch })).cache.state).toBe('unknown');
});

test("The DNS says whether mail servers trust the site's emails, also with Resend; a domain that gets the firm's own email is noted", async () => {
  const look = async (changes: Subject['settings'], more: Readonly<Record<string, readonly string[]>> = {}) =>
    (
      await examine({
        ...well(),
        settings: { ...settings, ...changes },
        lookUp: resolving({ ...records, ...more }),
      })
    ).mail;
  expect(await look({}, { [`${mailDomain} MX`]: ['10 mx.firm.example.'] })).toEqual(
    finding('fine', `use mail.${mailDomain} to keep them separate`),
  );
  // The advice does not mention the firm's own domain.
  const apex = { MAIL_FROM: 'office@firm.example' };
  const advised = await look(apex, { 'firm.example MX': ['1 smtp.google.com.'] });
  expect(advised).toEqual(finding('todo', 'Put an address at mail.firm.example into MAIL_FROM instead.'));
  expect(advised.said).not.toContain('sending enable');
  const resend = { MAIL_FROM: 'Agency <office@resent.example>', MAIL_TRANSPORT: 'resend' };
  expect(await look(resend)).toEqual(finding('todo', 'DKIM: TXT resend._domainkey.resent.example'));
  const verified = {
    'send.resent.example TXT': ['v=spf1 include:amazonses.com ~all'],
    'resend._domainkey.resent.example TXT': ['p=MIGfMA0G'],
    '_dmarc.resent.example TXT': ['v=DMARC1; p=none;'],
  };
  expect(await look(resend, verified)).toMatchObject({ state: 'fine' });
});

test('A deployer reads when the webhook endpoint is disabled, incomplete or unreachable', async () => {
  const look = async (now: Subject['now'] = Date.now) => (await examine({ ...well(), now })).webhook;
  const id = (await findEndpoints(stripe, siteUrl))[0]?.id ?? '';
  await stripe.webhookEndpoints.update(id, { disabled: true });
  expect(await look()).toEqual(finding('todo', 'disabled at Stripe'));
  await stripe.webhookEndpoints.update(id, { disabled: false, enabled_events: ['charge.refunded'] });
  expect(await look()).toEqual(finding('todo', 'does not report payment_intent.succeeded'));
  expect(await ensureEndpoint(stripe, siteUrl, undefined, true)).toMatchObject({ outcome: 'updated' });
  expect(await look()).toMatchObject({ state: 'fine' });
  // Its deliveries have no destination.
  await pay(stripe);
  expect(await look(() => Date.now() + hourMs)).toEqual(finding('todo', 'was not delivered'));
  // Another site's endpoint may be the one that rejects it.
  const url = 'https://another-shop.example/hook';
  const other = await stripe.webhookEndpoints.create({ url, enabled_events: ['*'] });
  expect(await look(() => Date.now() + hourMs)).toEqual(finding('unknown', url));
  await stripe.webhookEndpoints.del(other.id);
});

test('A deployer reads when wallets are off, and a deployment turns them on', async () => {
  const { id } = (await findWalletDomain(stripe, siteUrl)) ?? { id: '' };
  await stripe.paymentMethodDomains.update(id, { enabled: false });
  expect((await examine(well())).wallets).toMatchObject({ state: 'todo' });
  await ensureWalletDomain(stripe, siteUrl);
  expect((await examine(well())).wallets).toMatchObject({ state: 'fine' });
});
