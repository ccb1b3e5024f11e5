/** A deployment as far as it goes without an account: what settings it refuses, and that all of it builds. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { problemsOf } from '../../deploy/settings.ts';
import { projectDir } from '../../dev/system/worker-config.ts';

const settings = {
  SITE_URL: 'https://www.agency.example',
  TURSO_DATABASE_URL: 'libsql://agency.turso.io',
  STRIPE_SECRET_KEY: 'sk_live_canary_5b1e',
  STRIPE_WEBHOOK_SECRET: 'whsec_canary_77aa',
  SEALING_KEYS: 'canary-of-a-sealing-key-77aa5b1e9f20',
  MAIL_FROM: 'hello@agency.example',
  NOTIFY_EMAIL: 'office@agency.example',
};

test('Settings that are missing or belong to one machine are each named', () => {
  expect(problemsOf(settings)).toEqual([]);
  for (const name of Object.keys(settings))
    expect(problemsOf({ ...settings, [name]: '' })).toEqual([`${name} is not set.`]);
  expect(problemsOf({ ...settings, TURSO_DATABASE_URL: 'http://127.0.0.1:8080' })).toEqual([
    'TURSO_DATABASE_URL names this machine, which only the local set-up may do.',
  ]);
  expect(problemsOf({ ...settings, TOKEN_SYNC_URL: 'https://crm.example/session' })).toEqual([
    'TOKEN_SYNC_URL is set without TOKEN_SIGNING_KEY, which signs what is sent there.',
  ]);
  expect(problemsOf({ ...settings, GOOGLE_CLIENT_ID: 'x' })).toEqual([
    'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are set together or not at all.',
  ]);
  for (const keys of ['short', `${settings.SEALING_KEYS},`, `,${settings.SEALING_KEYS}`])
    expect(problemsOf({ ...settings, SEALING_KEYS: keys })).toEqual([
      'SEALING_KEYS must be keys of at least 32 characters, separated by commas.',
    ]);
  const rotated = `a-new-sealing-key-0123456789-0123456789, ${settings.SEALING_KEYS}`;
  expect(problemsOf({ ...settings, SEALING_KEYS: rotated })).toEqual([]);
  expect(problemsOf({ ...settings, SITE_URL: 'http://www.agency.example' })).toEqual([
    'SITE_URL must begin with https://.',
  ]);
});

test('A dry run needs no account: it builds site and Worker, and shows no secret', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['deploy/deploy.ts', '--dry-run'], {
    cwd: projectDir,
    env: {
      ...process.env,
      ...settings,
      PATH: `${projectDir}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
      NO_COLOR: '1',
    },
  });
  expect(stdout).toContain('1. check the settings: they hold');
  const gzipKiB = Number(/Total Upload: .*gzip: ([\d.]+) KiB/.exec(stdout)?.[1]);
  expect(gzipKiB).toBeGreaterThan(100);
  expect(gzipKiB).toBeLessThan(600);
  expect(stdout).toContain('Nothing was uploaded.');
  expect(stdout).not.toContain('canary');
}, 120_000);
