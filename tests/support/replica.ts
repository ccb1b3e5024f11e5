/** A read replica that is behind, for tests of what is decided on its answers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import Database from 'libsql';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { startLibsqlServer } from '#dev/libsql/server.ts';
import type { Database as Connected } from '#worker/db/client.ts';
import type { Fate } from './database-proxy.ts';

/** What each statement of a request to the database begins with. */
const wordsOf = (body: string) =>
  Array.from(body.matchAll(/"sql":"\s*(\w+)/g), ([, word = '']) => word.toLowerCase());

/** Whether a request to the database changes something. */
export const isWrite = (body: string) => wordsOf(body).some((word) => /^(insert|update|delete)$/.test(word));

/**
 * A copy of the database as it is now, which is gone with the test.
 * @returns what becomes of each request to the database from now on: the copy answers what only reads
 */
export async function openReplica(db: Connected): Promise<(body: string) => Fate> {
  const folder = await mkdtemp(join(tmpdir(), 'replica-'));
  const file = join(folder, 'replica.db');
  // The server refuses VACUUM, so its file is opened beside it, by its own engine: closing one of another SQLite would end its locks.
  const [{ file: primary }] = z
    .tuple([z.object({ file: z.string() })])
    .rest(z.unknown())
    .parse(await db.all(sql`PRAGMA database_list`));
  const source = new Database(primary);
  source.prepare('VACUUM INTO ?').run(file);
  source.close();
  const replica = await startLibsqlServer({ file });
  onTestFinished(async () => {
    await replica.close();
    await rm(folder, { recursive: true });
  });
  const isRead = (body: string) =>
    wordsOf(body).every((word) => /^(select|commit|rollback|begin)$/.test(word));
  // A transaction that may write begins at the primary.
  return (body) =>
    isRead(body) && !/BEGIN (IMMEDIATE|DEFERRED)/i.test(body) ? { askInstead: replica.url } : 'pass';
}
