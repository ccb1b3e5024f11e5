/**
 * Finds full scans: the tables or indexes that the database reads from end to end for some queries. On a million
 * rows, each scan is slow.
 */
import type { Client, InStatement } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import type { Database } from '#worker/db/client.ts';

/** @returns the lines of the query plans that scan a table or one of its indexes, each once */
export async function findFullScans(
  db: Database,
  read: (db: Database) => Promise<unknown>,
): Promise<string[]> {
  const asked: InStatement[] = [];
  const client = new Proxy(db.$client, {
    get(target, name: keyof Client) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (statement: InStatement | readonly InStatement[], ...rest: unknown[]): unknown => {
        if (name === 'execute' || name === 'batch') asked.push(...[statement].flat());
        return Reflect.apply(value, target, [statement, ...rest]);
      };
    },
  });
  await read(drizzle(client));
  const scans = new Set<string>();
  for (const statement of asked) {
    const { sql, args } = statement as { sql: string; args: [] };
    const { rows } = await db.$client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
    for (const { detail } of rows)
      if (typeof detail === 'string' && /^SCAN (?!CONSTANT|\()/.test(detail)) scans.add(detail);
  }
  return [...scans];
}
