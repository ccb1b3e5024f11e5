/** Brings a database to the schema of this release, and fills it when nothing was ever published in it. */
import { createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import { join } from 'node:path';
import { addRecord, applyChanges, changeStatement, type RecordChange } from '#worker/content/edits.ts';
import { historyStatement } from '#worker/content/history.ts';
import { readSnapshot, type StoredContent } from '#worker/content/reader.ts';
import { addSchema } from '#contract/fields.ts';
import { sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { writeBatch, type Database, type Statement } from '#worker/db/client.ts';
import { publications } from '#worker/content/schema.ts';
import { firstContent } from './first-content.ts';

export const migrationsFolder = join(import.meta.dirname, '../migrations');

/** What an empty database is filled with. */
export interface Seed {
  readonly content: { readonly [N in SectionName]?: readonly Readonly<Record<string, string>>[] };
  /** Statements for what is not content, in the same batch. */
  readonly alsoWrite?: (db: Database, at: number) => Promise<readonly Statement[]>;
}

/** @returns whether the database was empty */
async function seedIfEmpty(db: Database, { content: toAdd, alsoWrite }: Seed): Promise<boolean> {
  const snapshot = await readSnapshot(db);
  if (snapshot.revision > 0) return false;
  let content: StoredContent = snapshot.content;
  const changes: RecordChange[] = [];
  for (const name of sectionNames)
    for (const values of toAdd[name] ?? []) {
      const added = addRecord(name, addSchema(sectionNamed(name)).parse(values))(content);
      content = applyChanges(content, added);
      changes.push(...added);
    }
  const at = Date.now();
  await writeBatch(db, [
    db.insert(publications).values({ revision: 1, at, by: '', changedPages: '[]' }),
    ...changes.map((change) => changeStatement(db, change)),
    ...changes.map((change) => historyStatement(db, change, { revision: 1, at, by: '' })),
    ...((await alsoWrite?.(db, at)) ?? []),
  ]);
  return true;
}

/**
 * Applies the migrations that are missing and fills an empty database.
 * @param url of a libSQL server, or `file:` of a database on this machine
 * @returns whether it was empty
 */
export async function prepareDatabase(
  url: string,
  authToken: string | undefined,
  seed: Seed = { content: firstContent },
): Promise<boolean> {
  const client = createClient({ url, ...(authToken && { authToken }) });
  try {
    const db = drizzle(client);
    await migrate(db, { migrationsFolder });
    return await seedIfEmpty(db, seed);
  } finally {
    client.close();
  }
}
