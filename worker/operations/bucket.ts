/** Lists and deletes many objects in the bucket. */
import { inArray } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { hourMs } from '../http/clock.ts';

export async function* listObjects(
  { FILES }: Pick<Env, 'FILES'>,
  prefix: string,
): AsyncGenerator<readonly R2Object[], void> {
  let cursor: string | undefined;
  do {
    const listed = await FILES.list({ prefix, ...(cursor !== undefined && { cursor }) });
    yield listed.objects;
    cursor = listed.truncated ? listed.cursor : undefined;
  } while (cursor !== undefined);
}

/** How many keys one request can delete. https://developers.cloudflare.com/r2/api/workers/workers-api-reference/ */
const maxKeys = 1_000;

export async function deleteObjects({ FILES }: Pick<Env, 'FILES'>, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += maxKeys) await FILES.delete(keys.slice(at, at + maxKeys));
}

/** How long an object without a row is kept, in ms. Its upload may still be in progress. */
const graceMs = hourMs;

/**
 * Deletes the objects in a folder that have no row. The last part of a key is the id of its row.
 * @param now time in ms
 * @param sparedBefore time in ms; objects uploaded earlier are kept
 * @returns how many objects were deleted
 */
export async function deleteOrphans(
  env: Pick<Env, 'FILES'>,
  db: Database,
  folder: string,
  table: SQLiteTable & { readonly _id: SQLiteColumn },
  { now, sparedBefore }: { readonly now: number; readonly sparedBefore: number },
): Promise<number> {
  let deleted = 0;
  for await (const objects of listObjects(env, folder)) {
    const idOf = ({ key }: R2Object) => key.slice(key.lastIndexOf('/') + 1);
    const old = objects.filter(
      ({ uploaded }) => now - uploaded.getTime() > graceMs && uploaded.getTime() >= sparedBefore,
    );
    if (old.length === 0) continue;
    const rows = await db
      .select({ _id: table._id })
      .from(table)
      .where(inArray(table._id, old.map(idOf)));
    const known = new Set(rows.map(({ _id }) => _id));
    const orphans = old.filter((object) => !known.has(idOf(object))).map(({ key }) => key);
    await deleteObjects(env, orphans);
    deleted += orphans.length;
  }
  return deleted;
}
