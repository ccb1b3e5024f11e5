/**
 * The migrations create the database that the schema describes, with the constraints and triggers that the code
 * relies on.
 */
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { is, sql, Table } from 'drizzle-orm';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrationsFolder } from '#deploy/prepare-database.ts';
import { firstRun } from '#worker/accounts/schema.ts';
import { assert } from '#worker/db/assert.ts';
import { isFailedAssertion, writeBatch, writeUnlessConflict } from '#worker/db/client.ts';
import { assertionKinds, assertions } from '#worker/db/schema.ts';
import { tables } from '#worker/tables.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openShop } from './orders-shop.ts';

test('A person who changes the schema also commits its migration', async () => {
  const folder = join(migrationsFolder, 'meta');
  const last = (await readdir(folder))
    .filter((file) => file.endsWith('_snapshot.json'))
    .toSorted()
    .at(-1);
  const snapshot = await readFile(join(folder, last ?? ''), 'utf8');
  expect(
    await generateSQLiteMigration(JSON.parse(snapshot), await generateSQLiteDrizzleJson(tables)),
    'Run npm run migrations and commit what it writes.',
  ).toEqual([]);
});

test('Every table is known to the migration generator', () => {
  const files = import.meta.glob<Readonly<Record<string, unknown>>>('../../worker/**/*schema.ts', {
    eager: true,
  });
  const known = new Set(Object.values<unknown>(tables));
  const missing = Object.values(files)
    .flatMap((file) => Object.values(file))
    .filter((value) => is(value, Table) && !known.has(value));
  expect(missing, 'Add it to worker/tables.ts.').toEqual([]);
});

test('The first orders are numbered from 1001', async () => {
  const shop = await openShop();
  expect([(await shop.newOrder()).number, (await shop.newOrder()).number]).toEqual([1001, 1002]);
  await shop.close();
});

test('A batch whose assertion fails writes nothing, and its error names the kind', async () => {
  const { db, close } = await openTestDatabase();
  const write = db.insert(firstRun).values({ id: 1, doneAt: 0 });
  for (const kind of assertionKinds)
    for (const condition of [sql`0`, sql`NULL`, sql`1 = 1 AND (SELECT 1 WHERE 0)`]) {
      const error: unknown = await writeBatch(db, [write, assert(db, condition, kind)]).catch(
        (thrown: unknown) => thrown,
      );
      expect(assertionKinds.filter((each) => isFailedAssertion(error, each))).toEqual([kind]);
    }
  expect(await writeUnlessConflict(db, [write, assert(db, sql`0`)])).toBe(false);
  expect(await db.$count(firstRun)).toBe(0);
  expect(await writeBatch(db, [assert(db, sql`1 = 0 OR 1 = 1`), write])).toEqual([0, 1]);
  expect(await db.$count(assertions)).toBe(0);
  await close();
});
