/** A deployment: which settings it refuses, that all of it builds without an account, and that the first one goes through. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { askForSettings, problemsOf, projectDir, readSettings, type Questions } from '#deploy/settings.ts';
import { settingsTable } from '#deploy/settings-table.ts';
import { deployedConfig, readWorkerConfig } from '#deploy/worker-config.ts';
import { startLibsqlServer } from '#dev/libsql/server.ts';
import { startStripeEmulator } from '#dev/stripe/server.ts';
import { noteRun } from '#worker/operations/jobs.ts';
import { openStripe, webhookEvents } from '#worker/payments/stripe.ts';
import { settingNamed, settingNames } from '#worker/settings.ts';
import { openSystemDatabase } from '../bench/database.ts';
import { openDeployer, publicAddresses, typedSettings } from '../support/deployment.ts';
import { hookLimitMs } from '../support/limits.ts';
import { databaseAt, sharedBuild } from '../support/system.ts';

const settings = {
  ...typedSettings,
  STRIPE_WEBHOOK_SECRET: 'whsec_canary77aa',
  SEALING_KEYS: 'canary-of-a-sealing-key-77aa5b1e9f20',
};

test('Settings that are missing or belong to one machine are each named', () => {
  expect(problemsOf(settings)).toEqual([]);
  for (const name of Object.keys(settings))
    expect(problemsOf({ ...settings, [name]: '' })).toEqual([`${name} is not set.`]);
  expect(problemsOf({ ...settings, TURSO_DATABASE_URL: 'http://127.0.0.1:8080' })).toEqual([
    'TURSO_DATABASE_URL names this machine, which only the local set-up may do.',
  ]);
});

test.each([
  ['SITE_URL', 'http://www.agency.example', 'must begin with https://.'],
  ['SITE_URL', 'https://www.agency.example/', 'must be an address without a path'],
  ['STRIPE_SECRET_KEY', 'pk_live_1', 'must begin with sk_live_ or sk_test_, or be a restricted key'],
  ['CLOUDFLARE_ACCOUNT_ID', 'My account', 'must be 32 digits and letters from a to f.'],
  ['STRIPE_WEBHOOK_SECRET', 'whsec_1, sk_2', 'must begin with whsec_.'],
  ['MAIL_FROM', 'hello', 'must be one email address, or a name'],
  ['MAIL_TRANSPORT', 'smtp', 'must be cloudflare or resend.'],
  ['RESEND_API_KEY', 'key', 'must begin with re_.'],
  ['SITE_TIMEZONE', 'Chicago', 'must be the name of a time zone'],
  ['DATABASE_REGION', 'Virginia', 'must be a cloud and its region'],
  ['LIMIT_SIGN_IN_ACCOUNT', 'ten', 'must be a whole number.'],
  ['LIMIT_CONVERSATION_DAYS', '0', 'must be at least 1'],
  ['LIMIT_AUDIT_DAYS', '90', 'must be at least 365'],
])('A %s of %s is refused with a reason', (name, value, reason) => {
  expect(problemsOf({ ...settings, [name]: value })).toEqual([expect.stringContaining(`${name} ${reason}`)]);
});

test('Settings that belong together are given together', () => {
  expect(problemsOf({ ...settings, GOOGLE_CLIENT_ID: 'id' })).toEqual([
    'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are set together or not at all.',
  ]);
  const alone = { ...settings, GOOGLE_CLIENT_SECRET: 'secret' };
  expect(problemsOf(alone, { isBeforeDeploy: true })).toEqual([
    'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are set together or not at all.',
  ]);
  // A Worker goes on with a secret that was left behind.
  expect(problemsOf(alone)).toEqual([]);
  expect(problemsOf({ ...settings, TOKEN_SYNC_URL: 'https://crm.example/session' })).toEqual([
    'TOKEN_SYNC_URL is set without TOKEN_SIGNING_KEY, which signs what is sent there.',
  ]);
});

test('Keys that seal are long, also the old ones among them', () => {
  for (const keys of ['short', `${settings.SEALING_KEYS},`, `,${settings.SEALING_KEYS}`])
    expect(problemsOf({ ...settings, SEALING_KEYS: keys })).toEqual([
      'SEALING_KEYS must be keys of at least 32 characters, separated by commas.',
    ]);
  const rotated = `a-new-sealing-key-0123456789-0123456789, ${settings.SEALING_KEYS}`;
  expect(problemsOf({ ...settings, SEALING_KEYS: rotated })).toEqual([]);
});

test('A dry run needs no account: it builds site and Worker, and shows no secret', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['deploy/deploy.ts', '--dry-run'], {
    cwd: projectDir,
    env: {
      ...process.env,
      ...settings,
      PATH: `${projectDir}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${projectDir}/tests/support/route-hosts.ts`,
      ROUTED_HOSTS: '{}',
      BUILT_SITE: sharedBuild,
      NO_COLOR: '1',
    },
  });
  expect(stdout).toContain('1. check the settings: they hold');
  const gzipKiB = Number(/Total Upload: .*gzip: ([\d.]+) KiB/.exec(stdout)?.[1]);
  expect(gzipKiB).toBeGreaterThan(100);
  // 88 KiB are what checks passkeys (docs/decisions/passkeys.md).
  expect(gzipKiB).toBeLessThan(700);
  expect(stdout).toContain('Nothing was uploaded.');
  expect(stdout).not.toContain('canary');
});

test('The guide names every setting, what it is for and where to find it', async () => {
  const guide = await readFile(join(projectDir, 'docs/deploy.md'), 'utf8');
  const plain = (table: string) => table.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---');
  expect(plain(guide)).toContain(plain(settingsTable()));
});

describe('What is deployed', () => {
  test('A site is reachable under its domain, or under workers.dev where it has none', async () => {
    const config = await readWorkerConfig();
    expect(deployedConfig(config, settings, '/build')).toMatchObject({
      workers_dev: false,
      routes: [{ pattern: 'www.agency.example', custom_domain: true }],
    });
    const withoutDomain = { ...settings, SITE_URL: `https://${config.name}.agency.workers.dev` };
    const deployed = deployedConfig(config, withoutDomain, '/build');
    expect(deployed).toMatchObject({ workers_dev: true });
    expect(deployed).not.toHaveProperty('routes');
  });

  test('The site runs near each visitor, unless somebody wants it near its database', async () => {
    const config = await readWorkerConfig();
    expect(deployedConfig(config, settings, '/build')).not.toHaveProperty('placement');
    const placed = deployedConfig(config, { ...settings, DATABASE_REGION: 'gcp:europe-west1' }, '/build');
    expect(placed).toMatchObject({ placement: { region: 'gcp:europe-west1' } });
  });

  test('No secret stands in the configuration, and every other setting does', async () => {
    const all = Object.fromEntries(settingNames.map((name) => [name, `value of ${name}`]));
    const deployed = deployedConfig(
      await readWorkerConfig(),
      { ...all, ...settings, LIMIT_RESET_ADDRESS: '7' },
      '/build',
    );
    expect(deployed).toHaveProperty('vars.LIMIT_RESET_ADDRESS', '7');
    for (const name of settingNames)
      if (settingNamed(name).kind === 'variable') expect(deployed, name).toHaveProperty(`vars.${name}`);
      else expect(JSON.stringify(deployed), name).not.toContain(`"${name}"`);
  });
});

describe('Somebody at the terminal', () => {
  const folder = mkdtemp(join(tmpdir(), 'settings-'));
  afterAll(async () => {
    delete process.env['SETTINGS_FILE'];
    await rm(await folder, { recursive: true, force: true });
  });

  test('A deployer is asked for each missing setting until it holds, and never twice', async () => {
    process.env['SETTINGS_FILE'] = join(await folder, '.env.production');
    const asked: string[] = [];
    const hidden: string[] = [];
    let name = '';
    const answers: Record<string, string[]> = {
      SITE_URL: ['www.agency.example', 'https://www.agency.example'],
      STRIPE_SECRET_KEY: ['', 'sk_test_key'],
      MAIL_FROM: ['hello@agency.example'],
      NOTIFY_EMAIL: ['office@agency.example'],
      TURSO_AUTH_TOKEN: ["it's a #token"],
    };
    const questions: Questions = {
      say(line) {
        name = /^\n([A-Z_]+): /.exec(line)?.[1] ?? name;
      },
      ask(_, isSecret) {
        asked.push(name);
        if (isSecret) hidden.push(name);
        return Promise.resolve(answers[name]?.shift() ?? '');
      },
    };
    const known = { TURSO_DATABASE_URL: 'libsql://db.turso.io' };
    const complete = await askForSettings(known, questions);
    expect(problemsOf(complete, { isBeforeDeploy: true })).toEqual([]);
    expect(asked).toEqual([
      ...['SITE_URL', 'SITE_URL', 'TURSO_AUTH_TOKEN', 'DATABASE_REGION'],
      ...['STRIPE_SECRET_KEY', 'STRIPE_SECRET_KEY'],
      ...['MAIL_FROM', 'NOTIFY_EMAIL', 'SITE_TIMEZONE'],
    ]);
    expect(new Set(hidden)).toEqual(new Set(['TURSO_AUTH_TOKEN', 'STRIPE_SECRET_KEY']));
    expect(await readSettings()).toMatchObject({
      SITE_URL: 'https://www.agency.example',
      TURSO_AUTH_TOKEN: "it's a #token",
    });
    expect((await stat(process.env['SETTINGS_FILE'])).mode & 0o777).toBe(0o600);
  });
});

/** Two accounts in which the deployer may work. */
const ownAccount = '0123456789abcdef0123456789abcdef';
const otherAccount = 'f'.repeat(32);

test(
  'A first deployment from empty accounts ends with a reachable site; a later build keeps its secrets but those that are rotated',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deploy-'));
    const database = await startLibsqlServer({ file: join(folder, 'database.sqlite') });
    const stripeServer = await startStripeEmulator({
      secretKey: typedSettings.STRIPE_SECRET_KEY,
      publishableKey: 'pk_test_none',
      webhookSecret: 'whsec_none',
    });
    const deployer = await openDeployer({
      routes: {
        [publicAddresses.site]: inject('systemUrl'),
        [publicAddresses.database]: database.url,
        [publicAddresses.stripe]: stripeServer.url,
      },
    });
    const stripe = openStripe({
      STRIPE_SECRET_KEY: typedSettings.STRIPE_SECRET_KEY,
      STRIPE_API_URL: stripeServer.url,
    });
    // A real site's cron fires meanwhile; without it the site would say that it is not well.
    const { db, close } = openSystemDatabase(databaseAt(inject('systemUrl')));
    const cron = setInterval(() => void noteRun(db, 'cron', null), 60_000);
    const workerOf = async () => Object.values((await deployer.account()).workers)[0];
    try {
      await noteRun(db, 'cron', null);
      // A build whose upload fails takes the secret of a new endpoint with it, so the endpoint goes too.
      await deployer.changeAccount({ hasNoR2: true, accountIds: [ownAccount, otherAccount] });
      const environment = {
        ...typedSettings,
        CLOUDFLARE_ACCOUNT_ID: ownAccount,
        CI: '1',
        BUILT_SITE: sharedBuild,
      };
      const withSecret = { ...environment, STRIPE_WEBHOOK_SECRET: 'whsec_of_another_mode' };
      expect((await deployer.run('deploy.ts', ['--yes'], withSecret)).said).toContain(
        'Take it out of the environment',
      );
      const failed = await deployer.run('deploy.ts', ['--yes'], environment);
      expect(failed).toMatchObject({
        code: 1,
        said: expect.stringContaining('Webhook endpoint at Stripe: made.') as string,
      });
      expect((await stripe.webhookEndpoints.list()).data).toEqual([]);
      await deployer.changeAccount({ hasNoR2: false });
      await rm(deployer.settingsFile, { force: true });

      await deployer.writeSettings({ ...typedSettings, LIMIT_RESET_ADDRESS: '7' });
      expect((await deployer.run('deploy.ts')).said).toContain('More than one account available');
      await deployer.writeSettings({
        ...typedSettings,
        CLOUDFLARE_ACCOUNT_ID: ownAccount,
        LIMIT_RESET_ADDRESS: '7',
      });
      const first = await deployer.run('deploy.ts');
      expect(first).toMatchObject({
        code: 0,
        said: expect.stringContaining(`Live: ${typedSettings.SITE_URL}`) as string,
      });
      expect(first.said).toContain('Cf-Cache-Status of / asked for twice: ');
      expect(first.said).not.toContain('canary');

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

      // A build has no file: what was generated stays in the Worker, what is no longer named goes.
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
      const build = await deployer.run('deploy.ts', ['--yes'], {
        ...environment,
        ...rotated,
      });
      expect(build).toMatchObject({
        code: 0,
        said: expect.stringContaining('Removed from the Worker: GOOGLE_CLIENT_SECRET.') as string,
      });
      expect(await workerOf()).toMatchObject({ secrets: { ...deployed?.secrets, ...rotated } });
      expect(Object.keys((await workerOf())?.secrets ?? {})).not.toContain('GOOGLE_CLIENT_SECRET');
      expect((await stripe.webhookEndpoints.list()).data).toHaveLength(1);
      expect(await readFile(deployer.settingsFile, 'utf8')).toBe('');
    } finally {
      clearInterval(cron);
      close();
      await deployer.remove();
      await stripeServer.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
  hookLimitMs,
);

test.each([
  ['whose settings are missing', {}, 'NOTIFY_EMAIL is not set.'],
  [
    'with a misspelled setting',
    { ...typedSettings, STRIPE_SECRET_KYE: 'x' },
    'is not a setting: STRIPE_SECRET_KYE',
  ],
  [
    "whose workers.dev address does not begin with the Worker's name",
    { ...typedSettings, SITE_URL: 'https://shop.agency.workers.dev' },
    "the Worker's name is part of it",
  ],
])('A deployment %s stops before it touches anything', async (_, given, reason) => {
  const deployer = await openDeployer();
  try {
    await deployer.writeSettings(given);
    expect(await deployer.run('deploy.ts')).toMatchObject({
      code: 1,
      said: expect.stringContaining(reason) as string,
    });
    expect((await deployer.account()).workers).toEqual({});
  } finally {
    await deployer.remove();
  }
});

test(
  'A preview of a branch has a database, a bucket and a test key of its own, and nothing of the live site',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'preview-'));
    const database = await startLibsqlServer({ file: join(folder, 'database.sqlite') });
    const own = 'https://previews.aws-us-east-1.turso.io';
    const deployer = await openDeployer({ routes: { [own]: database.url } });
    const run = (settings: Readonly<Record<string, string>>) =>
      deployer.run('preview.ts', [], {
        WORKERS_CI_BRANCH: 'Feature/New_Prices',
        BUILT_SITE: sharedBuild,
        ...settings,
      });
    try {
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
      expect(await deployer.account()).toEqual(before);

      const test = { PREVIEW_TURSO_DATABASE_URL: own, PREVIEW_STRIPE_SECRET_KEY: 'sk_test_previews' };
      const done = await run({ ...test, PREVIEW_SETUP_TOKEN: 'for the first run' });
      expect(done).toMatchObject({
        code: 0,
        said: expect.stringContaining('Preview: https://feature-new-prices.www.agency.example') as string,
      });
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
    } finally {
      await deployer.remove();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
  hookLimitMs,
);
