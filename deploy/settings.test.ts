import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askForSettings, projectDir, readSettings, suggestionFor, type Questions } from './settings.ts';
import { offerSending } from './mail-domain.ts';
import { regionOf } from './turso.ts';
import { settingsTable } from './settings-table.ts';
import { addressProblem, deployedConfig, readWorkerConfig, workerConfigIn } from './worker-config.ts';
import { settingNamed, settingNames, settingProblems } from '#worker/settings.ts';

const settings = {
  SITE_URL: 'https://www.agency.example',
  TURSO_DATABASE_URL: 'https://agency.aws-us-east-1.turso.io',
  STRIPE_SECRET_KEY: 'sk_test_canary5b1e',
  MAIL_FROM: 'The Agency <hello@mail.agency.example>',
  NOTIFY_EMAIL: 'office@agency.example',
  SITE_TIMEZONE: 'America/Chicago',
  STRIPE_WEBHOOK_SECRET: 'whsec_canary77aa',
  SEALING_KEYS: 'canary-of-a-sealing-key-77aa5b1e9f20',
};

test('Each setting that is missing or refers to the local machine is reported', () => {
  expect(settingProblems(settings)).toEqual([]);
  for (const name of Object.keys(settings))
    expect(settingProblems({ ...settings, [name]: '' })).toEqual([`${name} is not set.`]);
  expect(settingProblems({ ...settings, TURSO_DATABASE_URL: 'http://127.0.0.1:8080' })).toEqual([
    'TURSO_DATABASE_URL names this machine, which only the local setup may do.',
  ]);
});

test('An invalid setting is rejected with a reason', () => {
  for (const [name, value, reason] of [
    ['SITE_URL', 'http://www.agency.example', 'must begin with https://.'],
    ['SITE_URL', 'https://www.agency.example/', 'must be an address without a path'],
    ['STRIPE_SECRET_KEY', 'pk_live_1', 'must begin with sk_live_ or sk_test_, or be a restricted key'],
    ['CLOUDFLARE_ACCOUNT_ID', 'My account', 'must be 32 digits and letters from a to f.'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_1, sk_2', 'must begin with whsec_.'],
    ['STRIPE_PUBLISHABLE_KEY', 'sk_test_1', 'must begin with pk_live_ or pk_test_.'],
    ['MAIL_FROM', 'hello', 'must be one email address, or a name'],
    ['MAIL_TRANSPORT', 'smtp', 'must be cloudflare or resend.'],
    ['SITE_TIMEZONE', 'Chicago', 'must be the name of a time zone'],
    ['DATABASE_REGION', 'Virginia', 'must be a cloud and its region'],
    ['LIMIT_SIGN_IN_ACCOUNT', 'ten', 'must be a whole number.'],
    ['LIMIT_AUDIT_DAYS', '90', 'must be at least 365'],
  ] as const)
    expect(settingProblems({ ...settings, [name]: value })).toEqual([
      expect.stringContaining(`${name} ${reason}`),
    ]);
});

test('Settings that belong together must be set together', () => {
  expect(settingProblems({ ...settings, GOOGLE_CLIENT_ID: 'id' })).toEqual([
    'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together, or not at all.',
  ]);
  const alone = { ...settings, GOOGLE_CLIENT_SECRET: 'secret' };
  expect(settingProblems(alone, { isBeforeDeploy: true })).toEqual([
    'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together, or not at all.',
  ]);
  // A Worker keeps running with a leftover secret.
  expect(settingProblems(alone)).toEqual([]);
  expect(settingProblems({ ...settings, STRIPE_PUBLISHABLE_KEY: 'pk_live_1' })).toEqual([
    'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different modes: both are live, or both are test.',
  ]);
  expect(settingProblems({ ...settings, TOKEN_SYNC_URL: 'https://crm.example/session' })).toEqual([
    'TOKEN_SYNC_URL is set without TOKEN_SIGNING_KEY, which signs what is sent there.',
  ]);
});

test('Sealing keys must be long, including the old ones', () => {
  for (const keys of ['short', `${settings.SEALING_KEYS},`, `,${settings.SEALING_KEYS}`])
    expect(settingProblems({ ...settings, SEALING_KEYS: keys })).toEqual([
      'SEALING_KEYS must be keys of at least 32 characters, separated by commas.',
    ]);
  const rotated = `a-new-sealing-key-0123456789-0123456789, ${settings.SEALING_KEYS}`;
  expect(settingProblems({ ...settings, SEALING_KEYS: rotated })).toEqual([]);
});

test('The guide explains every setting and where to find its value', async () => {
  const guide = await readFile(join(projectDir, 'docs/deploy.md'), 'utf8');
  const plain = (table: string) => table.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---');
  expect(plain(guide)).toContain(plain(settingsTable()));
});

test('The cache serves only pages and pictures, never calls or screens', async () => {
  const [cached, uncached] = [{ cache: { enabled: true } }, { cache: { enabled: false } }];
  expect(await readWorkerConfig()).toMatchObject({
    ...cached,
    exports: { default: uncached, Pages: cached, Media: cached },
  });
});

test('A site is served at its domain, or at workers.dev if it has none', async () => {
  const config = await readWorkerConfig();
  expect(deployedConfig(config, settings, '/build')).toMatchObject({
    workers_dev: false,
    routes: [{ pattern: 'www.agency.example', custom_domain: true }],
  });
  const withoutDomain = { ...settings, SITE_URL: `https://${config.name}.agency.workers.dev` };
  const deployed = deployedConfig(config, withoutDomain, '/build');
  expect(deployed).toMatchObject({ workers_dev: true });
  expect(deployed).not.toHaveProperty('routes');
  expect(addressProblem(config, withoutDomain.SITE_URL)).toBeUndefined();
  expect(addressProblem(config, 'https://shop.agency.workers.dev')).toContain(
    "the Worker's name is part of it",
  );
});

test('A mistake in wrangler.toml is named with its place', () => {
  expect(() => workerConfigIn('name = loan')).toThrow(/^wrangler\.toml is wrong:\n.*\n\n1: {2}name = loan/);
  expect(() => workerConfigIn('name = 3')).toThrow(/^wrangler\.toml is wrong:\n.+\n +→ at name\n/);
});

test('The site runs near each visitor unless the settings place it near its database', async () => {
  const config = await readWorkerConfig();
  expect(deployedConfig(config, settings, '/build')).not.toHaveProperty('placement');
  const placed = deployedConfig(config, { ...settings, DATABASE_REGION: 'gcp:europe-west1' }, '/build');
  expect(placed).toMatchObject({ placement: { region: 'gcp:europe-west1' } });
  expect(regionOf('libsql://storefront-firm.aws-ap-south-1.turso.io')).toBe('aws:ap-south-1');
  expect(regionOf('libsql://storefront-firm.turso.io')).toBeUndefined();
});

test('A trial without a domain does not ask for one', async () => {
  const SITE_URL = 'https://loan-agency-storefront.agency.workers.dev';
  const MAIL_FROM = 'hello@example.com';
  expect(suggestionFor('MAIL_FROM', { SITE_URL }, undefined)).toBe(MAIL_FROM);
  const ask = () => Promise.reject(new Error('It asks.'));
  const trial = { ...settings, SITE_URL, MAIL_FROM };
  expect(await offerSending(trial, { ask, say: () => undefined }, () => Promise.resolve([]))).toBeUndefined();
});

test('The configuration contains every setting except the secrets', async () => {
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

test('A deployer is asked for each missing setting until it is valid, and never again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'settings-'));
  onTestFinished(async () => {
    delete process.env['SETTINGS_FILE'];
    await rm(folder, { recursive: true, force: true });
  });
  const file = join(folder, '.env.production');
  process.env['SETTINGS_FILE'] = file;
  await writeFile(file, 'STRIPE_SECRET_KYE=x\nLIMIT_AUDIT_DAY=400\n');
  await expect(readSettings()).rejects.toThrow('unknown settings: LIMIT_AUDIT_DAY, STRIPE_SECRET_KYE.');
  await rm(file);
  const asked: string[] = [];
  const hidden: string[] = [];
  let name = '';
  const answers: Record<string, string[]> = {
    SITE_URL: ['www.agency.example', 'https://www.agency.example'],
    STRIPE_SECRET_KEY: ['', 'sk_test_key'],
    NOTIFY_EMAIL: ['office@agency.example'],
    SITE_TIMEZONE: ['Chicago', 'America/Chicago'],
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
  const complete = await askForSettings(known, questions, {
    suggest: (asked, typed) => (asked === 'MAIL_FROM' ? suggestionFor(asked, typed, undefined) : undefined),
  });
  expect(complete.MAIL_FROM).toBe('hello@mail.agency.example');
  expect(settingProblems(complete, { isBeforeDeploy: true })).toEqual([]);
  expect(asked).toEqual([
    ...['SITE_URL', 'SITE_URL', 'TURSO_AUTH_TOKEN'],
    ...['STRIPE_SECRET_KEY', 'STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'],
    ...['MAIL_FROM', 'NOTIFY_EMAIL', 'SITE_TIMEZONE', 'SITE_TIMEZONE'],
  ]);
  expect(new Set(hidden)).toEqual(new Set(['TURSO_AUTH_TOKEN', 'STRIPE_SECRET_KEY']));
  expect(await readSettings()).toMatchObject({
    SITE_URL: 'https://www.agency.example',
    TURSO_AUTH_TOKEN: "it's a #token",
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
