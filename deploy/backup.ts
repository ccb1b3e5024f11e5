/**
 * `npm run backup -- file.sql` writes the database of the settings to a file, which holds personal data: keep it as you
 * keep the database. `npm run restore -- file.sql` loads one into a new, empty database and makes it ready to go live.
 */
import { createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import { readFile, writeFile } from 'node:fs/promises';
import { noteRun } from '#worker/operations/jobs.ts';
import { openStripe } from '#worker/payments/stripe.ts';
import { dump, load } from './dump.ts';
import { endOldAccess, noteIntents } from './restored.ts';
import { readSettings } from './settings.ts';

const dayMs = 86_400_000;

class BackupError extends Error {
  override readonly name = 'BackupError';
}

async function run([command, file]: readonly string[]): Promise<void> {
  if ((command !== 'backup' && command !== 'restore') || file === undefined)
    throw new BackupError('Say which file: npm run backup -- file.sql, or npm run restore -- file.sql');
  const { TURSO_DATABASE_URL, TURSO_AUTH_TOKEN, STRIPE_SECRET_KEY, STRIPE_API_URL } = {
    ...(await readSettings()),
    STRIPE_API_URL: process.env['STRIPE_API_URL'] ?? '',
  };
  if (!TURSO_DATABASE_URL)
    throw new BackupError('TURSO_DATABASE_URL must be set; docs/deploy.md says where to find it.');
  const client = createClient({
    url: TURSO_DATABASE_URL,
    ...(TURSO_AUTH_TOKEN && { authToken: TURSO_AUTH_TOKEN }),
  });
  try {
    if (command === 'backup') {
      await writeFile(file, await dump(client), { flag: 'wx', mode: 0o600 });
      await noteRun(drizzle(client), 'backup', null);
      console.log(`${TURSO_DATABASE_URL} is saved in ${file}.`);
      return;
    }
    if (!STRIPE_SECRET_KEY)
      throw new BackupError('STRIPE_SECRET_KEY must be set: Stripe knows what was paid since the backup.');
    const begunAt = await load(client, await readFile(file, 'utf8'));
    await endOldAccess(client);
    console.log(`${file} is loaded into ${TURSO_DATABASE_URL}. Everybody has to sign in again.`);
    // A day earlier, because a payment may be made long after its intent.
    const stripe = openStripe({ STRIPE_SECRET_KEY, STRIPE_API_URL });
    const { noted, lost } = await noteIntents(client, stripe, begunAt - dayMs);
    console.log(`${String(noted)} payments since will be checked with Stripe within a minute of going live.`);
    if (lost.length > 0)
      console.log(`Please return these payments in the Stripe dashboard, or enter their orders again:`);
    for (const line of lost) console.log(`- ${line}`);
  } finally {
    client.close();
  }
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
