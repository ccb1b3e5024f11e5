/** Prepares the content of a restored database before it goes live. */
import { gt, sql } from 'drizzle-orm';
import { sectionNames } from '#contract/sections/index.ts';
import { writeBatch, type Database } from '../db/client.ts';
import { contentTableOf } from '../db/content-tables.ts';
import { drafts } from './schema.ts';

/**
 * How many saves of one record may be lost between the backup and the loss of the database while versions stay unique.
 */
const lostVersions = 1_000;

/**
 * Raises the version of each content record above those of the lost database, so that no ETag identifies two different
 * texts. A form that was open at that time detects the change and overwrites nothing. Drafts still match the versions
 * that they are based on.
 */
export async function raiseVersions(db: Database): Promise<void> {
  const raised = sql`version + ${lostVersions}`;
  await writeBatch(db, [
    ...sectionNames.map((name) => db.update(contentTableOf(name)).set({ version: raised })),
    // A negative version refers to a release's change and is kept.
    db.update(drafts).set({ version: raised }).where(gt(drafts.version, 0)),
  ]);
}
