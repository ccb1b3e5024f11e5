/**
 * `npm run preview`: puts the branch at hand online at an address of its own, as a Worker Preview: with a database, a bucket
 * and a Stripe test key of its own, and without mail and cron. Of the live site it knows nothing but the address.
 * https://developers.cloudflare.com/workers/previews/
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { buildSite } from '#site/renderer/build.ts';
import { prepareDatabase } from './prepare-database.ts';
import { problemsOf, projectDir, readSettings, secretsOf, type Settings } from './settings.ts';
import { previewConfig, previewUrl, readWorkerConfig } from './worker-config.ts';
import { DeployError } from './command.ts';
import { runWrangler } from './wrangler.ts';

/** What a preview is given, each under its name with this before it: nothing else is taken over. */
const prefix = 'PREVIEW_';
const given = ['TURSO_DATABASE_URL', 'TURSO_AUTH_TOKEN', 'STRIPE_SECRET_KEY', 'SETUP_TOKEN'] as const;

/** The settings of previews: the environment, or `.env.preview` beside package.json. */
async function readGiven(): Promise<Settings> {
  const file = process.env['PREVIEW_SETTINGS_FILE'] ?? join(projectDir, '.env.preview');
  const kept = existsSync(file) ? parseEnv(await readFile(file, 'utf8')) : {};
  return Object.fromEntries(
    given.flatMap((name) => {
      const value = process.env[prefix + name] ?? kept[prefix + name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** The branch, as a part of a host's name may be written. */
function branchName(): string {
  const branch =
    process.env['WORKERS_CI_BRANCH'] ??
    execFileSync('git', ['rev-parse', '--abbrev-ref', 'HEAD'], { cwd: projectDir, encoding: 'utf8' });
  const name = branch
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '');
  if (name === '') throw new DeployError(`No address can be made of the branch '${branch.trim()}'.`);
  return name;
}

const hostOf = (url: string | undefined): string =>
  url !== undefined && URL.canParse(url) ? new URL(url).host : '';

/** @throws DeployError that names everything that does not hold, a way to the live site's data above all */
function check(live: Settings, own: Settings): void {
  const problems = problemsOf(own).map((problem) =>
    given.some((name) => problem.startsWith(`${name} `)) ? prefix + problem : problem,
  );
  if (own.TURSO_DATABASE_URL && hostOf(own.TURSO_DATABASE_URL) === hostOf(live.TURSO_DATABASE_URL))
    problems.push(`${prefix}TURSO_DATABASE_URL is the database of the live site.`);
  if (own.STRIPE_SECRET_KEY && !/^(sk|rk)_test_/.test(own.STRIPE_SECRET_KEY))
    problems.push(`${prefix}STRIPE_SECRET_KEY must be a test key: it begins with sk_test_ or rk_test_.`);
  if (problems.length > 0)
    throw new DeployError(
      `Some settings are missing or wrong (docs/deploy.md, Previews):\n- ${problems.join('\n- ')}`,
    );
}

async function preview(): Promise<void> {
  const config = await readWorkerConfig();
  const live = await readSettings();
  if (!live.SITE_URL) throw new DeployError('SITE_URL must be set: the address of a preview comes from it.');
  const name = branchName();
  const own: Settings = {
    ...(await readGiven()),
    SITE_URL: previewUrl(live.SITE_URL, name),
    // Nothing is signed or sealed that anybody else would have to open, and nobody is sent a mail.
    STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('hex')}`,
    SEALING_KEYS: randomBytes(32).toString('base64'),
    MAIL_FROM: 'preview@preview.invalid',
    NOTIFY_EMAIL: 'preview@preview.invalid',
    ...(live.SITE_TIMEZONE && { SITE_TIMEZONE: live.SITE_TIMEZONE }),
  };
  check(live, own);
  const { SITE_URL = '', TURSO_DATABASE_URL = '', TURSO_AUTH_TOKEN } = own;
  const buildDir = await mkdtemp(join(tmpdir(), 'preview-'));
  try {
    await prepareDatabase(TURSO_DATABASE_URL, TURSO_AUTH_TOKEN);
    await buildSite({
      buildDir,
      siteUrl: SITE_URL,
      databaseUrl: TURSO_DATABASE_URL,
      databaseToken: TURSO_AUTH_TOKEN,
    });
    const secrets = join(buildDir, 'secrets.json');
    const configFile = join(buildDir, 'wrangler.json');
    await writeFile(secrets, JSON.stringify(secretsOf(own)), { mode: 0o600 });
    await writeFile(configFile, JSON.stringify(previewConfig(config, own, buildDir)));
    await runWrangler(
      'preview',
      '--name',
      name,
      '-c',
      configFile,
      '--secrets-file',
      secrets,
      '--ignore-base-config',
    );
  } finally {
    await rm(buildDir, { recursive: true, force: true });
  }
  console.log(`Preview: ${SITE_URL}`);
}

try {
  await preview();
} catch (error) {
  console.error(error instanceof DeployError ? error.message : error);
  process.exit(1);
}
