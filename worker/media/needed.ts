/**
 * Decides which files in the library are needed: those of existing pictures, and of recently removed pictures that can
 * still be restored.
 */
import { and, eq, gt } from 'drizzle-orm';
import { readMediaPath } from '#contract/media.ts';
import { restorableMs } from '../content/history.ts';
import { contentHistory } from '../content/schema.ts';
import { contentTables } from '../db/content-tables.ts';
import { readTogether, type Database } from '../db/client.ts';

const hashIn = (path: unknown): string =>
  (typeof path === 'string' ? readMediaPath(path)?.hash : undefined) ?? '';

/**
 * The hashes of the files that are needed at a time.
 * @param at time in ms; until then, pictures that exist now are needed even if someone removes them
 */
export async function neededHashes(db: Database, at: number): Promise<ReadonlySet<string>> {
  const isRemoved = and(
    eq(contentHistory.section, 'media'),
    eq(contentHistory.action, 'removed'),
    gt(contentHistory.at, at - restorableMs),
  );
  const [removed, records] = await readTogether(db, [
    db.select({ before: contentHistory.before }).from(contentHistory).where(isRemoved),
    db.select({ path: contentTables.media.path }).from(contentTables.media),
  ]);
  const paths = [...records.map(({ path }) => path), ...removed.map(({ before }) => before?.['path'])];
  return new Set(paths.map(hashIn));
}
