/**
 * The database: Drizzle over the libSQL client. One client a request, because the HTTP client's queue lives on it and
 * a Worker may not use one request's connection in another.
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
 * How long one answer of the database may take, in ms; even some hundred writes that wait for each other take less. A
 * statement that timed out may have been executed all the same, as when the connection is cut.
 */
const answerLimitMs = 30_000;

/** The settings that name a database. */
export type DatabaseSettings = Pick<Env, 'TURSO_DATABASE_URL' | 'TURSO_AUTH_TOKEN'>;

const openClient = (env: DatabaseSettings): Client =>
  createClient({
    url: env.TURSO_DATABASE_URL,
    fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(answerLimitMs) }),
    ...(env.TURSO_AUTH_TOKEN && { authToken: env.TURSO_AUTH_TOKEN }),
  });

/** Opens the database that the settings name. */
export const openDatabase = (env: DatabaseSettings): Database => drizzle(openClient(env));

type BatchStatements = Parameters<Client['batch']>[0];

/** A client with some methods replaced. */
const withMethods = (client: Client, own: Partial<Record<keyof Client, unknown>>): Client =>
  new Proxy(client, {
    get(target, name) {
      const value: unknown = name in own ? own[name as keyof Client] : Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

const isRead = (statement: InStatement): boolean =>
  /^\s*select\b/i.test(typeof statement === 'string' ? statement : statement.sql);

const resultAt = (results: readonly ResultSet[], index: number): ResultSet => {
  const result = results[index];
  if (!result) throw new Error('The database answered fewer results than it was asked for.');
  return result;
};

/** Reads that wait to be sent with those of other jobs. */
interface WaitingRead {
  readonly statements: BatchStatements;
  readonly take: (results: Promise<ResultSet[]>) => void;
}

/**
 * Opens the database for jobs that run side by side. Reads that they begin in the same turn of the event loop are sent in
 * one batch: the DataLoader pattern (https://github.com/graphql/dataloader#batching). If the batch fails, each job's reads
 * are sent by themselves, so a job whose read fails stops no other job.
 */
export function openBatchingDatabase(env: DatabaseSettings): Database {
  const client = openClient(env);
  let waiting: WaitingRead[] = [];
  async function send(): Promise<void> {
    const taken = waiting;
    waiting = [];
    const reading = client.batch(
      taken.flatMap(({ statements }) => statements),
      'read',
    );
    const isDone = await reading.then(
      () => true,
      () => false,
    );
    let end = 0;
    for (const { statements, take } of taken) {
      const [from, to] = [end, end + statements.length];
      end = to;
      const isTheirs = isDone || taken.length === 1;
      take(isTheirs ? reading.then((all) => all.slice(from, to)) : client.batch(statements, 'read'));
    }
  }
  const read = (statements: BatchStatements) =>
    new Promise<ResultSet[]>((take) => {
      if (waiting.length === 0) setTimeout(() => void send(), 0);
      waiting.push({ statements, take });
    });
  const execute = async (statement: InStatement) =>
    isRead(statement) ? resultAt(await read([statement]), 0) : client.execute(statement);
  const batch = (statements: BatchStatements, mode?: TransactionMode) =>
    mode === 'read' ? read(statements) : client.batch(statements, mode);
  return drizzle(withMethods(client, { execute, batch }));
}

/** Runs independent reads in one round trip, on one state of the database. @returns the rows of each */
export const readTogether = async <const Q extends readonly [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]]>(
  db: Database,
  queries: Q,
): Promise<BatchResponse<Q>> => drizzle(batchingClient(db.$client, 'read')).batch(queries);

/** The same for batches that also write: one transaction that takes the write lock first. */
export const writeTogether = async <const Q extends readonly [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]]>(
  db: Database,
  queries: Q,
): Promise<BatchResponse<Q>> => drizzle(batchingClient(db.$client, 'write')).batch(queries);

/** Drizzle's own `batch` names no mode, which opens a transaction that may write; this names one. */
const batchingClient = (client: Client, mode: TransactionMode): Client =>
  withMethods(client, { batch: (statements: BatchStatements) => client.batch(statements, mode) });

/**
 * Writes several statements as one transaction that takes the write lock first: all or none. Drizzle's own `batch`
 * opens a deferred transaction, which loses contended batches to SQLITE_BUSY.
 * @returns rows affected by each statement
 */
export async function writeBatch(db: Database, statements: readonly Statement[]): Promise<number[]> {
  const results = await runBatch(db, statements);
  return results.map((result) => result.rowsAffected);
}

/** The same, with the full results. */
export const runBatch = (db: Database, statements: readonly Statement[]): Promise<ResultSet[]> =>
  db.$client.batch(statements.map(toLibsql), 'write');

/** A Drizzle query as the libSQL client takes it. */
export function toLibsql(statement: Statement): { sql: string; args: (string | number | null)[] } {
  const { sql, params } = statement.toSQL();
  return { sql, args: params as (string | number | null)[] };
}

/** Code and message of a refusal of the database whose code begins so; empty for other errors. */
function refusalOf(error: unknown, family: 'SQLITE_CONSTRAINT' | 'SQLITE_BUSY'): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && cause.code.startsWith(family))
      return `${cause.code} ${cause.message}`;
  }
  return '';
}

/**
 * The constraint that made the database refuse a write; empty for other errors. Turso's server names it in the message,
 * and only the family in the code.
 */
const violatedConstraint = (error: unknown): string => refusalOf(error, 'SQLITE_CONSTRAINT');

/**
 * Whether a batch never got its turn to write, because others had it for too long. Nothing of the batch was written.
 * https://www.sqlite.org/rescode.html#busy
 */
export const isBusy = (error: unknown): boolean => refusalOf(error, 'SQLITE_BUSY') !== '';

/** Whether a write failed because a unique or primary key was already there. @param index the name of one, to ask for it alone */
export const isUniqueViolation = (error: unknown, index = ''): boolean => {
  const violated = violatedConstraint(error);
  return /UNIQUE constraint|PRIMARYKEY|PRIMARY KEY/i.test(violated) && violated.includes(index);
};

/** Whether a write failed because an assertion of this kind (assert.ts) did not hold. Nothing of its batch was written. */
export const isFailedAssertion = (error: unknown, kind: AssertionKind): boolean =>
  violatedConstraint(error).includes(`CHECK constraint failed: ${constraintOf(kind)}`);

/**
 * Runs a batch that other requests may make impossible: what it builds on stands in it, as a primary key or as an
 * assertion (assert.ts).
 * @param kind of the assertions that are a conflict; if one of another kind fails, this throws
 * @returns false when another write came first, and then nothing was written
 */
export const writeUnlessConflict = async (
  db: Database,
  statements: readonly Statement[],
  kind: AssertionKind = 'unchanged',
): Promise<boolean> => (await runUnlessConflict(db, statements, kind)) !== undefined;

/** The same, with what each statement answers; undefined when another write came first. */
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
 * Reads, decides and writes, again and again until no concurrent write came between.
 * @param attempt answers undefined when another write came first
 * @param tooBusy the error after too many tries
 */
export async function untilWritten<T>(
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
