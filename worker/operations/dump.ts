/**
 * A database as SQL text, the format of backups. Each statement is one line, so that SQLite's and Turso's own tools
 * read it too (`turso db create --from-dump`). Turso refuses results over 10 MB and ends a transaction after 5 seconds,
 * so rows are read in pages, each by a statement of its own; at the end the dump checks whether anything changed
 * meanwhile. The state between two pages is plain data, so that another run can continue from there.
 * https://docs.turso.tech/help/usage-and-billing, https://docs.turso.tech/reference/client-access
 */
import { createHash } from 'node:crypto';
import type { Client, InStatement, InValue } from '@libsql/client/web';
import { toHex } from '#contract/ids.ts';

/** What one page's values take, in bytes; a single row may take more. */
const pageBytes = 1_000_000;
/** Most rows of a page. */
const pageRows = 500;

/**
 * Tables that a backup contains without their rows: those that grant access, counters of the last hour, and pages,
 * which are rendered again from the content.
 */
export const withoutRows = [
  'sessions',
  'account_tokens',
  'invitations',
  'preview_links',
  'attempts',
  'pages',
  'page_sets',
] as const;

/**
 * Tables that are read first because they record changes to others. If a change arrives in between, the backup has its
 * effect without its record, and its number stays free; the other way round, no later change could use that number.
 */
export const readFirst = [
  'publications',
  'content_history',
  'setting_events',
  'audit_events',
  'password_changes',
  'inbox_events',
  'payments',
  'refunds',
  'ledger',
  'order_events',
  'conversation_messages',
] as const;

type Key = readonly (string | number)[];

interface Table {
  readonly name: string;
  readonly create: string;
  readonly columns: readonly string[];
  /** The order of its rows: by `rowid`, or by the primary key of a table without one. */
  readonly keys: readonly string[];
}

interface Schema {
  readonly tables: readonly Table[];
  /** Statements of indexes, full-text indexes, triggers and views. */
  readonly later: readonly string[];
}

/** How far a dump has come. */
export interface DumpState {
  /** Time in ms. */
  readonly begunAt: number;
  /** The schema when the dump began. */
  readonly schema: string;
  /** The last key of each table when the dump began, up to which it is read; null for a table that is not read. */
  readonly upTo: readonly (string | number | null)[];
  /** The table that is being read, and the key of the last row that was read. */
  readonly table: number;
  readonly after: Key | null;
  /** How it ended: whether something changed while it was made. */
  readonly end?: 'complete' | 'changed' | undefined;
}

/** The first line of a dump says when it was begun, the last one that it is whole. */
export const heading = '-- Backup of ';
export const endings = {
  complete: '-- Complete.',
  changed: '-- Complete. Something was changed while it was made.',
} as const;
export const keysOff = 'PRAGMA foreign_keys=OFF;';

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Whether a text fits in an SQL literal on one line. */
const isPlain = (text: string): boolean => !/[\p{Cc}]/u.test(text);

/** A value as an SQL literal; text with control characters as the bytes it has. */
function literal(value: InValue | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string')
    return isPlain(value)
      ? `'${value.replaceAll("'", "''")}'`
      : `CAST(X'${toHex(new TextEncoder().encode(value))}' AS TEXT)`;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof ArrayBuffer) return `X'${toHex(new Uint8Array(value))}'`;
  throw new TypeError('A column holds a value that SQLite does not know.');
}

/** Whether a statement makes a full-text index. */
const isSearch = (statement: unknown): boolean => /^CREATE VIRTUAL TABLE/i.test(textOf(statement));

const hashOf = (schema: Schema): string => createHash('sha256').update(JSON.stringify(schema)).digest('hex');

const rank = (name: string): number => {
  const place = readFirst.findIndex((one) => one === name);
  return place === -1 ? readFirst.length : place;
};

async function readSchema(client: Client): Promise<Schema> {
  const [objects, columns] = await client.batch(
    [
      `SELECT type, name, sql FROM sqlite_master
       WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'libsql\\_%' ESCAPE '\\'
       ORDER BY rowid`,
      `SELECT of.name AS "table", info.name AS name, info.pk AS pk FROM sqlite_master AS of, pragma_table_info(of.name) AS info
       WHERE of.type = 'table' ORDER BY of.rowid, info.cid`,
    ],
    'read',
  );
  const statements = (objects?.rows ?? []).map(({ type, name, sql }) => ({
    isTable: type === 'table' && !isSearch(sql),
    name: textOf(name),
    sql: `${textOf(sql).replaceAll(/\s+/g, ' ')};`,
  }));
  // Their tables are made with them, and their rows from others by `rebuild`.
  const searches = (objects?.rows ?? []).filter(({ sql }) => isSearch(sql)).map(({ name }) => textOf(name));
  const columnsOf = Map.groupBy(columns?.rows ?? [], ({ table }) => table);
  const tables = statements
    .filter(({ isTable, name }) => isTable && !searches.some((search) => name.startsWith(`${search}_`)))
    .map(({ name, sql }): Table => {
      const own = columnsOf.get(name) ?? [];
      const primary = own
        .filter(({ pk }) => Number(pk) > 0)
        .toSorted((one, other) => Number(one['pk']) - Number(other['pk']));
      return {
        name,
        create: sql,
        columns: own.map((column) => quoteName(textOf(column['name']))),
        keys: /\bWITHOUT\s+ROWID\b[^)]*$/i.test(sql)
          ? primary.map((column) => quoteName(textOf(column['name'])))
          : ['rowid'],
      };
    });
  return {
    tables: tables.toSorted((one, other) => rank(one.name) - rank(other.name)),
    later: statements.filter(({ isTable }) => !isTable).map(({ sql }) => sql),
  };
}

const asKey = (value: unknown): string | number => (typeof value === 'string' ? value : Number(value));

/**
 * The last key of each table; null where it is empty or left out. Every change that matters adds a row to some table,
 * at least to a history, so different keys mean that something changed. The cost does not depend on the size.
 */
async function readLastKeys(client: Client, { tables }: Schema): Promise<(string | number | null)[]> {
  const queries = tables.map(({ name, keys }) =>
    withoutRows.some((one) => one === name)
      ? 'NULL'
      : `(SELECT max(${keys[0] ?? 'rowid'}) FROM ${quoteName(name)})`,
  );
  const { rows } = await client.execute(`SELECT ${queries.join(', ')}`);
  return tables.map((_, index) => {
    const value = rows[0]?.[index] ?? null;
    return value === null ? null : asKey(value);
  });
}

/** The next page of a table: as many rows as fit, one at least. */
function pageQuery({ name, columns, keys }: Table, after: Key | null, upTo: string | number): InStatement {
  const from = quoteName(name);
  const order = keys.join(', ');
  const beyond = `WHERE ${keys[0] ?? ''} <= ?${after === null ? '' : ` AND (${order}) > (${keys.map(() => '?').join(', ')})`}`;
  const bytes = columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ');
  const rows = `SELECT ${order}, ${bytes} AS "bytes of the row" FROM ${from} ${beyond} ORDER BY ${order} LIMIT ${pageRows}`;
  const sizes = `SELECT sum("bytes of the row") OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS size FROM (${rows})`;
  return {
    sql: `SELECT ${[...columns, ...keys].join(', ')} FROM ${from} ${beyond} ORDER BY ${order}
      LIMIT (SELECT max(1, count(*)) FROM (${sizes}) WHERE size <= ${pageBytes})`,
    args: [upTo, ...(after ?? []), upTo, ...(after ?? [])],
  };
}

/** One page of a table as statements; `last` is the key of its last row, null at the table's end. */
async function readPage(
  client: Client,
  table: Table,
  after: Key | null,
  upTo: string | number,
): Promise<{ readonly text: string; readonly last: Key | null }> {
  const { name, columns, keys } = table;
  const { rows } = await client.execute(pageQuery(table, after, upTo));
  const into = `INSERT INTO ${quoteName(name)} (${columns.join(', ')}) VALUES`;
  const lines = rows.map(
    (row) => `${into} (${columns.map((_, index) => literal(row[index])).join(', ')});\n`,
  );
  const last = rows.at(-1);
  return {
    text: lines.join(''),
    last: last ? keys.map((_, index) => asKey(last[columns.length + index])) : null,
  };
}

/** Begins a dump; nothing of it is read yet. */
export async function beginDump(client: Client): Promise<DumpState> {
  const begunAt = Date.now();
  const schema = await readSchema(client);
  return {
    begunAt,
    schema: hashOf(schema),
    upTo: await readLastKeys(client, schema),
    table: 0,
    after: null,
  };
}

/**
 * Continues a dump: yields its text in pieces of about a megabyte, each with the state after it. The last one says how
 * it ended.
 * @throws when the schema has changed since it began
 */
export async function* continueDump(
  client: Client,
  from: DumpState,
): AsyncGenerator<{ readonly text: string; readonly state: DumpState }> {
  const schema = await readSchema(client);
  if (hashOf(schema) !== from.schema) throw new Error('The schema was changed while the backup was made.');
  let state = from;
  // The text before the next rows is written once, even if a later run continues here.
  let text =
    state.table === 0 && state.after === null
      ? `${heading}${new Date(state.begunAt).toISOString()}\n${keysOff}\n`
      : '';
  for (const [index, table] of schema.tables.entries()) {
    if (index < state.table) continue;
    if (state.after === null) text += `${table.create}\n`;
    const upTo = from.upTo[index] ?? null;
    while (upTo !== null) {
      const page = await readPage(client, table, state.after, upTo);
      if (page.last === null) break;
      state = { ...state, after: page.last };
      yield { text: text + page.text, state };
      text = '';
    }
    state = { ...state, table: index + 1, after: null };
  }
  const now = await readLastKeys(client, schema);
  const end = from.upTo.every((key, index) => key === now[index]) ? 'complete' : 'changed';
  yield { text: [text + schema.later.join('\n'), endings[end], ''].join('\n'), state: { ...state, end } };
}
