/**
 * `npm run preview`: deploys the current branch to a separate URL as a Worker Preview, with its own database, bucket
 * and Stripe test key, and without email and cron. It gets nothing from the live site except the URL.
 * https://developers.cloudflare.com/workers/previews/
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { buildSite } from '#site/renderer/build.ts';
import { prepareDatabase } from './prepare-database.ts';
import { refusal, settingProblems } from '#worker/settings.ts';
import { projectDir, readSettings, secretsOf, type Settings } from './settings.ts';
import { previewConfig, previewUrl, readWorkerConfig } from './worker-config.ts';
import { inTemporaryFolder } from './temporary-folder.ts';
import { DeployError, readArguments, runMain } from './errors.ts';
import { uploadBuild } from './wrangler.ts';

/** Each setting of a preview has this prefix. A preview gets no other settings. */
const prefix = 'PREVIEW_';
const given = ['TURSO_DATABASE_URL', 'TURSO_AUTH_TOKEN', 'STRIPE_SECRET_KEY', 'SETUP_TOKEN'] as const;

/** The settings of previews: the environment, or `.env.preview` next to package.json. */
async function readGiven(): Promise<Settings> {
  const file = process.env['PREVIEW_SETTINGS_FILE'] ?? join(projectDir, '.env.preview');
  const kept = existsSync(file) ? parseEnv(await readFile(file, 'utf8')) : {};
  const known: readonly string[] = given.map((name) => prefix + name);
  const unknown = Object.keys(kept).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new DeployError(`${file} contains unknown settings: ${unknown.join(', ')}.`);
  return Object.fromEntries(
    given.flatMap((name) => {
      const value = process.env[prefix + name] ?? kept[prefix + name];
      return value ? [[name, value]] : [];
    }),
  );
}

function branchName(): string {
  const branch =
    process.env['WORKERS_CI_BRANCH'] ??
    execFileSync('git', ['rev-parse', '--abbrev-ref', 'HEAD'], { cwd: projectDir, encoding: 'utf8' });
  const name = branch
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '');
  if (name === '') throw new DeployError(`The branch name '${branch.trim()}' cannot become an address.`);
  return name;
}

const hostOf = (url: string | undefined): string =>
  url !== undefined && URL.canParse(url) ? new URL(url).host : '';

/** @throws DeployError listing every problem, especially access to the live site's data */
function check(live: Settings, own: Settings): void {
  const problems = settingProblems(own).map((problem) =>
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
  readArguments({});
  const config = await readWorkerConfig();
  const live = await readSettings();
  if (!live.SITE_URL) throw new DeployError('SITE_URL must be set: the address of a preview comes from it.');
  const problem = refusal('SITE_URL', live.SITE_URL);
  if (problem !== undefined) throw new DeployError(problem);
  const name = branchName();
  const own: Settings = {
    ...(await readGiven()),
    SITE_URL: previewUrl(live.SITE_URL, name),
    // Random values are enough, because nothing that a preview signs or encrypts is used elsewhere, and it sends no
    // email.
    STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('hex')}`,
    SEALING_KEYS: randomBytes(32).toString('base64'),
    MAIL_FROM: 'preview@preview.invalid',
    NOTIFY_EMAIL: 'preview@preview.invalid',
    ...(live.SITE_TIMEZONE && { SITE_TIMEZONE: live.SITE_TIMEZONE }),
    ...(live.SITE_COUNTRY && { SITE_COUNTRY: live.SITE_COUNTRY }),
  };
  check(live, own);
  const { SITE_URL = '', TURSO_DATABASE_URL = '', TURSO_AUTH_TOKEN } = own;
  await inTemporaryFolder(async (buildDir) => {
    await prepareDatabase(TURSO_DATABASE_URL, TURSO_AUTH_TOKEN);
    await buildSite({
      buildDir,
      siteUrl: SITE_URL,
      databaseUrl: TURSO_DATABASE_URL,
      databaseToken: TURSO_AUTH_TOKEN,
    });
    await uploadBuild(
      buildDir,
      previewConfig(config, own, buildDir),
      secretsOf(own),
      ...['preview', '--name', name, '--ignore-base-config'],
    );
  });
  console.log(`Preview: ${SITE_URL}`);
}

await runMain(preview);
