/**
 * The drill of docs/deploy.md, with its commands. The nightly backup is made, work continues, the database is lost, and
 * the backup is restored from the bucket into a new database. What only Stripe knows is then settled or reported.
 */
import type { SearchResult } from '#contract/customers.calls.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openDataDir } from '#dev/system/settings.ts';
import { projectDir } from '#deploy/settings.ts';
import { freePort } from '#dev/system/worker-process.ts';
import { contentPages } from '#contract/screens.ts';
import type { Order } from '#contract/orders.calls.ts';
import { cronTriggers } from '#worker/operations/jobs.ts';
import { firstRecord, save } from '../support/content.ts';
import { clientSecretFor, confirmCard, placeOrder } from '../support/orders.ts';
import { noteDatabase, startTestSystem } from '../support/system.ts';
import { startDatabase } from '../support/test-database.ts';
import { registerCustomer, signInAdministrator, Visitor } from '../support/visitor.ts';

const run = promisify(execFile);

const folder = await mkdtemp(join(tmpdir(), 'storefront-drill-'));
const system = await startTestSystem();
afterAll(async () => {
  await system.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A command of docs/deploy.md, with a stand-in for wrangler. */
async function runBackup(
  command: 'backup' | 'restore',
  file: string,
  { url, authToken = '' }: { readonly url: string; readonly authToken?: string },
  ...options: readonly string[]
) {
  const account = join(folder, 'account.json');
  await writeFile(account, JSON.stringify({ isSignedIn: true, sendingDomains: [], workers: {} }));
  const { stripeSecretKey } = await openDataDir(system.dataDir);
  return run(process.execPath, ['deploy/backup.ts', command, file, ...options], {
    cwd: projectDir,
    env: {
      ...process.env,
      PATH: `${projectDir}/tests/support/wrangler:${process.env['PATH'] ?? ''}`,
      WRANGLER_ACCOUNT: account,
      WRANGLER_FILES: join(system.dataDir, 'wrangler'),
      TURSO_DATABASE_URL: url,
      TURSO_AUTH_TOKEN: authToken,
      STRIPE_SECRET_KEY: stripeSecretKey,
      STRIPE_API_URL: system.stripe?.url,
      SITE_URL: system.url,
      SITE_TIMEZONE: 'UTC',
    },
  });
}

const statusOf = async (visitor: Visitor, { _id }: Order) =>
  ((await visitor.get(`/api/order/${_id}`)).json as Order).paymentStatus;

test('A backup brings everything back; later payments are settled, or reported if their order is gone', async () => {
  const customer = await registerCustomer(system.url);
  const pay = async (order: Order) => {
    const clientSecret = await clientSecretFor(customer, order);
    return confirmCard(customer, system.stripe?.url ?? '', clientSecret);
  };
  const administrator = await signInAdministrator(system.url);
  const banner = await firstRecord(administrator, '/banner');
  const heading = "It's a\nheading – with 'quotes', 🙂 and lines";
  await save(administrator, `/update-banner/${banner._id}`, { bannerDetails: heading });
  const paid = await placeOrder(customer);
  await pay(paid);
  await expect.poll(() => statusOf(customer, paid)).toBe('Paid');
  const waiting = await placeOrder(customer);
  const untouched = await placeOrder(customer);

  const file = join(folder, 'backup.sql.gz');
  await runBackup('backup', file, system.database);
  await expect(runBackup('backup', file, system.database)).rejects.toThrow('EEXIST');
  expect(gunzipSync(await readFile(file)).toString()).toContain(customer.email);
  const point = join(folder, 'point.sql.gz');
  await expect(runBackup('backup', point, system.database, '--at', 'yesterday')).rejects.toThrow(
    '--at must be a time in the past, in UTC',
  );
  await runBackup('backup', point, system.database, '--at', '2026-11-21T10:00:00Z');
  expect(gunzipSync(await readFile(point)).toString()).toMatch(
    // Turso accepts a file that begins with these two lines (`turso db create --from-dump`).
    /^PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n-- Backup of 2026-11-21T10:00:00\.000Z\n/,
  );
  // The cron job also creates a backup. The day of a backup begins at 3 a.m. UTC.
  const nightly = `backups/${new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10)}.sql.gz`;
  await system.worker.tick(cronTriggers.hourly);

  // Events after the backup, which only Stripe will know about.
  await pay(waiting);
  const lostOrder = await placeOrder(customer, 'Premium');
  const { id: lostPayment } = await pay(lostOrder);
  await expect.poll(() => statusOf(customer, lostOrder)).toBe('Paid');
  // Two saves that are lost. A form stays open at the second.
  await save(administrator, `/update-banner/${banner._id}`, { bannerHeading: 'Lost' });
  const { bannerHeading } = banner;
  const { headers: openForm } = await save(administrator, `/update-banner/${banner._id}`, { bannerHeading });

  const restored = await startDatabase();
  onTestFinished(() => restored.close());
  const { stdout } = await runBackup('restore', nightly, restored);
  expect(stdout).toContain(`${lostPayment}: `);
  expect(stdout.match(/^- pi_/gm)).toHaveLength(1);
  await expect(runBackup('restore', file, restored)).rejects.toThrow('is not empty');

  const worker = await system.startWorker({
    port: await freePort(),
    dataDir: folder,
    vars: { TURSO_DATABASE_URL: restored.url, TURSO_AUTH_TOKEN: '' },
  });
  noteDatabase(worker.url, { url: restored.url, authToken: '' });
  const returning = new Visitor(worker.url);
  for (const [name, value] of customer.cookies) returning.cookies.set(name, value);
  expect((await returning.get('/api/auth/session')).json).toEqual({ account: null });
  const { email, password } = customer;
  expect((await returning.post('/api/auth/login', { email, password })).status).toBe(200);

  await worker.tick();
  await expect.poll(() => statusOf(returning, waiting)).toBe('Paid');
  expect(await statusOf(returning, paid)).toBe('Paid');
  expect(await statusOf(returning, untouched)).toBe('UnPaid');
  expect((await returning.get(`/api/order/${lostOrder._id}`)).status).toBe(404);

  const before = new Visitor(system.url);
  for (const { pattern } of contentPages)
    expect((await returning.get(pattern)).text, pattern).toBe((await before.get(pattern)).text);
  const owner = await signInAdministrator(worker.url);
  const { json: found } = await owner.get(`/api/search?q=${email}`);
  expect((found as SearchResult).customers).toMatchObject([{ email, orders: 3 }]);
  expect(await firstRecord(owner, '/banner')).toEqual(await firstRecord(administrator, '/banner'));
  await save(owner, `/update-banner/${banner._id}`, { bannerHeading: 'Life goes on' });
  expect((await returning.get('/')).text).toContain('Life goes on');
  await save(owner, `/update-banner/${banner._id}`, { bannerHeading: 'Life goes on and on' });
  const late = await owner.put(
    `/api/update-banner/${banner._id}`,
    { bannerHeading: 'From before' },
    { headers: { 'If-Match': openForm.get('ETag') ?? '' } },
  );
  expect(late.status).toBe(412);
  expect(late.json).toMatchObject({ current: { bannerHeading: 'Life goes on and on' } });
});
