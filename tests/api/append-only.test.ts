/**
 * Records of who did what are append-only. The database itself refuses to change them, regardless of the code that
 * tries.
 */
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { afterAll, expect, test } from 'vitest';
import { auditEvents, settingEvents } from '#worker/audit/schema.ts';
import { contentHistory, publications } from '#worker/content/schema.ts';
import { inboxEvents } from '#worker/inbox/schema.ts';
import { orderEvents } from '#worker/orders/schema.ts';
import { ledger } from '#worker/payments/schema.ts';
import { openTestDatabase } from '../support/test-database.ts';

const database = await openTestDatabase();
afterAll(() => database.close());

const run = (statement: string) => database.db.$client.execute(statement);

const [at, by, text] = [
  Date.now(),
  'an-account',
  JSON.stringify({ userEmail: 'a@site.test', note: 'Hello' }),
];

/** Each table, a row of it, and which parts of that row may change: the column, and its value afterward. */
const tables: readonly (readonly [
  SQLiteTable,
  Readonly<Record<string, unknown>>,
  ...(readonly [string, string])[],
])[] = [
  [auditEvents, { at, action: 'role', accountId: by, recordId: 'r', network: '203.0.113.0/24' }],
  [
    settingEvents,
    {
      id: 'e',
      setting: 'release',
      recordId: 'r',
      version: 1,
      action: 'updated',
      at,
      by,
      before: text,
      after: text,
    },
    ['before', '{"note":"Hello"}'],
    ['after', '{"note":"Hello"}'],
  ],
  [
    orderEvents,
    {
      orderId: 'o',
      version: 1,
      kind: 'stepDone',
      at,
      role: 'customer',
      accountId: by,
      before: { userEmail: 'a@site.test' },
      after: { userEmail: 'a@site.test', note: 'Hello' },
    },
    ['after', '{"userEmail":"a@site.test"}'],
    ['after', '{}'],
    ['before', '{}'],
    ['accountId', ''],
  ],
  [inboxEvents, { _id: 'i', recordId: 'r', at, accountId: by, before: {}, after: {} }],
  [
    contentHistory,
    {
      id: 'c',
      revision: 1,
      section: 'banner',
      recordId: 'r',
      version: 1,
      action: 'updated',
      at,
      by,
      before: text,
      after: text,
      positionBefore: 0,
      positionAfter: 0,
    },
  ],
  [publications, { revision: 1, at, by, changedPages: [], readMs: 1, renderMs: 1 }, ['writeMs', '7']],
  [
    ledger,
    {
      sequence: 1,
      key: 'k',
      at,
      orderId: 'o',
      kind: 'payment',
      amountCents: 1,
      stripeId: 's',
      balanceCents: 1,
    },
  ],
];

test('Records of who did what are never changed or removed; only personal parts can be erased', async () => {
  for (const [table, row, ...mayGo] of tables) {
    const name = getTableName(table);
    await database.db.insert(table).values(row);
    const columns = Object.keys(getTableColumns(table)).filter((column) => column !== 'writeMs');
    for (const column of columns)
      await expect(run(`UPDATE ${name} SET "${column}" = 4711`), column).rejects.toThrow(/keeps/);
    await expect(run(`DELETE FROM ${name}`)).rejects.toThrow(/keeps/);
    await expect(run(`INSERT OR REPLACE INTO ${name} SELECT * FROM ${name}`)).rejects.toThrow(/keeps/);
    // A row also has a rowid, which is the key of the tables with an INTEGER PRIMARY KEY.
    await expect(run(`UPDATE OR REPLACE ${name} SET rowid = rowid + 1`)).rejects.toThrow(/keeps/);
    const columnsOf = Object.values(getTableColumns(table));
    if (!columnsOf.some(({ primary, columnType }) => primary && columnType === 'SQLiteInteger')) {
      const otherKeys = columnsOf.map(({ name: column, columnType }) =>
        columnType === 'SQLiteInteger' ? `"${column}" + 1` : `"${column}" || 'x'`,
      );
      const copied = columnsOf.map(({ name: column }) => `"${column}"`).join();
      await expect(
        run(
          `INSERT OR REPLACE INTO ${name} (rowid, ${copied}) SELECT rowid, ${otherKeys.join()} FROM ${name}`,
        ),
      ).rejects.toThrow(/keeps/);
    }
    for (const [column, value] of mayGo) {
      await run(`UPDATE ${name} SET "${column}" = '${value}'`);
      const { rows } = await run(`SELECT CAST("${column}" AS TEXT) AS left FROM ${name}`);
      expect(rows).toEqual([{ left: value }]);
    }
  }
});

test('An entry of the audit log can be deleted once it is a year old, and not before', async () => {
  const dayMs = 86_400_000;
  const entry = { action: 'signIn', accountId: by, recordId: '', network: '' } as const;
  const add = (days: number) =>
    database.db.insert(auditEvents).values({ ...entry, at: Date.now() - days * dayMs });
  await add(363);
  await expect(run('DELETE FROM audit_events')).rejects.toThrow(/keeps/);
  await add(366);
  await run(`DELETE FROM audit_events WHERE at < ${Date.now() - 365 * dayMs}`);
  expect((await run(`SELECT at FROM audit_events WHERE action = 'signIn'`)).rows).toHaveLength(1);
});
