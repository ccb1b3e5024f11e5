/** `npm run doctor` against the local system: all is well, and each fault it knows of, made and found. */
import { createClient, type Client } from '@libsql/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { examine, type CheckName, type Subject } from '#deploy/checks.ts';
import { prepareDatabase } from '#deploy/prepare-database.ts';
import { ensureEndpoint, ensureWalletDomain, findEndpoints, findWalletDomain } from '#deploy/stripe.ts';
import { startStripeEmulator, type StripeEmulator } from '#dev/stripe/server.ts';
import { connectStripe, pay, publishableKey, secretKey, webhookSecret } from '#dev/stripe/testing.ts';
import { openDeployer, publicAddresses, typedSettings } from '../support/deployment.ts';
import { fetchAlone } from '../support/visitor.ts';

const systemUrl = inject('systemUrl');
const siteUrl = publicAddresses.site;
const hourMs = 3_600_000;

let folder: string;
let emulator: StripeEmulator;
let stripe: Stripe;
let database: Client;
/** A database that is not the site's: new, and nothing ever ran. */
let other: Client;

const headersWith = (answer: Response, change: (headers: Headers) => void): Response => {
  const headers = new Headers(answer.headers);
  change(headers);
  return new Response(answer.body, { status: answer.status, headers });
};

/**
 * The site as it answers through Cloudflare, which says the time and what its cache did. A page that memory holds, as it does
 * for a second after any check has asked, does not come from there.
 */
const wellFetch: Subject['fetch'] = async (path, init) =>
  headersWith(await fetchAlone(new URL(path, systemUrl), init), (headers) => {
    if (new Headers(init?.headers).get('Cache-Control') === 'no-cache') headers.set('Cf-Cache-Status', 'HIT');
    headers.set('Date', new Date().toUTCString());
  });

const well = (): Subject => ({
  siteUrl,
  settings: typedSettings,
  database,
  stripe,
  fetch: wellFetch,
  fetchInsecure: () => Promise.resolve(Response.redirect(siteUrl, 301)),
  maySendFrom: (domain) => Promise.resolve(domain === 'agency.example'),
  now: Date.now,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  await prepareDatabase(`file:${join(folder, 'other.sqlite')}`, undefined);
  other = createClient({ url: `file:${join(folder, 'other.sqlite')}` });
  await other.execute("INSERT INTO publications (revision, at, by, changedPages) VALUES (1000, 0, '', '[]')");
  database = createClient({ url: inject('databaseUrl'), authToken: inject('databaseToken') });
  await fetchAlone(new URL('/cdn-cgi/local/scheduled', systemUrl));
  await database.execute({
    sql: "INSERT OR REPLACE INTO job_runs VALUES ('backup', ?1, ?1, NULL)",
    args: [Date.now()],
  });
  emulator = await startStripeEmulator({ secretKey, publishableKey, webhookSecret });
  stripe = connectStripe(emulator.port);
  await ensureEndpoint(stripe, siteUrl, undefined, false);
  await ensureWalletDomain(stripe, siteUrl);
});
afterAll(async () => {
  await emulator.close();
  database.close();
  other.close();
  await rm(folder, { recursive: true, force: true });
});

test('A site in good order is fine in every respect', async () => {
  const findings = await examine(well());
  expect(Object.entries(findings).filter(([, { state }]) => state !== 'fine')).toEqual([]);
});

const changed =
  (change: (headers: Headers) => void): Subject['fetch'] =>
  async (...request) =>
    headersWith(await wellFetch(...request), change);

/** Something in front of the site writes into the pages that browsers ask for. */
const rewriting =
  (written: string): Subject['fetch'] =>
  async (path, init) => {
    const answer = await wellFetch(path, init);
    if (!new Headers(init?.headers).get('User-Agent')?.startsWith('Mozilla/')) return answer;
    return new Response((await answer.text()).replace('</main>', `${written}$&`), answer);
  };

/** Each fault by name: the check that finds it, what is different, and a part of what the deployer reads. */
const faults: readonly [string, CheckName, () => Partial<Subject> | Promise<Partial<Subject>>, string][] = [
  [
    'the site answers nobody',
    'site',
    () => ({ fetch: () => Promise.reject(new Error('refused')) }),
    'refused',
  ],
  [
    'the database is away',
    'site',
    () => ({ fetch: () => Promise.resolve(new Response('', { status: 503 })) }),
    'wrangler tail',
  ],
  [
    'plain HTTP is served',
    'TLS',
    () => ({ fetchInsecure: () => Promise.resolve(new Response('')) }),
    'Always Use HTTPS',
  ],
  [
    'the certificate does not hold',
    'TLS',
    () => ({
      fetchInsecure: () => Promise.reject(new TypeError('fetch failed', { cause: new Error('CERT') })),
    }),
    'CERT',
  ],
  [
    'a header is removed on the way',
    'headers',
    () => ({ fetch: changed((headers) => headers.delete('Content-Security-Policy')) }),
    'Content-Security-Policy',
  ],
  [
    'addresses on the page are rewritten',
    'headers',
    () => ({ fetch: rewriting('<a href="/cdn-cgi/l/email-protection">x</a>') }),
    'Email Address Obfuscation',
  ],
  [
    'a script is put into the pages that browsers ask for',
    'headers',
    () => ({
      fetch: rewriting('<script src="https://static.cloudflareinsights.com/beacon.min.js"></script>'),
    }),
    'Web Analytics',
  ],
  [
    'the cache does not keep the page',
    'cache',
    () => ({ fetch: changed((headers) => headers.set('Cf-Cache-Status', 'BYPASS')) }),
    'enabled = true below [cache]',
  ],
  [
    "the settings name another database than the site's",
    'revision',
    () => ({ database: other }),
    'TURSO_DATABASE_URL',
  ],
  [
    'a migration was not applied',
    'migrations',
    async () => {
      await other.execute(
        'DELETE FROM __drizzle_migrations WHERE created_at > (SELECT min(created_at) FROM __drizzle_migrations)',
      );
      return { database: other };
    },
    'are missing: npm run deploy',
  ],
  ['the cron trigger never ran', 'cron', () => ({ database: other }), 'last ran never'],
  ['the cron trigger stopped', 'cron', () => ({ now: () => Date.now() + hourMs }), 'Cron Trigger'],
  [
    'what the cron trigger runs fails',
    'cron',
    async () => {
      await other.execute({
        sql: "INSERT OR REPLACE INTO job_runs VALUES ('cron', ?1, NULL, 'LibsqlError')",
        args: [Date.now()],
      });
      return { database: other };
    },
    'it fails (LibsqlError)',
  ],
  ['there is no backup', 'backup', () => ({ database: other }), 'npm run backup'],
  ['the last backup is old', 'backup', () => ({ now: () => Date.now() + 27 * hourMs }), '27 hours ago'],
  [
    'mail may not be sent',
    'mail',
    () => ({ maySendFrom: () => Promise.resolve(false) }),
    'email sending enable',
  ],
  [
    'Stripe knows no webhook endpoint',
    'webhook',
    () => ({ siteUrl: 'https://elsewhere.example' }),
    'no endpoint for https://elsewhere.example/api/stripe/webhook',
  ],
  [
    'the endpoint was made with another secret, and no event tells whether it was rolled since',
    'webhook',
    () => ({ settings: { ...typedSettings, STRIPE_WEBHOOK_SECRET: 'whsec_of_another' } }),
    'was made with another secret than STRIPE_WEBHOOK_SECRET',
  ],
  [
    'something in front of the site stops machines',
    'webhook path',
    () => ({ fetch: () => Promise.resolve(new Response('Just a moment', { status: 403 })) }),
    'turn Bot Fight Mode off (Cloudflare, Security, Bots)',
  ],
  [
    'the keys are of two modes',
    'keys',
    () => ({ settings: { ...typedSettings, STRIPE_SECRET_KEY: 'sk_live_1' } }),
    'of test mode, STRIPE_SECRET_KEY of live mode',
  ],
  [
    'nobody has typed the publishable key in',
    'keys',
    () => ({ fetch: () => Promise.resolve(Response.json([])) }),
    '/add-paypal-Email',
  ],
  [
    'the host is not registered for wallets',
    'wallets',
    () => ({ siteUrl: 'https://elsewhere.example' }),
    'npm run deploy',
  ],
  [
    'the clock of this machine is wrong',
    'clock',
    () => ({ now: () => Date.now() + hourMs }),
    "this machine's clock",
  ],
];

test.each(faults)('A deployer is told what to do when %s', async (_, name, fault, said) => {
  const findings = await examine({ ...well(), ...(await fault()) });
  expect(findings[name]).toEqual({ state: 'todo', said: expect.stringContaining(said) as string });
});

test('A page said to be dynamic may come from the cache all the same', async () => {
  const fetch = changed((headers) => headers.set('Cf-Cache-Status', 'DYNAMIC'));
  expect((await examine({ ...well(), fetch })).cache.state).toBe('unknown');
});

test('The domain of the sender is looked up without its name, and never at Cloudflare where Resend delivers', async () => {
  const look = async (changes: Subject['settings']) =>
    (await examine({ ...well(), settings: { ...typedSettings, ...changes } })).mail;
  expect(await look({ MAIL_FROM: 'Agency <office@agency.example>' })).toMatchObject({ state: 'fine' });
  expect(await look({ MAIL_FROM: 'office@resent.example', MAIL_TRANSPORT: 'resend' })).toEqual({
    state: 'unknown',
    said: expect.stringContaining('whether resent.example is verified') as string,
  });
});

test('A deployer is told when the webhook endpoint is switched off, incomplete or not reached', async () => {
  const look = async (now: Subject['now'] = Date.now) => (await examine({ ...well(), now })).webhook;
  const id = (await findEndpoints(stripe, siteUrl))[0]?.id ?? '';
  await stripe.webhookEndpoints.update(id, { disabled: true });
  expect(await look()).toMatchObject({
    state: 'todo',
    said: expect.stringContaining('switched off') as string,
  });
  await stripe.webhookEndpoints.update(id, { disabled: false, enabled_events: ['charge.refunded'] });
  expect(await look()).toMatchObject({
    state: 'todo',
    said: expect.stringContaining('does not report payment_intent.succeeded') as string,
  });
  expect(await ensureEndpoint(stripe, siteUrl, undefined, true)).toMatchObject({ outcome: 'updated' });
  expect(await look()).toMatchObject({ state: 'fine' });
  // Its deliveries have nowhere to go.
  await pay(stripe);
  expect(await look(() => Date.now() + hourMs)).toMatchObject({
    state: 'todo',
    said: expect.stringContaining('was not delivered') as string,
  });
  // Another site's endpoint may be the one that refuses it.
  const url = 'https://another-shop.example/hook';
  const other = await stripe.webhookEndpoints.create({ url, enabled_events: ['*'] });
  expect(await look(() => Date.now() + hourMs)).toMatchObject({
    state: 'unknown',
    said: expect.stringContaining(url) as string,
  });
  await stripe.webhookEndpoints.del(other.id);
});

test('A deployer is told when wallets are switched off, and a deployment switches them on', async () => {
  const { id } = (await findWalletDomain(stripe, siteUrl)) ?? { id: '' };
  await stripe.paymentMethodDomains.update(id, { enabled: false });
  expect((await examine(well())).wallets).toMatchObject({ state: 'todo' });
  await ensureWalletDomain(stripe, siteUrl);
  expect((await examine(well())).wallets).toMatchObject({ state: 'fine' });
});

test('The command says it all in one line each, or as JSON, and ends with 1 when there is something to do', async () => {
  const deployer = await openDeployer({
    routes: {
      [siteUrl]: systemUrl,
      [publicAddresses.database]: inject('databaseUrl'),
      [publicAddresses.stripe]: emulator.url,
    },
  });
  try {
    await deployer.writeSettings({
      ...typedSettings,
      TURSO_AUTH_TOKEN: inject('databaseToken'),
      STRIPE_SECRET_KEY: secretKey,
    });
    const { code, said } = await deployer.run('doctor.ts');
    expect(said).toContain('fine   revision: ');
    expect(said).toContain('fine   mail: agency.example may send');
    expect(said).toMatch(/^ {2}\? {4}cache: /m);
    // Plain HTTP leads nowhere in this test.
    expect(said).toMatch(/^TO DO {2}TLS: /m);
    expect(code).toBe(1);
    const asJson = await deployer.run('doctor.ts', ['--json']);
    expect(JSON.parse(asJson.said)).toMatchObject({ site: { state: 'fine' }, TLS: { state: 'todo' } });
  } finally {
    await deployer.remove();
  }
});
