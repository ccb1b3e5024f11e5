/**
 * A complete copy of the product for a test suite, with a free port and its own data folder. It shares nothing but the
 * built site.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem, type System, type SystemOptions } from '#dev/system/system.ts';
import { freePort } from '#dev/system/worker-process.ts';

export const administrator = { email: 'owner@agency.example', password: 'a-long-test-password' } as const;

/** The built site is kept between runs. It is rebuilt when its sources change. */
export const sharedBuild = join(import.meta.dirname, '../../node_modules/.cache/site-build');

/** Settings of every copy: rate limits wide enough for tests that are not about them, and days that begin as in UTC. */
export const testSettings: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'SIGN_IN_ACCOUNT',
    'SIGN_IN_ADDRESS',
    'SIGN_UP_ADDRESS',
    'RESET_ADDRESS',
    'MAIL_ACCOUNT',
    'UNVERIFIED_MAIL',
    'INBOX_ADDRESS',
    'UNPAID_ORDERS',
    'ORDERS_ACCOUNT',
    'INTENTS_ADDRESS',
    'CONFIRMED_MINUTES',
  ]
    .map((name): [string, string] => [`LIMIT_${name}`, '100000'])
    .concat([['SITE_TIMEZONE', 'UTC']]),
);

export interface TestSystem extends System {
  readonly dataDir: string;
}

const databaseVariable = (url: string) => `DATABASE_AT_${new URL(url).host.replaceAll(/\W/g, '_')}`;

/** Tells every process of the run where a copy's database is. */
export function noteDatabase(url: string, database: Pick<System['database'], 'url' | 'authToken'>): void {
  process.env[databaseVariable(url)] = JSON.stringify({ url: database.url, authToken: database.authToken });
}

/** The database of the copy at a URL. */
export function databaseAt(url: string): Pick<System['database'], 'url' | 'authToken'> {
  const noted = process.env[databaseVariable(url)];
  if (noted === undefined) throw new Error(`No copy of this run answers at ${url}.`);
  return JSON.parse(noted) as Pick<System['database'], 'url' | 'authToken'>;
}

/** Starts a copy. `stop` also deletes its data. */
export async function startTestSystem(options: Partial<SystemOptions> = {}): Promise<TestSystem> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-'));
  const system = await startSystem({
    port: await freePort(),
    dataDir,
    seed: 'demo',
    adminEmail: administrator.email,
    adminPassword: administrator.password,
    buildDir: sharedBuild,
    builtFor: 'https://www.example.test',
    ...options,
    vars: { ...testSettings, ...options.vars },
  });
  noteDatabase(system.url, system.database);
  return {
    ...system,
    dataDir,
    startWorker: async (differences) => {
      const worker = await system.startWorker(differences);
      noteDatabase(worker.url, system.database);
      return worker;
    },
    stop: async () => {
      await system.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
