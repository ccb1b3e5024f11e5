/**
 * Decides which files of the library are needed: those of existing pictures, and of pictures removed so recently
 * that they can be restored.
 */
import { and, eq, gt, like, type SQL } from 'drizzle-orm';
import { readMediaPath } from '#contract/media.ts';
import { removedForMs } from '../content/history.ts';
import { contentHistory } from '../content/schema.ts';
import { contentTables } from '../db/content-tables.ts';
import { readTogether, type Database } from '../db/client.ts';

const dayMs = 86_400_000;

const hashIn = (path: unknown): string =>
  (typeof path === 'string' ? readMediaPath(path)?.hash : undefined) ?? '';

/** The hashes of existing pictures and of those removed after a given time. */
async function hashesOf(
  db: Database,
  removedAfter: number,
  { ofPath, ofValues }: { readonly ofPath?: SQL; readonly ofValues?: SQL } = {},
): Promise<ReadonlySet<string>> {
  const { section, action, at, before } = contentHistory;
  const isRemoved = and(eq(section, 'media'), eq(action, 'removed'), gt(at, removedAfter), ofValues);
  const [removed, records] = await readTogether(db, [
    db.select({ before }).from(contentHistory).where(isRemoved),
    db.select({ path: contentTables.media.path }).from(contentTables.media).where(ofPath),
  ]);
  const paths = removed.map((row) => row.before?.['path']);
  return new Set([...records.map(({ path }) => path), ...paths].map(hashIn));
}

/**
 * The hashes of all files that the sweep keeps.
 * @param now time in ms
 */
export const neededHashes = (db: Database, now: number): Promise<ReadonlySet<string>> =>
  hashesOf(db, now - removedForMs);

/** Whether the files of a hash are needed for at least another day, even if their picture is removed right now. */
export async function isNeeded(db: Database, hash: string, now: number): Promise<boolean> {
  const ofPath = like(contentTables.media.path, `%${hash}%`);
  const ofValues = like(contentHistory.before, `%${hash}%`);
  return (await hashesOf(db, now - removedForMs + dayMs, { ofPath, ofValues })).has(hash);
}
