/**
 * A connection of the embedded engine that answers like Turso's server: its defaults, its results, its error codes. Two
 * limits of the engine's JavaScript interface remain. Text that is read back ends at a NUL character. Text that is not
 * UTF-8, which only a CAST of a blob produces, ends the process.
 */
import Database from 'libsql';
import { refuseUnsupported } from './analysis.ts';
import { LockedError, SqlError } from './errors.ts';
import { type StatementResult } from './protocol.ts';
import { parseStatements, type SqlStatement } from './sql-text.ts';
import { encodeValue, type EngineValue } from './values.ts';

/** The arguments of a statement: by position, or by name with or without its prefix. */
export interface Arguments {
  positional: readonly EngineValue[];
  named: ReadonlyMap<string, EngineValue>;
}

export const NO_ARGUMENTS: Arguments = { positional: [], named: new Map() };

type Prepared = ReturnType<InstanceType<typeof Database>['prepare']>;

/** Statements that cannot be prepared once: a PRAGMA does part of its work when it is prepared. */
const PREPARED_AGAIN = new Set(['pragma', 'explain']);
const MAX_PREPARED = 200;
const MAX_IDLE_CONNECTIONS = 16;

export class Connection {
  readonly #database: InstanceType<typeof Database>;
  readonly #prepared = new Map<string, Prepared>();

  /**
   * With WAL, readers continue while a writer works. With synchronous NORMAL (also sqld's default), a commit is handed
   * to the operating system without waiting for the disk. The commit survives a killed process. After a power failure,
   * the newest commits may be missing, but the database is intact. The engine never waits for a lock, because that
   * would block every other stream; `Stream.run` waits instead.
   */
  constructor(file: string) {
    this.#database = new Database(file);
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /**
   * Runs one statement to its end.
   * @throws {LockedError} if another connection holds the write lock
   * @throws {SqlError} if it failed, or its arguments do not fit
   */
  execute(statement: SqlStatement, args = NO_ARGUMENTS): StatementResult {
    refuseUnsupported(statement);
    const values = bindArguments(statement, args);
    return withEngineErrors(() => {
      const prepared = this.#prepare(statement);
      const { verb } = statement;
      const isInsert = verb === 'insert' || verb === 'replace';
      const isChange = isInsert || verb === 'update' || verb === 'delete';
      const rows = prepared.reader ? readRows(prepared, statement, values).map(encodeRow) : [];
      if (!prepared.reader) prepared.run(values);
      const { changes, rowid } = isChange ? this.#lastChange() : { changes: 0, rowid: 0n };
      return {
        // Read after the run, because SQLite recompiles a statement if the schema has changed.
        cols: prepared.reader ? describeColumns(prepared) : [],
        rows,
        affected_row_count: changes,
        last_insert_rowid: isInsert ? rowid.toString() : null,
      };
    });
  }

  rollBack(): void {
    if (this.inTransaction) this.#database.exec('ROLLBACK');
  }

  /** Prepares the connection for another stream. Statements cannot change any other setting of it. */
  reset(): void {
    this.rollBack();
    this.#database.exec('PRAGMA foreign_keys = ON');
  }

  /** Moves everything in the write-ahead log into the database file. */
  checkpoint(): void {
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.rollBack();
    this.#prepared.clear();
    this.#database.close();
  }

  #prepare({ text, verb }: Pick<SqlStatement, 'text' | 'verb'>): Prepared {
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    const prepared = this.#database.prepare(text);
    if (prepared.reader) prepared.raw().safeIntegers();
    if (!PREPARED_AGAIN.has(verb)) {
      const [oldest] = this.#prepared.size < MAX_PREPARED ? [] : this.#prepared.keys();
      if (oldest !== undefined) this.#prepared.delete(oldest);
      this.#prepared.set(text, prepared);
    }
    return prepared;
  }

  #lastChange(): { changes: number; rowid: bigint } {
    const text = 'SELECT changes(), last_insert_rowid()';
    const [row] = this.#prepare({ text, verb: 'select' }).all([]);
    const [changes, rowid] = Array.isArray(row) ? row.map((value) => BigInt(String(value))) : [];
    return { changes: Number(changes ?? 0n), rowid: rowid ?? 0n };
  }
}

/**
 * Connections to one file, opened when needed and kept for the next stream. Opening a connection costs more than most
 * statements.
 */
export class ConnectionPool {
  readonly #file: string;
  readonly #idle: Connection[] = [];
  /** Keeps the database open, and cleans up at the end. */
  readonly #own: Connection;

  constructor(file: string) {
    this.#file = file;
    this.#own = new Connection(file);
  }

  acquire(): Connection {
    return this.#idle.pop() ?? new Connection(this.#file);
  }

  /** Takes a connection back and rolls back its unfinished transaction. */
  release(connection: Connection): void {
    connection.reset();
    if (this.#idle.length < MAX_IDLE_CONNECTIONS) this.#idle.push(connection);
    else connection.close();
  }

  /** Closes the idle connections, and moves everything written into the database file itself. */
  close(): void {
    for (const connection of this.#idle.splice(0)) connection.close();
    this.#own.checkpoint();
    this.#own.close();
  }
}

/**
 * The only statement in a text, as sqld requires.
 * @throws {SqlError} if there is none, or several
 */
export function parseOneStatement(sql: string): SqlStatement {
  const [statement, second] = parseStatements(sql);
  if (statement === undefined)
    throw new SqlError('SQL string does not contain any statement', 'SQL_NO_STATEMENT');
  if (second !== undefined)
    throw new SqlError('SQL string contains more than one statement', 'SQL_MANY_STATEMENTS');
  return statement;
}

/** The values of SQLite's parameters, in order of number. */
function bindArguments({ parameters, verb }: SqlStatement, { positional, named }: Arguments): EngineValue[] {
  if (positional.length > 0 && named.size > 0) {
    throw new SqlError(
      'Specifying both positional and named arguments is not supported',
      'ARGS_BOTH_POSITIONAL_AND_NAMED',
    );
  }
  const count = positional.length + named.size;
  if (count > parameters.length) {
    throw invalidArguments(`too many parameters, expected ${parameters.length} found ${count}`);
  }
  return parameters.map((name, index) => {
    const isPositional = name === null || name.startsWith('?');
    const value = isPositional ? positional[index] : (named.get(name) ?? named.get(name.slice(1)));
    if (value !== undefined) return value;
    if (verb === 'explain') return null;
    throw invalidArguments(`value for parameter ${name ?? index + 1} not found`);
  });
}

const invalidArguments = (reason: string) =>
  new SqlError(`Arguments do not match SQL parameters: ${reason}`, 'ARGS_INVALID');

/** An EXPLAIN stays active after its last row and would block a COMMIT. `get` ends with a reset. */
function readRows(prepared: Prepared, { verb }: SqlStatement, values: EngineValue[]): unknown[] {
  const rows = prepared.all(values);
  if (verb === 'explain') prepared.get(values);
  return rows;
}

function encodeRow(row: unknown): StatementResult['rows'][number] {
  if (!Array.isArray(row)) throw new TypeError('The engine gave a row that is not an array.');
  return row.map(encodeValue);
}

const describeColumns = (prepared: Prepared): StatementResult['cols'] =>
  prepared.columns().map(({ name, type }) => ({ name, decltype: type }));

/**
 * Gives the engine's errors the text and code of sqld, which knows only SQLite's primary codes. A duplicate key,
 * for example, is `SQLITE_CONSTRAINT` with 'SQLite error: UNIQUE constraint failed: table.column'. Source:
 * libsql-server/src/hrana/stmt.rs
 */
function withEngineErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    const { message, code } = error;
    if (message === 'database is locked' && code === 'SQLITE_BUSY') throw new LockedError();
    if (/^(?:near ".*": syntax error|incomplete input|unrecognized token)/s.test(message)) {
      throw new SqlError(`SQL string could not be parsed: ${message}`, 'SQL_PARSE_ERROR');
    }
    const [primaryCode] = /^SQLITE_(?!ERROR)[A-Z]+/.exec(code) ?? ['SQLITE_UNKNOWN'];
    throw new SqlError(`SQLite error: ${message}`, primaryCode);
  }
}
