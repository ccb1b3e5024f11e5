/** Deployments with the real commands, to stand-in accounts on this machine. */
import { createClient } from '@libsql/client';
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { projectDir } from '#deploy/settings.ts';
import { startStripeEmulator } from '#dev/stripe/server.ts';
import { freePort } from '#dev/system/worker-process.ts';
import { recordRun } from '#worker/operations/jobs.ts';
import { openStripe, webhookEvents } from '#worker/payments/stripe.ts';
import { openSystemDatabase } from '../bench/database.ts';
import { tokenForSwitches } from '../support/cloudflare-api.ts';
import { openDeployer, publicAddresses, typedSettings, type Answers } from '../support/deployment.ts';
import { sharedBuild, startTestSystem } from '../support/system.ts';
import { startDatabase } from '../support/test-database.ts';

/** The site that the deployments create. */
const site = await startTestSystem();
afterAll(() => site.stop());

/** The site's URL without a custom domain. */
const trialUrl = 'https://loan-agency-storefront.agency.workers.dev';
const trialNote = 'this is a trial: the site has no domain of its own';

async function dryRun(settings: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['deploy/deploy.ts', '--dry-run'], {
    cwd: projectDir,
    env: {
      ...process.env,
      ...typedSettings,
      ...settings,
      PATH: `${projectDir}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${projectDir}/tests/support/route-hosts.mjs`,
      ROUTED_HOSTS: '{}',
      BUILT_SITE: sharedBuild,
      NO_COLOR: '1',
    },
  });
  return stdout;
}

test('A dry run needs no account. It builds the site and the Worker, shows no secrets, and says what is a trial', async () => {
  const stdout = await dryRun({
    SITE_URL: trialUrl,
    STRIPE_WEBHOOK_SECRET: 'whsec_canary77aa',
    SEALING_KEYS: 'canary-of-a-sealing-key-77aa5b1e9f20',
  });
  expect(stdout).toContain('1. check the settings: all good');
  expect(stdout).toContain(trialNote);
  const gzipKiB = Number(/Total Upload: .*gzip: ([\d.]+) KiB/.exec(stdout)?.[1]);
  expect(gzipKiB).toBeGreaterThan(100);
  // The passkey verification takes 88 KiB (docs/decisions/accounts.md).
  expect(gzipKiB).toBeLessThan(700);
  expect(stdout).toContain('Nothing was uploaded.');
  expect(stdout).not.toContain('canary');
});

test('A dry run names a wrong address, and still builds', async () => {
  const outcomes = await Promise.all(
    ['www.agency.example', 'https://shop.agency.workers.dev'].map((SITE_URL) => dryRun({ SITE_URL })),
  );
  const [withoutHttps, withoutName] = outcomes;
  expect(withoutHttps).toContain('- SITE_URL must begin with https://.');
  expect(withoutName).toContain(
    '- SITE_URL must be https://loan-agency-storefront.your-subdomain.workers.dev',
  );
  for (const said of outcomes) expect(said).toContain('Nothing was uploaded.');
});

test('Doctor names every invalid setting before it checks anything', async () => {
  const deployer = await openDeployer();
  onTestFinished(() => deployer.remove());
  await deployer.writeSettings({ ...typedSettings, SITE_URL: 'www.agency.example', MAIL_FROM: '' });
  const { code, said } = await deployer.run('doctor.ts');
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(
      /^Some settings are missing or wrong \(.*\):\n- MAIL_FROM is not set\.\n- SITE_URL must begin with https:\/\/\.\n$/,
    ),
  ]);
});

test.each<[string, string[], string | RegExp, Readonly<Record<string, string>>?]>([
  ['an unknown option', ['deploy/deploy.ts', '--dryrun'], "Unknown option '--dryrun'\n"],
  [
    'an unreachable database',
    ['deploy/backup.ts', 'backup', 'never-written.gz'],
    /^fetch failed \(.*ECONNREFUSED.*\)\n$/,
  ],
  [
    'an unreachable Stripe',
    ['deploy/backup.ts', 'restore', 'a.gz'],
    /^An error .* connection to Stripe.*\n$/,
  ],
  [
    'an incomplete address of the database',
    ['deploy/backup.ts', 'backup', 'never-written.gz'],
    'TURSO_DATABASE_URL is not an address: it begins with libsql://.\n',
    { TURSO_DATABASE_URL: 'agency.turso.io' },
  ],
  [
    'an incomplete address of the site',
    ['deploy/preview.ts'],
    'SITE_URL must begin with https://.\n',
    { SITE_URL: 'www.agency.example' },
  ],
])('%s ends a command with one line', async (_what, command, line, settings = {}) => {
  const ended = promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', ...command], {
    cwd: projectDir,
    env: {
      ...process.env,
      ...typedSettings,
      TURSO_DATABASE_URL: `http://localhost:${String(await freePort())}`,
      STRIPE_API_URL: `http://localhost:${String(await freePort())}`,
      ...settings,
    },
  });
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: typeof line === 'string' ? line : (expect.stringMatching(line) as string),
  });
});

/** A test's accounts, and everything that a deployment to them reaches. */
async function openAccounts(secretKey: string = typedSettings.STRIPE_SECRET_KEY) {
  const database = await startDatabase();
  const emulator = await startStripeEmulator({
    secretKey,
    publishableKey: 'pk_test_of_the_agency',
    webhookSecret: 'whsec_none',
  });
  const deployer = await openDeployer({
    routes: {
      [publicAddresses.site]: site.url,
      [publicAddresses.database]: database.url,
      [publicAddresses.stripe]: emulator.url,
    },
  });
  const stripe = openStripe({
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_API_URL: emulator.url,
  });
  const run = (args: readonly string[] = [], settings = {}, answers?: Answers) =>
    deployer.run('deploy.ts', args, { BUILT_SITE: sharedBuild, ...settings }, answers);
  const client = createClient({ url: database.url });
  onTestFinished(async () => {
    client.close();
    await deployer.remove();
    await emulator.close();
    await database.close();
  });
  return { deployer, stripe, emulator, client, run };
}

/** How a command ends: its exit code, and part of its output. */
const ended = (code: number, said: string) => ({ code, said: expect.stringContaining(said) as string });

/** Two accounts that the deployer may use. */
const ownAccount = '0123456789abcdef0123456789abcdef';
const otherAccount = 'f'.repeat(32);

test('A first deployment from empty accounts ends with a reachable site; a later build keeps its secrets except those that are rotated', async () => {
  const { deployer, stripe, run } = await openAccounts();
  // A real site's cron fires in the meantime. Without it, the site would report that it is not healthy.
  const { db, close } = openSystemDatabase(site.database);
  const cron = setInterval(() => void recordRun(db, 'cron', null), 60_000);
  onTestFinished(() => {
    clearInterval(cron);
    close();
  });
  const workerOf = async () => Object.values((await deployer.account()).workers)[0];
  await recordRun(db, 'cron', null);
  // If a build fails to upload, the new endpoint's secret is lost, so the endpoint is also deleted.
  await deployer.changeAccount({ failsUploads: true, accountIds: [ownAccount, otherAccount] });
  const environment = { ...typedSettings, CLOUDFLARE_ACCOUNT_ID: ownAccount, CI: '1' };
  const withSecret = { ...environment, STRIPE_WEBHOOK_SECRET: 'whsec_of_another_mode' };
  expect((await run(['--yes'], withSecret)).said).toContain('Remove it from the environment');
  const failed = await run(['--yes'], environment);
  expect(failed).toMatchObject(ended(1, 'Webhook endpoint at Stripe: created.'));
  expect((await stripe.webhookEndpoints.list()).data).toEqual([]);
  await deployer.changeAccount({ failsUploads: false, sendingDomains: ['mail.agency.example'] });
  await rm(deployer.settingsFile, { force: true });

  await deployer.writeSettings({ ...typedSettings, LIMIT_RESET_ADDRESS: '7' });
  expect((await deployer.run('deploy.ts')).said).toContain(
    `several Cloudflare accounts: Account 1 (${ownAccount})`,
  );
  const typed = { ...typedSettings, CLOUDFLARE_ACCOUNT_ID: ownAccount, LIMIT_RESET_ADDRESS: '7' };
  await deployer.writeSettings(typed);
  const first = await run();
  expect(first).toMatchObject(ended(0, `Live: ${typedSettings.SITE_URL}`));
  expect(first.said).not.toContain('canary');

  // Plain HTTP reaches nothing in this test.
  const doctor = await deployer.run('doctor.ts');
  expect([doctor.code, doctor.said]).toEqual([1, expect.stringMatching(/^TO DO {2}TLS: /m)]);
  expect(doctor.said).toContain('TO DO  mail: mail.agency.example is missing DNS records: SPF');
  const asJson = await deployer.run('doctor.ts', ['--json']);
  expect(JSON.parse(asJson.said)).toMatchObject({ site: { state: 'fine' }, TLS: { state: 'todo' } });

  const [endpoint] = (await stripe.webhookEndpoints.list()).data;
  expect(endpoint).toMatchObject({
    url: 'https://www.agency.example/api/stripe/webhook',
    enabled_events: webhookEvents,
    status: 'enabled',
  });
  const domains = await stripe.paymentMethodDomains.list();
  expect(domains.data.map(({ domain_name }) => domain_name)).toEqual(['www.agency.example']);

  const deployed = await workerOf();
  expect(deployed?.config.vars).toMatchObject({
    ENVIRONMENT: 'production',
    SITE_URL: typedSettings.SITE_URL,
    LIMIT_RESET_ADDRESS: '7',
  });
  expect(Object.keys(deployed?.secrets ?? {}).toSorted()).toEqual([
    ...['SEALING_KEYS', 'SETUP_TOKEN', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'TOKEN_SIGNING_KEY'],
  ]);
  const kept = await readFile(deployer.settingsFile, 'utf8');
  for (const name of ['SEALING_KEYS', 'SETUP_TOKEN', 'STRIPE_WEBHOOK_SECRET', 'TOKEN_SIGNING_KEY'])
    expect(kept).toContain(`${name}=${deployed?.secrets[name] ?? ''}\n`);

  // A build has no settings file. Generated secrets stay in the Worker, and secrets that the settings no longer contain
  // are removed.
  const account = await deployer.account();
  const [name = '', worker] = Object.entries(account.workers)[0] ?? [];
  if (!worker) throw new Error('Nothing was deployed.');
  await deployer.changeAccount({
    workers: { [name]: { ...worker, secrets: { ...worker.secrets, GOOGLE_CLIENT_SECRET: 'old' } } },
  });
  await deployer.writeSettings({});
  const rotated = {
    TURSO_AUTH_TOKEN: 'canary-of-another-token',
    SEALING_KEYS: `another-sealing-key-0123456789-01234567,${deployed?.secrets['SEALING_KEYS'] ?? ''}`,
  };
  const build = await run(['--yes'], { ...environment, ...rotated });
  expect(build).toMatchObject(ended(0, 'Removed from the Worker: GOOGLE_CLIENT_SECRET.'));
  expect(await workerOf()).toMatchObject({ secrets: { ...deployed?.secrets, ...rotated } });
  expect(Object.keys((await workerOf())?.secrets ?? {})).not.toContain('GOOGLE_CLIENT_SECRET');
  expect((await stripe.webhookEndpoints.list()).data).toHaveLength(1);
  expect(await readFile(deployer.settingsFile, 'utf8')).toBe('');
});

/** A person at the terminal, who answers according to the question. */
function openTerminal() {
  const asked: string[] = [];
  const answering =
    (answers: readonly (readonly [RegExp, string])[]): Answers =>
    (text) => {
      const question = /(?:^|\n)([^\n]*(?:: |\(y\/N\) ))$/.exec(text)?.[1];
      if (question === undefined) return undefined;
      const about = [...text.matchAll(/\n([A-Z_]+): /g)].at(-1)?.[1];
      asked.push(/^(Value|Token)/.test(question) ? (about ?? question) : question);
      return answers.find(([pattern]) => pattern.test(`${about ?? ''} ${question}`))?.[1] ?? '';
    };
  return { asked, answering };
}

/** What a person who knows the guide types. */
const typed = [
  [/^SITE_URL Value/, typedSettings.SITE_URL],
  [/^STRIPE_SECRET_KEY Value/, typedSettings.STRIPE_SECRET_KEY],
  [/^STRIPE_PUBLISHABLE_KEY Value/, 'pk_test_of_the_agency'],
  [/^SITE_TIMEZONE Value/, 'America/Chicago'],
] as const;

test('A deployer answers a few questions, the deployment creates everything else, and lists what they declined', async () => {
  const { deployer, client, run } = await openAccounts();
  await deployer.changeAccount({ isSignedIn: false });
  const { asked, answering } = openTerminal();
  const first = await run(
    [],
    {},
    answering([
      ...typed,
      [/^ ?Create the database/, 'y'],
      [/run the site next to it/i, 'y'],
      [/Turnstile\?/, 'y'],
      [/to send email\?/, 'y'],
      [/Token/, tokenForSwitches],
      [/Change these settings for the whole domain agency\.example/, 'y'],
    ]),
  );
  expect(first).toMatchObject(ended(0, 'Live: '));
  expect(first.said).not.toContain('Left for you');
  expect(first.said).not.toContain('canary');
  // First Stripe, then the database, then the upload.
  expect(first.said).toMatch(
    /Checking the accounts[^]+Webhook endpoint at Stripe: created[^]+Created database storefront[^]+Turnstile\?[^]+Uploading/,
  );
  // Five are typed; for the others, Enter or y is enough.
  expect(asked).toHaveLength(13);

  const account = await deployer.account();
  const [worker] = Object.values(account.workers);
  expect(worker).toMatchObject({
    config: {
      placement: { region: 'aws:us-east-1' },
      vars: { MAIL_FROM: 'hello@mail.agency.example', NOTIFY_EMAIL: 'deployer@agency.example' },
    },
    secrets: { TURSO_AUTH_TOKEN: 'canary-of-a-turso-token', TURNSTILE_SECRET_KEY: 'canary-of-turnstile' },
  });
  expect(worker?.config.vars).not.toHaveProperty('STRIPE_PUBLISHABLE_KEY');
  expect(account.widgets).toMatchObject([{ domains: ['www.agency.example'], mode: 'managed' }]);
  expect(account.sendingDomains).toEqual(['mail.agency.example']);
  expect(account.zones).toMatchObject([
    {
      settings: {
        always_use_https: 'on',
        min_tls_version: '1.2',
        automatic_https_rewrites: 'off',
        email_obfuscation: 'off',
        rum: 'off',
      },
      fight_mode: false,
    },
  ]);
  const { rows } = await client.execute('SELECT stripeKey FROM stripe_keys');
  expect(rows).toEqual([{ stripeKey: 'pk_test_of_the_agency' }]);

  // Nothing is asked again.
  asked.length = 0;
  const second = await run([], {}, answering([]));
  expect([second.code, asked]).toEqual([0, []]);

  // A person who declines sees what is left. A domain that receives the firm's email stays unchanged.
  await rm(deployer.settingsFile);
  await deployer.changeAccount({
    workers: {},
    domains: {},
    dns: { 'agency.example MX': ['1 smtp.google.com.'] },
  });
  const declined = await run(
    [],
    {},
    answering([
      ...typed,
      [/^TURSO_DATABASE_URL Value/, typedSettings.TURSO_DATABASE_URL],
      [/^MAIL_FROM Value/, 'hello@agency.example'],
    ]),
  );
  expect(declined.said).toContain('WARNING: agency.example gets email (MX 1 smtp.google.com.)');
  expect(declined.said).toMatch(
    /Left for you to do:\n- Email: .+ Put an address at mail\.agency\.example into MAIL_FROM.+\n- Settings of agency\.example .+Bot Fight Mode off\.\n- Turnstile: /,
  );
  expect((await deployer.account()).sendingDomains).toEqual(['mail.agency.example']);
});

test('A failure after the upload does not stop the remaining steps, and the next deployment repeats the failed one', async () => {
  const { deployer, stripe, run } = await openAccounts();
  const { asked, answering } = openTerminal();
  await deployer.changeAccount({
    refusesWidgets: true,
    hidesToken: true,
    sendingDomains: ['mail.agency.example'],
  });
  const typedAll = [
    ...typed,
    [/^TURSO_DATABASE_URL Value/, typedSettings.TURSO_DATABASE_URL],
    [/Turnstile\?/, 'y'],
    [/Token/, tokenForSwitches],
    [/Change these settings for the whole domain agency\.example/, 'y'],
  ] as const;
  const first = await run([], { ABSENT: publicAddresses.site }, answering(typedAll));
  expect(first).toMatchObject(ended(1, 'WARNING: https://www.agency.example does not respond yet'));
  expect(first.said).toContain('Uploaded, but not responding yet: https://www.agency.example');
  expect(first.said).toContain('TO DO  site: ');
  expect(first.said).toMatch(
    /Left for you to do:\n- Settings of www\.agency\.example .+Always Use HTTPS on, .+Web Analytics off, Bot Fight Mode off\.\n- Turnstile: /,
  );
  expect((await stripe.paymentMethodDomains.list()).data).toHaveLength(1);

  asked.length = 0;
  await deployer.changeAccount({ refusesWidgets: false, hidesToken: false });
  const tokens = ['mistyped', tokenForSwitches];
  const answers = answering(typedAll);
  const second = await run([], {}, (text) => {
    const answer = answers(text);
    return answer === tokenForSwitches ? tokens.shift() : answer;
  });
  expect(second).toMatchObject(ended(0, 'Live: https://www.agency.example'));
  expect(asked).toHaveLength(4);
  expect(second.said).toContain('Cloudflare does not accept this token for agency.example');
  expect(second.said).not.toContain('Left for you');
  // Nobody has created an administrator yet.
  expect(second.said).toContain('Next: open https://www.agency.example/add-user');
  const { widgets, zones } = await deployer.account();
  expect(widgets).toHaveLength(1);
  expect(zones).toMatchObject([{ fight_mode: false }]);
});

test('A build reads whether nobody is signed in to Cloudflare, or Cloudflare does not answer', async () => {
  const { deployer, run } = await openAccounts();
  await deployer.changeAccount({ isSignedIn: false });
  expect((await run([], typedSettings)).said).toBe(
    'wrangler is not signed in. Set CLOUDFLARE_API_TOKEN, or run: npx wrangler login\n',
  );
  await deployer.changeAccount({ isSignedIn: true, isUnreachable: true });
  expect((await run([], typedSettings)).said).toContain("Unable to resolve Cloudflare's API hostname");
});

test('A wrong account is noticed before anything is changed', async () => {
  const { deployer, stripe, client, run } = await openAccounts();
  const well = {
    plan: undefined,
    r2: undefined,
    refusesImages: undefined,
    domains: undefined,
    dns: undefined,
    lacksPermissions: undefined,
  };
  const before = await deployer.account();
  /** Deploys to an account with faults, and expects that the output names every one of them. */
  const expectStop = async (
    faults: Parameters<typeof deployer.changeAccount>[0],
    said: readonly string[],
    changed: Readonly<Record<string, string>> = {},
  ) => {
    await deployer.changeAccount({ ...well, ...before, ...faults });
    const unchanged = await deployer.account();
    const stopped = await run([], { ...typedSettings, ...changed });
    for (const part of [...said, 'Nothing was changed']) expect(stopped.said).toContain(part);
    expect(stopped.code).toBe(1);
    expect(await deployer.account()).toEqual(unchanged);
    expect((await stripe.webhookEndpoints.list()).data).toEqual([]);
  };
  await expectStop(
    { plan: 'free', lacksPermissions: ['workers_routes:write'] },
    [
      'TO DO  plan, R2 and Images: The Workers Free plan allows 10 ms',
      'wrangler lacks workers_routes:write',
      'Stripe rejects STRIPE_SECRET_KEY',
    ],
    { STRIPE_SECRET_KEY: 'sk_test_other' },
  );
  await expectStop(
    { r2: 'off', zones: [] },
    [
      'TO DO  plan, R2 and Images: R2 is off in this account.',
      'has no domain for www.agency.example',
      'Stripe does not recognize this key',
    ],
    { STRIPE_PUBLISHABLE_KEY: 'pk_test_mistyped' },
  );
  // A person whose account lacks both reads about both.
  await expectStop({ r2: 'off', plan: 'free' }, ['The Workers Free plan allows 10 ms', trialNote], {
    SITE_URL: trialUrl,
  });
  await expectStop({ refusesImages: true }, ['Images is off in this account']);
  const inUse = { 'www.agency.example': 'shop' };
  await expectStop({ domains: inUse }, ["points to the Worker 'shop'"]);
  const elsewhere = { 'www.agency.example CNAME': ['firm.host.example.'] };
  await expectStop({ dns: elsewhere }, ['already points elsewhere: firm.host.example.']);
  await client.execute('CREATE TABLE guests (name TEXT)');
  await expectStop({ r2: 'stuck' }, ['cancel the R2 subscription', 'contains something else (guests)']);
});

test('An existing Turso database is checked before anything is changed', async () => {
  const { deployer, stripe, client, run } = await openAccounts();
  await deployer.changeAccount({
    turso: { isSignedIn: true, databases: { storefront: 'libsql://agency.aws-us-east-1.turso.io' } },
  });
  await client.execute('CREATE TABLE guests (name TEXT)');
  const { asked, answering } = openTerminal();
  const stopped = await run(
    [],
    {},
    answering([...typed, [/^ ?Create the database/, 'y'], [/already has a database 'storefront'/, 'y']]),
  );
  expect(stopped).toMatchObject(ended(1, 'contains something else (guests)'));
  expect(asked.join()).not.toContain('Turso location');
  expect((await stripe.webhookEndpoints.list()).data).toEqual([]);
});

test('A deployment reports unknown permissions and a trial Worker that it cannot delete, and continues', async () => {
  const { deployer, run } = await openAccounts();
  await deployer.changeAccount({ keepsWorkers: true, hidesPermissions: true });
  const done = await run([], typedSettings);
  expect(done).toMatchObject(ended(0, 'Live: '));
  expect(done.said).toContain('?    permissions: wrangler does not report the permissions of an API token');
  const left = Object.keys((await deployer.account()).workers).find((name) => name.includes('-trial-'));
  expect(done.said).toContain(`Delete it: npx wrangler delete --name ${left ?? ''}`);
});

test('A deployment warns about each refusal by Stripe or Cloudflare except of the upload, and succeeds', async () => {
  const restricted = 'rk_test_canary5b1e';
  const settings = { ...typedSettings, STRIPE_SECRET_KEY: restricted };
  const { deployer, emulator, stripe, run } = await openAccounts(restricted);
  const others: string[] = [];
  for (let count = 0; count < 16; count += 1) {
    const url = `https://another-shop.example/hook/${count}`;
    others.push((await stripe.webhookEndpoints.create({ url, enabled_events: ['charge.refunded'] })).id);
  }
  // Stripe refuses to read disputes, then to write two kinds of object.
  const denied = { kind: 'error-before', status: 403, count: 1 } as const;
  emulator.controls.planFault({ ...denied, method: 'GET', path: '/v1/disputes' });
  for (const path of ['/v1/webhook_endpoints', '/v1/payment_method_domains'])
    emulator.controls.planFault({ ...denied, method: 'POST', path });
  await deployer.changeAccount({ lacksPermissions: ['challenge-widgets.write'] });
  const first = await run([], settings);
  expect(first.said).toContain(
    'wrangler lacks challenge-widgets.write, so email or Turnstile cannot be set up',
  );
  expect(first.said).toContain('the restricted key lacks read access to Disputes');
  expect(first.said).toContain('has all 16 webhook endpoints that Stripe allows');
  expect(first).toMatchObject(ended(0, 'Live: '));
  expect(first.said).toContain('WARNING: there is no webhook endpoint at Stripe');
  expect(first.said).toContain('Apple Pay and Google Pay do not yet');
  const [name = '', worker] = Object.entries((await deployer.account()).workers)[0] ?? [];
  expect(worker?.secrets['STRIPE_WEBHOOK_SECRET']).toMatch(/^whsec_/);
  expect(await readFile(deployer.settingsFile, 'utf8')).not.toContain('STRIPE_WEBHOOK_SECRET');

  for (const id of others) await stripe.webhookEndpoints.del(id);

  // The next deployment makes up for it, with a secret that Stripe knows. A secret that cannot be removed stays.
  if (!worker) throw new Error('Nothing was deployed.');
  const secrets = { ...worker.secrets, GOOGLE_CLIENT_SECRET: 'old' };
  await deployer.changeAccount({ hasUndeployedVersion: true, workers: { [name]: { ...worker, secrets } } });
  const second = await run(['--yes'], settings);
  expect(second.said).toContain("latest version of your Worker isn't currently deployed");
  expect(second).toMatchObject(ended(0, 'Live: '));
  expect((await stripe.webhookEndpoints.list()).data).toHaveLength(1);
  expect(await readFile(deployer.settingsFile, 'utf8')).toContain('STRIPE_WEBHOOK_SECRET=whsec_');
});

test('A preview of a branch has its own database, bucket and test key, and no data of the live site', async () => {
  const database = await startDatabase();
  const own = 'https://previews.aws-us-east-1.turso.io';
  const deployer = await openDeployer({ routes: { [own]: database.url } });
  onTestFinished(async () => {
    await deployer.remove();
    await database.close();
  });
  const run = (settings: Readonly<Record<string, string>>) =>
    deployer.run('preview.ts', [], {
      WORKERS_CI_BRANCH: 'Feature/New_Prices',
      BUILT_SITE: sharedBuild,
      ...settings,
    });
  await deployer.writeSettings({
    ...typedSettings,
    RESEND_API_KEY: 're_canary',
    MAIL_TRANSPORT: 'resend',
  });
  const before = await deployer.account();
  const refused = await run({
    PREVIEW_TURSO_DATABASE_URL: typedSettings.TURSO_DATABASE_URL,
    PREVIEW_STRIPE_SECRET_KEY: 'sk_live_canary',
  });
  expect(refused.code).toBe(1);
  expect(refused.said).toContain('PREVIEW_TURSO_DATABASE_URL is the database of the live site.');
  expect(refused.said).toContain('PREVIEW_STRIPE_SECRET_KEY must be a test key');
  expect((await run({})).said).toContain('PREVIEW_STRIPE_SECRET_KEY is not set.');
  const file = join(deployer.folder, '.env.preview');
  await writeFile(file, 'PREVIEW_SETUP_TOKN=x\n');
  expect((await run({})).said).toContain('.env.preview contains unknown settings: PREVIEW_SETUP_TOKN.');
  await rm(file);
  expect(await deployer.account()).toEqual(before);

  const test = { PREVIEW_TURSO_DATABASE_URL: own, PREVIEW_STRIPE_SECRET_KEY: 'sk_test_previews' };
  const done = await run({ ...test, PREVIEW_SETUP_TOKEN: 'for the first run' });
  expect(done).toMatchObject(ended(0, 'Preview: https://feature-new-prices.www.agency.example'));
  const { previews = {}, ...rest } = await deployer.account();
  expect(rest).toEqual(before);
  const [name = '', made] = Object.entries(previews)[0] ?? [];
  expect(name).toBe('feature-new-prices of loan-agency-storefront');
  expect(Object.keys(made?.previews ?? {})).not.toContain('send_email');
  expect(made?.previews).toMatchObject({
    vars: {
      ENVIRONMENT: 'preview',
      TURSO_DATABASE_URL: own,
      SITE_URL: 'https://feature-new-prices.www.agency.example',
    },
    r2_buckets: [{ binding: 'FILES', bucket_name: 'loan-agency-storefront-files-previews' }],
  });
  expect(made?.secrets).toMatchObject({
    STRIPE_SECRET_KEY: 'sk_test_previews',
    SETUP_TOKEN: 'for the first run',
  });
  expect(JSON.stringify(previews)).not.toMatch(/canary|agency\.aws|office@/);
});
