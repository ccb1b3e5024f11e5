/** A read replica that lags behind, for tests of decisions that depend on its answers. */
import { sql } from 'drizzle-orm';
import Database from 'libsql';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import type { Database as Connected } from '#worker/db/client.ts';
import type { Fate } from './database-proxy.ts';
import { startDatabase } from './test-database.ts';

/** The first word of each statement in a request to the database. */
const wordsOf = (body: string) =>
  Array.from(body.matchAll(/"sql":"\s*(\w+)/g), ([, word = '']) => word.toLowerCase());

/** Whether a request to the database changes something. */
export const isWrite = (body: string) => wordsOf(body).some((word) => /^(insert|update|delete)$/.test(word));

/**
 * Copies the database in its current state. The copy is deleted with the test.
 * @returns what happens to each request to the database from now on: the copy answers those that only read
 */
export async function openReplica(db: Connected): Promise<(body: string) => Fate> {
  // The server refuses VACUUM, so we open its file directly, with its own engine. Another SQLite would release the
  // server's locks when it closes the file.
  const [{ file: primary }] = z
    .tuple([z.object({ file: z.string() })])
    .rest(z.unknown())
    .parse(await db.all(sql`PRAGMA database_list`));
  const replica = await startDatabase((file) => {
    const source = new Database(primary);
    source.prepare('VACUUM INTO ?').run(file);
    source.close();
  });
  onTestFinished(replica.close);
  const isRead = (body: string) =>
    wordsOf(body).every((word) => /^(select|commit|rollback|begin)$/.test(word));
  // A transaction that may write begins at the primary.
  return (body) =>
    isRead(body) && !/BEGIN (IMMEDIATE|DEFERRED)/i.test(body) ? { askInstead: replica.url } : 'pass';
}
