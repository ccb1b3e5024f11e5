/**
 * The database: Drizzle over the libSQL client. One client a request, because the HTTP client's queue lives on it and
 * a Worker may not use one request's connection in another.
 */
import { createClient, type Client } from '@libsql/client/web';
import type { Query } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { drizzle } from 'drizzle-orm/libsql/web';
import type { Env } from '../env.ts';

export type Database = LibSQLDatabase & { readonly $client: Client };

/** A Drizzle query that has not run yet. */
export interface Statement {
  toSQL(): Query;
}

/** Opens the database that the settings name. */
export function openDatabase(env: Pick<Env, 'TURSO_DATABASE_URL' | 'TURSO_AUTH_TOKEN'>): Database {
  const client = createClient({
    url: env.TURSO_DATABASE_URL,
    ...(env.TURSO_AUTH_TOKEN && { authToken: env.TURSO_AUTH_TOKEN }),
  });
  return drizzle(client);
}

/**
 * Writes several statements as one transaction that takes the write lock first: all or none. Drizzle's own `batch`
 * opens a deferred transaction, which loses contended batches to SQLITE_BUSY.
 * @returns rows affected by each statement
 */
export async function writeBatch(db: Database, statements: readonly Statement[]): Promise<number[]> {
  const results = await db.$client.batch(statements.map(toLibsql), 'write');
  return results.map((result) => result.rowsAffected);
}

/** A Drizzle query as the libSQL client takes it. */
export function toLibsql(statement: Statement): { sql: string; args: (string | number | null)[] } {
  const { sql, params } = statement.toSQL();
  return { sql, args: params as (string | number | null)[] };
}

/**
 * The constraint by which the database refused a write. Turso's server names it in the message and only the family,
 * SQLITE_CONSTRAINT, in the code.
 */
function violatedConstraint(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && cause.code.startsWith('SQLITE_CONSTRAINT'))
      return `${cause.code} ${cause.message}`;
  }
  return '';
}

/** Whether a write failed because a unique or primary key was already there. */
export const isUniqueViolation = (error: unknown): boolean =>
  /UNIQUE constraint|PRIMARYKEY|PRIMARY KEY/i.test(violatedConstraint(error));

/** Whether a write failed because a column that must have a value got none. @param column as `table.column` */
export const isMissingValue = (error: unknown, column: string): boolean =>
  violatedConstraint(error).includes(`NOT NULL constraint failed: ${column}`);

/** Whether a write failed because the account that its row belongs to is deleted (accounts/owner.ts). */
export const isOwnerGone = (error: unknown): boolean =>
  /NOT NULL constraint failed: \w+\.accountId\b/.test(violatedConstraint(error));
