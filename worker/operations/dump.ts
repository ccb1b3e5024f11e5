/**
 * Dumps a database as SQL text, the format of backups: one statement per line. The tools of SQLite and Turso can also
 * read it (`turso db create --from-dump`). All rows come from one read transaction (docs/decisions/backups.md).
 */
import { toHex } from '#contract/ids.ts';
import type { DatabaseSettings } from '../db/client.ts';
import { readByCursor, type CursorRow, type WireValue } from '../db/cursor.ts';
import { fromBase64Url } from '../http/base64url.ts';

/**
 * Tables that a backup contains without rows: sessions and other credentials, recent counters, and pages, which can be
 * rendered again from the content.
 */
export const withoutRows = [
  'sessions',
  'account_tokens',
  'recovery_codes',
  'invitations',
  'preview_links',
  'attempts',
  'pages',
  'page_sets',
] as const;

/** The lines before the statements. The heading with the time of the dump is the third line. */
export const opening = ['PRAGMA foreign_keys=OFF;', 'BEGIN TRANSACTION;'] as const;
export const heading = '-- Backup of ';
/** The last line. A dump without it is incomplete. */
export const ending = 'COMMIT;';

/** The approximate size of each yielded piece, in characters. */
const pieceLength = 100_000;

const schemaQuery = `SELECT type, name, sql FROM sqlite_master
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'libsql\\_%' ESCAPE '\\'
  ORDER BY rowid`;

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Whether a text fits into a one-line SQL literal. */
const isPlain = (text: string): boolean => !/[\p{Cc}]/u.test(text);

/** A value as an SQL literal. Text with control characters is written as bytes. */
function literal(value: WireValue): string {
  switch (value.type) {
    case 'null':
      return 'NULL';
    case 'integer':
      return value.value;
    case 'float':
      return String(value.value);
    case 'text':
      return isPlain(value.value)
        ? `'${value.value.replaceAll("'", "''")}'`
        : `CAST(X'${toHex(new TextEncoder().encode(value.value))}' AS TEXT)`;
    case 'blob':
      return `X'${toHex(fromBase64Url(value.base64))}'`;
  }
}

const insertOf = (table: string, { columns, values }: CursorRow): string =>
  `INSERT INTO ${quoteName(table)} (${columns.map(quoteName).join(', ')}) VALUES (${values.map(literal).join(', ')});\n`;

interface Schema {
  readonly tables: readonly { readonly name: string; readonly create: string }[];
  /** Statements of indexes, full-text indexes, triggers and views. */
  readonly later: readonly string[];
}

/** @param rows the result of `schemaQuery` */
function toSchema(rows: readonly CursorRow[]): Schema {
  const objects = rows.map(({ values }) => {
    const [type = '', name = '', sql = ''] = values.map((value) =>
      value.type === 'text' ? value.value : '',
    );
    const isSearch = /^CREATE VIRTUAL TABLE/i.test(sql);
    return {
      isTable: type === 'table' && !isSearch,
      isSearch,
      name,
      create: `${sql.replaceAll(/\s+/g, ' ')};`,
    };
  });
  // A full-text index creates its own shadow tables, and indexes the rows of another table.
  const searches = objects.filter(({ isSearch }) => isSearch).map(({ name }) => `${name}_`);
  const own = objects.filter(({ name }) => !searches.some((search) => name.startsWith(search)));
  return {
    tables: own.filter(({ isTable }) => isTable),
    later: own.filter(({ isTable }) => !isTable).map(({ create }) => create),
  };
}

async function readSchema(env: DatabaseSettings, signal: AbortSignal | undefined): Promise<Schema> {
  const rows: CursorRow[] = [];
  for await (const some of readByCursor(env, [schemaQuery], signal)) rows.push(...some);
  return toSchema(rows);
}

/**
 * Reads a database of any size.
 * @param at the time to write into the dump, in ms
 * @param signal aborts the read
 * @returns the dump in pieces
 * @throws if the database does not respond, or if its schema changes during the read
 */
export async function* dumpDatabase(
  env: DatabaseSettings,
  at: number = Date.now(),
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const schema = await readSchema(env, signal);
  const tables = schema.tables.filter(({ name }) => !withoutRows.some((one) => one === name));
  let text = [
    ...opening,
    `${heading}${new Date(at).toISOString()}`,
    ...schema.tables.map(({ create }) => create),
    '',
  ].join('\n');
  const selects = tables.map(({ name }) => `SELECT * FROM ${quoteName(name)}`);
  const sameSchema: CursorRow[] = [];
  for await (const rows of readByCursor(env, [...selects, schemaQuery], signal)) {
    for (const row of rows) {
      const table = tables[row.statement];
      if (table) text += insertOf(table.name, row);
      else sameSchema.push(row);
    }
    if (text.length < pieceLength) continue;
    yield text;
    text = '';
  }
  if (JSON.stringify(toSchema(sameSchema)) !== JSON.stringify(schema))
    throw new Error('The schema was changed while the backup was made.');
  yield [text + schema.later.join('\n'), ending, ''].join('\n');
}
