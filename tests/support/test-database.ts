/** A database of a test's own, with the real server and the real migrations, and settings of the Worker that name it. */
import { createClient, type Client } from '@libsql/client';
import { drizzle, type LibSQLDatabase } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLibsqlServer } from '#dev/libsql/server.ts';
import { openDatabase, type Database } from '#worker/db/client.ts';
import type { EmailBinding, Env } from '#worker/env.ts';
import { noFiles, noImages } from './in-process-app.ts';

export type SentMail = Parameters<EmailBinding['send']>[0];

export interface TestDatabase {
  readonly db: Database;
  readonly env: Env;
  /** What was mailed, oldest first. */
  readonly mails: SentMail[];
  readonly close: () => Promise<void>;
}

const migrationsFolder = join(import.meta.dirname, '../../migrations');

export interface EarlierDatabase {
  readonly client: Client;
  readonly db: LibSQLDatabase;
  /** Applies the migrations that are missing. */
  readonly migrateOn: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A database as an earlier release left it. @param tag the end of the name of the first migration that it lacks */
export async function openEarlierDatabase(tag: string): Promise<EarlierDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  const client = createClient({ url: `file:${join(folder, 'test.db')}` });
  const earlier = join(folder, 'migrations');
  await cp(migrationsFolder, earlier, { recursive: true });
  const journal = join(earlier, 'meta/_journal.json');
  const read = JSON.parse(await readFile(journal, 'utf8')) as { entries: { tag: string }[] };
  const at = read.entries.findIndex((entry) => entry.tag.endsWith(tag));
  await writeFile(journal, JSON.stringify({ ...read, entries: read.entries.slice(0, at) }));
  const db = drizzle(client);
  await migrate(db, { migrationsFolder: earlier });
  return {
    client,
    db,
    migrateOn: () => migrate(db, { migrationsFolder }),
    async close() {
      client.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @param settings of the Worker, over the defaults */
export async function openTestDatabase(settings: Partial<Env> = {}): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'test-database-'));
  const server = await startLibsqlServer({ file: join(folder, 'test.db') });
  const mails: SentMail[] = [];
  const env: Env = {
    ASSETS: { fetch: () => Promise.resolve(new Response('')) },
    EMAIL: { send: (mail) => Promise.resolve(mails.push(mail)) },
    FLOOD_LIMIT: { limit: () => Promise.resolve({ success: true }) },
    FILES: noFiles,
    IMAGES: noImages,
    ENVIRONMENT: 'local',
    SITE_URL: 'http://site.test',
    TURSO_DATABASE_URL: server.url,
    STRIPE_SECRET_KEY: 'sk_test_none',
    STRIPE_WEBHOOK_SECRET: 'whsec_none',
    SEALING_KEYS: 'a-sealing-key-of-the-tests-0123456789',
    MAIL_FROM: 'site@site.test',
    NOTIFY_EMAIL: 'firm@site.test',
    ...settings,
  };
  const db = openDatabase(env);
  await migrate(db, { migrationsFolder });
  return {
    db,
    env,
    mails,
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}
