/**
 * `npm run deploy`: checks the settings, applies the migrations, builds, deploys and looks whether the site answers. It can be repeated.
 * `npm run deploy -- --dry-run` says what it would do, and needs no account; `npm run build` stops after the build.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLibsqlServer } from '../dev/libsql/server.ts';
import { prepareDatabase } from '../dev/seed/prepare-database.ts';
import type { SeedOptions } from '../dev/seed/seed.ts';
import { projectDir, readWorkerConfig, withBuild } from '../dev/system/worker-config.ts';
import { buildSite } from '../site/renderer/build.ts';
import { problemsOf, readSettings, type Settings } from './settings.ts';

const isDryRun = process.argv.includes('--dry-run');
const isBuildOnly = process.argv.includes('--build-only');

/** How long the new version may take to answer at the site's address, in ms. */
const smokeLimitMs = 60_000;

class DeployError extends Error {
  override readonly name = 'DeployError';
}

function runWrangler(...args: string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const child = spawn('wrangler', args, { cwd: projectDir, stdio: ['ignore', 'inherit', 'inherit'] });
  child.once('error', reject);
  child.once('exit', (code) => {
    if (code === 0) resolve(undefined);
    else reject(new DeployError(`wrangler ${args[0] ?? ''} failed; what it said stands above.`));
  });
  return promise;
}

async function upload(settings: Settings): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'deploy-'));
  try {
    const secrets = join(dir, 'secrets.json');
    await writeFile(secrets, JSON.stringify(settings), { mode: 0o600 });
    await runWrangler('deploy', '--secrets-file', secrets);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Waits until the site answers with its pages and reaches its database. */
async function smokeTest(siteUrl: string): Promise<void> {
  const deadline = Date.now() + smokeLimitMs;
  for (let said = 'nothing'; ;) {
    try {
      const health = await fetch(new URL('/api/health', siteUrl));
      const page = await fetch(new URL('/', siteUrl));
      if (health.ok && page.ok && page.headers.has('X-Content-Revision')) return;
      said = `/api/health ${String(health.status)}, / ${String(page.status)}`;
    } catch (error) {
      said = error instanceof Error ? error.message : String(error);
    }
    if (Date.now() > deadline) throw new DeployError(`${siteUrl} does not answer as it should (${said}).`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** An empty database gets the three packages and the search texts; all else is typed into the site. */
const newDatabase: SeedOptions = { kind: 'empty', adminEmail: '', adminPassword: '', publishableKey: '' };

/** Builds site and Worker as a deployment would, from a new database on this machine, and uploads nothing. */
async function rehearse(siteUrl: string): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'deploy-'));
  const database = await startLibsqlServer({ file: join(dir, 'database.sqlite') });
  try {
    await prepareDatabase(database.url, undefined, newDatabase);
    await buildSite({ buildDir: dir, siteUrl, databaseUrl: database.url });
    const config = join(dir, 'wrangler.json');
    // The environment for one's own machine is not part of what is deployed.
    await writeFile(config, JSON.stringify({ ...withBuild(await readWorkerConfig(), dir), env: undefined }));
    await runWrangler('deploy', '--dry-run', '--outdir', join(dir, 'bundle'), '-c', config);
  } finally {
    await database.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Says what a deployment would do, and does what of it needs no account. */
async function describe({ SITE_URL = 'https://www.example.com' }: Settings, problems: readonly string[]) {
  console.log('A deployment would:');
  console.log(`1. check the settings: ${problems.length === 0 ? 'they hold' : 'they do not hold yet'}`);
  for (const problem of problems) console.log(`   - ${problem}`);
  console.log('2. apply the migrations of migrations/ to the database of TURSO_DATABASE_URL');
  console.log('3. build the site from that database, for SITE_URL');
  console.log('4. upload the Worker with its files and secrets; a rehearsal from a new local database:');
  await rehearse(SITE_URL);
  console.log('5. ask SITE_URL for /api/health and / until both answer');
  console.log('Nothing was uploaded.');
}

async function deploy(): Promise<void> {
  const settings = await readSettings();
  const problems = problemsOf(settings);
  if (isDryRun) return describe(settings, problems);
  const { SITE_URL, TURSO_DATABASE_URL, TURSO_AUTH_TOKEN } = settings;
  if (!SITE_URL || !TURSO_DATABASE_URL)
    throw new DeployError(
      'SITE_URL and TURSO_DATABASE_URL must be set; docs/deploy.md says where to find them.',
    );
  if (!isBuildOnly && problems.length > 0)
    throw new DeployError(`The settings do not hold:\n- ${problems.join('\n- ')}`);

  console.log('Applying migrations …');
  const isNew = await prepareDatabase(TURSO_DATABASE_URL, TURSO_AUTH_TOKEN, newDatabase);
  if (isNew) console.log('The database was empty; it holds the three packages now.');
  console.log('Building the site …');
  const buildId = await buildSite({
    buildDir: projectDir,
    siteUrl: SITE_URL,
    databaseUrl: TURSO_DATABASE_URL,
    databaseToken: TURSO_AUTH_TOKEN,
  });
  console.log(`Built ${buildId}.`);
  if (isBuildOnly) return;
  console.log('Deploying …');
  await upload(settings);
  console.log('Looking whether the site answers …');
  await smokeTest(SITE_URL);
  console.log(`Live: ${SITE_URL}`);
}

try {
  await deploy();
} catch (error) {
  console.error(error instanceof DeployError ? error.message : error);
  process.exit(1);
}
