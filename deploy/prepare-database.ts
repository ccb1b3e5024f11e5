/** Migrates a database to this release's schema, and adds the content that the release needs. */
import { drizzle } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import { join } from 'node:path';
import { addRecord, applyChanges, changeStatements, type RecordChange } from '#worker/content/edits.ts';
import { historyStatement } from '#worker/content/history.ts';
import { readSnapshot } from '#worker/content/reader.ts';
import type { StoredContent } from '#worker/content/stored.ts';
import { addSchema } from '#contract/fields.ts';
import { sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { writeBatch, type Database, type Statement } from '#worker/db/client.ts';
import { publications } from '#worker/content/schema.ts';
import { recordRun } from '#worker/operations/jobs.ts';
import { withDatabase } from './database.ts';
import { firstContent } from './first-content.ts';

export const migrationsFolder = join(import.meta.dirname, '../migrations');

export interface Seed {
  readonly content: { readonly [N in SectionName]?: readonly Readonly<Record<string, string>>[] };
  /** More statements for the same batch, for data that is not content. */
  readonly alsoWrite?: (db: Database, at: number) => Promise<readonly Statement[]>;
}

/** The missing records of sections with fixed records. A newer version of the product may add such records. */
const missingFrom = (content: StoredContent, wanted: Seed['content']): Seed['content'] =>
  Object.fromEntries(
    sectionNames
      .filter((name) => sectionNamed(name).kind === 'fixed' && content[name].length === 0)
      .map((name) => [name, wanted[name] ?? []]),
  );

/**
 * Fills an empty database. In any other database, adds the fixed records that are new in this version.
 * @returns whether it was empty
 */
async function fill(db: Database, { content: wanted, alsoWrite }: Seed): Promise<boolean> {
  const snapshot = await readSnapshot(db);
  const isEmpty = snapshot.revision === 0;
  const toAdd = isEmpty ? wanted : missingFrom(snapshot.content, wanted);
  let content: StoredContent = snapshot.content;
  const changes: RecordChange[] = [];
  for (const name of sectionNames)
    for (const { _id, ...values } of toAdd[name] ?? []) {
      const added = addRecord(name, addSchema(sectionNamed(name)).parse(values), _id).changesTo(content);
      content = applyChanges(content, added);
      changes.push(...added);
    }
  if (!isEmpty && changes.length === 0) return false;
  const at = Date.now();
  const revision = snapshot.revision + 1;
  await writeBatch(db, [
    db.insert(publications).values({ revision, at, by: '', changedPages: [] }),
    ...changeStatements(db, changes),
    ...changes.map((change) => historyStatement(db, change, { revision, at, by: '' })),
    ...(isEmpty ? ((await alsoWrite?.(db, at)) ?? []) : []),
  ]);
  return isEmpty;
}

/**
 * Applies missing migrations, fills an empty database, and adds missing fixed records.
 * @param url of a libSQL server, or `file:` for a local database
 * @returns whether it was empty
 */
export async function prepareDatabase(
  url: string,
  authToken: string | undefined,
  seed: Seed = { content: firstContent },
): Promise<boolean> {
  const access = { TURSO_DATABASE_URL: url, ...(authToken && { TURSO_AUTH_TOKEN: authToken }) };
  return withDatabase(access, async (client) => {
    const db = drizzle(client);
    await migrate(db, { migrationsFolder });
    await recordRun(db, 'deployment', null);
    return fill(db, seed);
  });
}
