/** What the content of a restored database needs before it goes live. */
import { gt, sql } from 'drizzle-orm';
import { sectionNames } from '#contract/sections/index.ts';
import { writeBatch, type Database } from '../db/client.ts';
import { contentTableOf } from '../db/content-tables.ts';
import { drafts } from './schema.ts';

/** How many saves of one record between a backup and the loss of the database have versions of their own. */
const lostVersions = 1_000;

/**
 * Raises the version of each content record past those that the lost database gave it, so that no ETag names two texts: a
 * form that was open there is told of the change, and overwrites nothing. Drafts stay with the versions that they were typed from.
 */
export async function raiseVersions(db: Database): Promise<void> {
  const raised = sql`version + ${lostVersions}`;
  await writeBatch(db, [
    ...sectionNames.map((name) => db.update(contentTableOf(name)).set({ version: raised })),
    // Below zero it is the version of a release's change, which stays.
    db.update(drafts).set({ version: raised }).where(gt(drafts.version, 0)),
  ]);
}
