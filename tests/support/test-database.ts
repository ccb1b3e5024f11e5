/**
 * A separate database for a test, with the real server and the real migrations, and Worker settings that point to
 * it.
 */
import { migrate } from 'drizzle-orm/libsql/migrator';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLibsqlServer } from '#dev/libsql/server.ts';
import { openDatabase } from '#worker/db/client.ts';
import type { EmailBinding, Env } from '#worker/env.ts';
import { noFiles, noImages } from './in-process-app.ts';

export type SentMail = Parameters<EmailBinding['send']>[0];

const migrationsFolder = join(import.meta.dirname, '../../migrations');

declare global {
  var migratedDatabase: Promise<Uint8Array> | undefined;
}

/** The file of an empty database after all migrations. Copying it is faster than migrating. */
async function migrateDatabase(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'test-database-'));
  const file = join(folder, 'test.db');
  const server = await startLibsqlServer({ file });
  await migrate(openDatabase({ TURSO_DATABASE_URL: server.url }), { migrationsFolder });
  await server.close();
  const bytes = await readFile(file);
  await rm(folder, { recursive: true });
  return bytes;
}

/**
 * Starts the real server. `close` also deletes its file.
 * @param fill fills the file before the server starts
 */
export async function startDatabase(
  fill: (file: string) => unknown = () => undefined,
  options: { readonly authToken?: string } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'database-'));
  const file = join(folder, 'test.db');
  await fill(file);
  const server = await startLibsqlServer({ ...options, file });
  return {
    url: server.url,
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @param settings Worker settings that override the defaults */
export async function openTestDatabase(settings: Partial<Env> = {}) {
  const migrated = await (globalThis.migratedDatabase ??= migrateDatabase());
  const server = await startDatabase((file) => writeFile(file, migrated));
  /** The sent emails, oldest first. */
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
    SITE_TIMEZONE: 'UTC',
    ...settings,
  };
  return {
    db: openDatabase(env),
    env,
    mails,
    close: server.close,
  };
}
