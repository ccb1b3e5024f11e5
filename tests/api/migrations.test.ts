/** The migrations create the database that the schema describes, and what drizzle-kit cannot write. */
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrationsFolder } from '#deploy/prepare-database.ts';
import { tables } from '#worker/tables.ts';
import { orders } from '#worker/orders/schema.ts';
import { openTestDatabase } from '../support/test-database.ts';

test('Whoever changes the schema also commits its migration', async () => {
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

test('The first orders are numbered from 1001', async () => {
  const { db, close } = await openTestDatabase();
  const order = {
    accountId: '',
    packageName: 'Basic',
    packagePrice: '499',
    priceCents: 49_900,
    packagePoints: [],
    customerEmail: '',
    customerName: '',
    customerAddress: '',
    customerCountry: '',
    paymentStatus: 'UnPaid',
    orderStatus: 'Pending',
    orderDay: '2026-11-21',
  } as const;
  for (const _id of ['a', 'b']) await db.insert(orders).values({ _id, ...order });
  expect(await db.select({ number: orders.number }).from(orders).orderBy(orders._id)).toEqual([
    { number: 1001 },
    { number: 1002 },
  ]);
  await close();
});
