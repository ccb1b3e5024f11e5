/** Deployments with the real commands, to accounts that stand on this machine. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectDir } from '#deploy/settings.ts';
import { startLibsqlServer } from '#dev/libsql/server.ts';
import { startStripeEmulator } from '#dev/stripe/server.ts';
import { noteRun } from '#worker/operations/jobs.ts';
import { openStripe, webhookEvents } from '#worker/payments/stripe.ts';
import { openSystemDatabase } from '../bench/database.ts';
import { openDeployer, publicAddresses, typedSettings } from '../support/deployment.ts';
import { sharedBuild, startTestSystem, type TestSystem } from '../support/system.ts';

/** The site that the deployments lead to. */
let site: TestSystem;

beforeAll(async () => {
  site = await startTestSystem();
});
afterAll(() => site.stop());

test('A dry run needs no account: it builds site and Worker, and shows no secret', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['deploy/deploy.ts', '--dry-run'], {
    cwd: projectDir,
    env: {
      ...process.env,
      ...typedSettings,
      STRIPE_WEBHOOK_SECRET: 'whsec_canary77aa',
      SEALING_KEYS: 'canary-of-a-sealing-key-77aa5b1e9f20',
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

/** Two accounts in which the deployer may work. */
const ownAccount = '0123456789abcdef0123456789abcdef';
const otherAccount = 'f'.repeat(32);

test('A first deployment from empty accounts ends with a reachable site; a later build keeps its secrets but those that are rotated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deploy-'));
  const database = await startLibsqlServer({ file: join(folder, 'database.sqlite') });
  const stripeServer = await startStripeEmulator({
    secretKey: typedSettings.STRIPE_SECRET_KEY,
    publishableKey: 'pk_test_none',
    webhookSecret: 'whsec_none',
  });
  const deployer = await openDeployer({
    routes: {
      [publicAddresses.site]: site.url,
      [publicAddresses.database]: database.url,
      [publicAddresses.stripe]: stripeServer.url,
    },
  });
  const stripe = openStripe({
    STRIPE_SECRET_KEY: typedSettings.STRIPE_SECRET_KEY,
    STRIPE_API_URL: stripeServer.url,
  });
  // A real site's cron fires meanwhile; without it the site would say that it is not well.
  const { db, close } = openSystemDatabase(site.database);
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

    // Plain HTTP leads nowhere in this test.
    const doctor = await deployer.run('doctor.ts');
    expect([doctor.code, doctor.said]).toEqual([1, expect.stringMatching(/^TO DO {2}TLS: /m)]);
    expect(doctor.said).toContain('fine   mail: agency.example may send');
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
});

test('A preview of a branch has a database, a bucket and a test key of its own, and nothing of the live site', async () => {
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
});
