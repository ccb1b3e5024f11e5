/**
 * `npm run backup -- file.sql.gz` writes the database of the settings to a file. The file contains personal data,
 * so keep it as safe as the database.
 * `npm run restore -- file.sql.gz` loads a file into a new, empty database and prepares it for going live. A key
 * such as `backups/2026-11-21.sql.gz` names a nightly backup in the bucket.
 * `npm run backup -- file.sql.gz --at 2026-11-21T10:00:00Z` is for a copy of the database from that moment. A
 * restore then looks for payments since that moment.
 */
import type { Client } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import { createReadStream, existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { counted } from '#contract/counted.ts';
import type { DatabaseSettings } from '#worker/db/client.ts';
import { dumpDatabase } from '#worker/operations/dump.ts';
import { recordRun } from '#worker/operations/jobs.ts';
import { openStripe } from '#worker/payments/stripe.ts';
import { withDatabase } from './database.ts';
import { load } from './load.ts';
import { prepareRestoredDatabase } from './restored.ts';
import { readSettings, type Settings } from './settings.ts';
import { inTemporaryFolder, cleanUpIfInterrupted } from './temporary-folder.ts';
import { DeployError, readArguments, runMain } from './errors.ts';
import { bucketName, readWorkerConfig } from './worker-config.ts';
import { askWrangler } from './wrangler.ts';

/**
 * Writes a backup to a new file.
 * @param at the moment whose state the database contains, in ms
 */
async function backUp(database: DatabaseSettings, client: Client, file: string, at?: number): Promise<void> {
  const target = await open(file, 'wx', 0o600);
  try {
    const texts = Readable.from(dumpDatabase(database, at));
    await cleanUpIfInterrupted(file, () => pipeline(texts, createGzip(), target.createWriteStream()));
  } catch (error) {
    await rm(file);
    throw error;
  }
  await recordRun(drizzle(client), 'backup', null);
}

/**
 * Loads a file, or an object of the bucket.
 * @returns the moment of the backup, in ms
 */
async function loadFrom(client: Client, source: string): Promise<number> {
  if (existsSync(source) || !source.startsWith('backups/')) {
    const file = createReadStream(source);
    const text = createGunzip();
    const [loaded] = await Promise.all([load(client, text), pipeline(file, text)]).catch((error: unknown) => {
      const isCompression = error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));
      throw isCompression
        ? new DeployError(
            `${source} is not a complete backup. Start again with another file and another new database.`,
          )
        : error;
    });
    return loaded;
  }
  const object = `${bucketName(await readWorkerConfig())}/${source}`;
  return inTemporaryFolder(async (dir) => {
    const file = join(dir, 'backup.sql.gz');
    const { code, stdout, stderr } = await askWrangler([
      ...['r2', 'object', 'get', object],
      ...['--remote', '--file', file],
    ]);
    if (code !== 0) throw new DeployError(`${object} cannot be read:\n${stdout}${stderr}`);
    return loadFrom(client, file);
  });
}

async function restore(client: Client, source: string, settings: Settings): Promise<void> {
  const { STRIPE_SECRET_KEY, STRIPE_API_URL, TURSO_DATABASE_URL = '' } = settings;
  const { SITE_URL } = settings;
  if (!STRIPE_SECRET_KEY || !SITE_URL)
    throw new DeployError(
      'STRIPE_SECRET_KEY and SITE_URL must be set, to ask Stripe for payments on this site since the backup.',
    );
  const stripe = openStripe({ STRIPE_SECRET_KEY, STRIPE_API_URL });
  // Checks that Stripe accepts the key before loading anything, because nothing can be loaded into a database with
  // data.
  await stripe.paymentIntents.list({ limit: 1 });
  const backupAt = await loadFrom(client, source);
  const { scheduled, lost, staff } = await prepareRestoredDatabase(client, stripe, backupAt, { SITE_URL });
  console.log(
    `${source} is loaded into ${TURSO_DATABASE_URL}. Everyone must log in again and create new recovery codes.`,
  );
  console.log(
    `${counted(scheduled, 'payment')} made since the backup will be checked with Stripe within a minute of going live.`,
  );
  console.log(
    'These people can work on the site, as at the time of the backup. Remove anyone who no longer should:',
  );
  for (const { email, role } of staff) console.log(`- ${email}: ${role}`);
  if (lost.length > 0)
    console.log(`Please return these payments in the Stripe dashboard, or enter their orders again:`);
  for (const line of lost) console.log(`- ${line}`);
}

/**
 * The moment in the argument of `--at`, in ms.
 * @throws if it is not a time, or is in the future
 */
function momentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(text) ? Date.parse(text) : NaN;
  if (!(at <= Date.now()))
    throw new DeployError('--at must be a time in the past, in UTC, such as 2026-11-21T10:00:00Z.');
  return at;
}

async function run(): Promise<void> {
  const { positionals, values } = readArguments({
    allowPositionals: true,
    options: { at: { type: 'string' } },
  });
  const [command, file] = positionals;
  const at = momentOf(values.at);
  if ((command !== 'backup' && command !== 'restore') || file === undefined)
    throw new DeployError('Name the file: npm run backup -- file.sql.gz, or npm run restore -- file.sql.gz');
  if (command === 'restore' && at !== undefined)
    throw new DeployError('--at works only with npm run backup. The file stores the moment.');
  const settings = await readSettings();
  const { TURSO_DATABASE_URL, TURSO_AUTH_TOKEN } = settings;
  if (!TURSO_DATABASE_URL)
    throw new DeployError('TURSO_DATABASE_URL must be set; docs/deploy.md explains where to find it.');
  await withDatabase(settings, async (client) => {
    if (command === 'restore') return restore(client, file, settings);
    await backUp({ TURSO_DATABASE_URL, TURSO_AUTH_TOKEN }, client, file, at);
    console.log(`${TURSO_DATABASE_URL} is saved in ${file}.`);
  });
}

await runMain(run);
