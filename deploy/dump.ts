/**
 * A database as SQL text and back: what a backup is. Each statement stands on a line of its own, so that SQLite's and
 * Turso's own tools read it too (`turso db create --from-dump`).
 */
import type { Client, InValue } from '@libsql/client';
import { asText } from '#worker/content/reader.ts';
import { toHex } from '#contract/ids.ts';

/** How many statements are sent at once while loading. */
const chunkLength = 500;

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Whether a text can stand in a literal on one line. */
const isPlain = (text: string) => !/[\p{Cc}]/u.test(text);

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

/** The first line of a dump says when it was begun. */
const heading = '-- Backup of ';
const keysOff = 'PRAGMA foreign_keys=OFF;';

/** Everything in a database as one moment saw it: tables, rows in their order, then indexes. One statement a line. */
export async function dump(client: Client): Promise<string> {
  const reading = await client.transaction('read');
  try {
    const { rows: schema } = await reading.execute(
      `SELECT type, name, sql FROM sqlite_master
       WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'libsql\\_%' ESCAPE '\\'
       ORDER BY type = 'table' DESC, rowid`,
    );
    // Rows come table by table, not in the order in which they refer to one another.
    const lines = [heading + new Date().toISOString(), keysOff];
    const later: string[] = [];
    for (const { type, name, sql } of schema) {
      const statement = `${asText(sql).replaceAll(/\s+/g, ' ')};`;
      if (type !== 'table') {
        later.push(statement);
        continue;
      }
      lines.push(statement);
      const table = quoteName(asText(name));
      const { rows, columns } = await reading.execute(`SELECT * FROM ${table} ORDER BY rowid`);
      const into = `INSERT INTO ${table} (${columns.map(quoteName).join(', ')}) VALUES`;
      for (const row of rows)
        lines.push(`${into} (${columns.map((_, index) => literal(row[index])).join(', ')});`);
    }
    return [...lines, ...later, ''].join('\n');
  } finally {
    reading.close();
  }
}

/**
 * Loads a dump into a new database.
 * @returns when the dump was begun, in ms
 * @throws when this is no dump, or there is anything in the database already; nothing is changed then
 */
export async function load(client: Client, text: string): Promise<number> {
  const [first = '', ...lines] = text.split('\n');
  const begunAt = first.startsWith(heading) ? Date.parse(first.slice(heading.length)) : NaN;
  if (Number.isNaN(begunAt)) throw new Error('This file is not a backup: its first line does not say so.');
  const { rows } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1");
  if (rows.length > 0)
    throw new Error('This database holds something already. A backup is only ever loaded into a new one.');
  const statements = lines.filter((line) => line !== '' && line !== keysOff);
  for (let start = 0; start < statements.length; start += chunkLength)
    await client.migrate(statements.slice(start, start + chunkLength));
  return begunAt;
}
