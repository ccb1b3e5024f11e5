/**
 * The database: Drizzle over the libSQL client. Each request opens its own client, because a client queues HTTP calls,
 * and a Worker may not use another request's connection.
 */
import {
  createClient,
  type Client,
  type InStatement,
  type ResultSet,
  type TransactionMode,
} from '@libsql/client/http';
import type { Query } from 'drizzle-orm';
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { drizzle } from 'drizzle-orm/libsql/http';
import type { Env } from '../env.ts';
import { constraintOf, type AssertionKind } from './schema.ts';

export type Database = LibSQLDatabase & { readonly $client: Client };

/** A Drizzle query that has not run yet. */
export interface Statement {
  toSQL(): Query;
}

/**
 * The timeout of a request to the database, in ms. Hundreds of queued writes take less. The database may have executed
 * a statement that timed out, just as when the connection breaks.
 */
const answerLimitMs = 30_000;

export type DatabaseSettings = Pick<Env, 'TURSO_DATABASE_URL' | 'TURSO_AUTH_TOKEN'>;

const openClient = (env: DatabaseSettings): Client =>
  createClient({
    url: env.TURSO_DATABASE_URL,
    fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(answerLimitMs) }),
    ...(env.TURSO_AUTH_TOKEN && { authToken: env.TURSO_AUTH_TOKEN }),
  });

export const openDatabase = (env: DatabaseSettings): Database => drizzle(openClient(env));

type BatchStatements = Parameters<Client['batch']>[0];

/** A client with some methods replaced. */
const withMethods = (client: Client, replaced: Partial<Client>): Client =>
  new Proxy(client, {
    get(target, name: keyof Client) {
      const value: unknown = replaced[name] ?? target[name];
      // Methods of the client use its private fields, which the proxy does not have.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

const isRead = (statement: InStatement): boolean =>
  /^\s*select\b/i.test(typeof statement === 'string' ? statement : statement.sql);

const resultAt = (results: readonly ResultSet[], index: number): ResultSet => {
  const result = results[index];
  if (!result) throw new Error('The database returned fewer results than it was asked for.');
  return result;
};

/** Reads that will be sent in one batch with those of other jobs. */
interface PendingRead {
  readonly statements: BatchStatements;
  readonly resolve: (results: Promise<ResultSet[]>) => void;
}

/**
 * Opens the database for concurrent jobs. Reads that start in the same turn of the event loop are sent in one batch:
 * the DataLoader pattern (https://github.com/graphql/dataloader#batching). If the batch fails, the reads of each job
 * are sent separately, so that a failed read affects only its own job.
 */
export function openBatchingDatabase(env: DatabaseSettings): Database {
  const client = openClient(env);
  let pending: PendingRead[] = [];
  async function send(): Promise<void> {
    const reads = pending;
    pending = [];
    const reading = client.batch(
      reads.flatMap(({ statements }) => statements),
      'read',
    );
    const hasSucceeded = await reading.then(
      () => true,
      () => false,
    );
    let end = 0;
    for (const { statements, resolve } of reads) {
      const [from, to] = [end, end + statements.length];
      end = to;
      const isFinal = hasSucceeded || reads.length === 1;
      resolve(isFinal ? reading.then((all) => all.slice(from, to)) : client.batch(statements, 'read'));
    }
  }
  const read = (statements: BatchStatements) =>
    new Promise<ResultSet[]>((resolve) => {
      if (pending.length === 0) setTimeout(() => void send(), 0);
      pending.push({ statements, resolve });
    });
  const execute = async (statement: InStatement) =>
    isRead(statement) ? resultAt(await read([statement]), 0) : client.execute(statement);
  const batch = (statements: BatchStatements, mode?: TransactionMode) =>
    mode === 'read' ? read(statements) : client.batch(statements, mode);
  return drizzle(withMethods(client, { execute, batch }));
}

/**
 * Drizzle's `batch` in a transaction of this mode. Drizzle itself passes no mode to the client, so any batch could
 * write.
 */
const batchAs =
  (mode: TransactionMode) =>
  async <const Q extends readonly [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]]>(
    { $client }: Database,
    queries: Q,
  ): Promise<BatchResponse<Q>> => {
    const batch = (statements: BatchStatements) => $client.batch(statements, mode);
    return drizzle(withMethods($client, { batch })).batch(queries);
  };

/** Runs several reads in one round trip and one read transaction. @returns the rows of each */
export const readTogether = batchAs('read');

/** Runs a batch that also writes, as one transaction that takes the write lock first. @returns the rows of each */
export const writeTogether = batchAs('write');

/**
 * Writes all statements or none, as one transaction that takes the write lock first. Drizzle's own `batch` opens a
 * deferred transaction, which fails with SQLITE_BUSY under contention.
 * @returns the number of rows that each statement affected
 */
export async function writeBatch(db: Database, statements: readonly Statement[]): Promise<number[]> {
  const results = await runBatch(db, statements);
  return results.map((result) => result.rowsAffected);
}

/** Like `writeBatch`, with the full results. */
const runBatch = (db: Database, statements: readonly Statement[]): Promise<ResultSet[]> =>
  db.$client.batch(statements.map(toLibsql), 'write');

function toLibsql(statement: Statement): { sql: string; args: (string | number | null)[] } {
  const { sql, params } = statement.toSQL();
  return { sql, args: params as (string | number | null)[] };
}

/** The code and message of a database error whose code begins with `family`; empty for other errors. */
function databaseErrorOf(error: unknown, family: 'SQLITE_CONSTRAINT' | 'SQLITE_BUSY'): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && cause.code.startsWith(family))
      return `${cause.code} ${cause.message}`;
  }
  return '';
}

/**
 * The constraint that a write violated; empty for other errors. Turso's server names the constraint only in the
 * message. The code contains only the family.
 */
const violatedConstraint = (error: unknown): string => databaseErrorOf(error, 'SQLITE_CONSTRAINT');

/**
 * Whether a batch could not get the write lock in time. It wrote nothing.
 * https://www.sqlite.org/rescode.html#busy
 */
export const isBusy = (error: unknown): boolean => databaseErrorOf(error, 'SQLITE_BUSY') !== '';

/** Whether a write violated a unique index or a primary key. */
export const isUniqueViolation = (error: unknown): boolean =>
  /UNIQUE constraint|PRIMARYKEY|PRIMARY KEY/i.test(violatedConstraint(error));

/** Whether a batch failed because an assertion of this kind (assert.ts) did not hold. It wrote nothing. */
export const isFailedAssertion = (error: unknown, kind: AssertionKind): boolean =>
  violatedConstraint(error).includes(`CHECK constraint failed: ${constraintOf(kind)}`);

/**
 * Runs a batch that may conflict with concurrent writes. The batch itself states what it depends on, as a primary key
 * or as an assertion (assert.ts).
 * @param kind the kind of assertion that counts as a conflict; a failed assertion of another kind throws
 * @returns false if another write came first; then the batch wrote nothing
 */
export const writeUnlessConflict = async (
  db: Database,
  statements: readonly Statement[],
  kind: AssertionKind = 'unchanged',
): Promise<boolean> => (await runUnlessConflict(db, statements, kind)) !== undefined;

/** Like `writeUnlessConflict`. @returns the results of the statements; undefined if another write came first */
export async function runUnlessConflict(
  db: Database,
  statements: readonly Statement[],
  kind: AssertionKind = 'unchanged',
): Promise<ResultSet[] | undefined> {
  try {
    return await runBatch(db, statements);
  } catch (error) {
    if (isUniqueViolation(error) || isFailedAssertion(error, kind)) return undefined;
    throw error;
  }
}

/**
 * Repeats an attempt to read, decide and write until no concurrent write interferes.
 * @param attempt returns undefined if another write came first
 * @param tooBusy creates the error to throw after the last attempt
 */
export async function retryUntilWritten<T>(
  attempt: () => Promise<T | undefined>,
  tries: number,
  tooBusy: () => Error,
): Promise<T> {
  for (let count = 0; count < tries; count += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw tooBusy();
}
