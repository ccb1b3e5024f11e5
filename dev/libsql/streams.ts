/**
 * Streams: a connection that a client keeps from request to request, for example during a transaction. HTTP has no such
 * concept, so every response contains a baton, which is valid only for the next request. A stream that no request
 * continues is rolled back.
 */
import { randomUUID } from 'node:crypto';
import { type Connection, type ConnectionPool } from './connection.ts';
import { LockedError, ProtocolError, StreamExpiredError } from './errors.ts';
import { type SqlReference } from './protocol.ts';

/** How long a stream waits for its next request before it is rolled back and expires (Turso's limit). */
const STREAM_IDLE_MS = 10_000;
/**
 * How long an interactive transaction may last. Turso's documentation says that it is then aborted. sqld aborts it once
 * another writer waits. https://docs.turso.tech/reference/client-access
 */
const TRANSACTION_MAX_MS = 5_000;
/** A statement that has waited this long for the write lock fails with SQLITE_BUSY. */
const LOCK_WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 5;
/** How long the baton of an expired stream is distinguished from an unknown one. */
const REMEMBER_EXPIRED_MS = 300_000;

export class Stream {
  /** True once the connection is returned. */
  isClosed = false;
  readonly #pool: ConnectionPool;
  readonly #closing: AbortSignal;
  readonly #storedSql = new Map<number, string>();
  #connection: Connection | null = null;
  #hasTimedOut = false;
  /** When the open transaction times out, on the clock of `performance`. */
  #transactionEnd: number | undefined;
  #transactionTimer: NodeJS.Timeout | undefined;

  /** @param closing ends every wait for the write lock */
  constructor(pool: ConnectionPool, closing: AbortSignal) {
    this.#pool = pool;
    this.#closing = closing;
  }

  get inTransaction(): boolean {
    return this.#connection?.inTransaction ?? false;
  }

  /**
   * The stream's own connection, acquired on first use.
   * @throws {ProtocolError} after a close
   */
  get connection(): Connection {
    if (this.isClosed) throw new ProtocolError('Stream for this baton was closed');
    this.#connection ??= this.#pool.acquire();
    return this.#connection;
  }

  /**
   * Runs one statement. SQLite lets one connection write at a time. If another stream holds a transaction open between
   * its requests, this keeps retrying without blocking the event loop.
   */
  async run<T>(work: (connection: Connection) => T, signal: AbortSignal): Promise<T> {
    const deadline = performance.now() + LOCK_WAIT_MS;
    for (;;) {
      try {
        return work(this.connection);
      } catch (error) {
        if (!(error instanceof LockedError) || performance.now() >= deadline) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      // No one is waiting anymore.
      if (signal.aborted || this.#closing.aborted) throw new LockedError();
    }
  }

  /** Whether a transaction of the stream has timed out since the last call. */
  takeTimeOut(): boolean {
    const hasTimedOut = this.#hasTimedOut;
    this.#hasTimedOut = false;
    return hasTimedOut;
  }

  /** Stores a text under an id that later statements refer to. */
  storeSql(id: number, sql: string): void {
    if (this.#storedSql.has(id)) throw new ProtocolError(`SQL text ${id} already exists`);
    this.#storedSql.set(id, sql);
  }

  closeSql(id: number): void {
    this.#storedSql.delete(id);
  }

  /** The text that a request contains, or refers to by id. */
  findSql({ sql = null, sql_id: id = null }: SqlReference): string {
    if (sql !== null && id !== null) {
      throw new ProtocolError('Either `sql` or `sql_id` are required, but not both');
    }
    if (sql !== null) return sql;
    if (id === null) throw new ProtocolError('Either `sql` or `sql_id` are required');
    const stored = this.#storedSql.get(id);
    if (stored === undefined) throw new ProtocolError(`SQL text ${id} not found`);
    return stored;
  }

  /** Begins a request. The transaction cannot time out during the request. */
  resume(): void {
    clearTimeout(this.#transactionTimer);
  }

  /** Leaves the stream idle until its next request. */
  pause(): void {
    if (this.inTransaction) {
      this.#transactionEnd ??= performance.now() + TRANSACTION_MAX_MS;
      const restMs = this.#transactionEnd - performance.now();
      this.#transactionTimer = setTimeout(() => this.#timeOut(), restMs);
    } else {
      this.#transactionEnd = undefined;
    }
  }

  /** Ends the stream and rolls back an open transaction. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.#transactionTimer);
    if (this.#connection !== null) this.#pool.release(this.#connection);
    this.#connection = null;
  }

  #timeOut(): void {
    this.#connection?.rollBack();
    this.#hasTimedOut = true;
    this.#transactionEnd = undefined;
  }
}

/** The streams that are open between requests. Each response gives its stream a new unguessable baton. */
export class StreamTable {
  readonly #open: () => Stream;
  /** The idle streams by their batons; null for an expired stream. */
  readonly #idle = new Map<string, Stream | null>();

  constructor(open: () => Stream) {
    this.#open = open;
  }

  /**
   * Runs a request's work on the stream of a baton, or on a new stream, and returns the baton for the next request. The
   * baton is null if the work closed the stream. If the work throws, the stream ends.
   * @throws {ProtocolError} if the baton is unknown or was used before
   * @throws {StreamExpiredError} if it arrived too late
   */
  async use<T>(
    baton: string | null,
    work: (stream: Stream) => Promise<T>,
  ): Promise<{ result: T; baton: string | null }> {
    const stream = baton === null ? this.#open() : this.#take(baton);
    try {
      const result = await work(stream);
      return { result, baton: stream.isClosed ? null : this.#keep(stream) };
    } catch (error) {
      stream.close();
      throw error;
    }
  }

  /** Ends every stream that no request is using. */
  close(): void {
    for (const stream of this.#idle.values()) stream?.close();
    this.#idle.clear();
  }

  #take(baton: string): Stream {
    const stream = this.#idle.get(baton);
    if (stream === undefined) throw new ProtocolError('Received an invalid baton');
    if (stream === null) throw new StreamExpiredError();
    this.#idle.delete(baton);
    stream.resume();
    return stream;
  }

  #keep(stream: Stream): string {
    stream.pause();
    const baton = randomUUID();
    this.#idle.set(baton, stream);
    setTimeout(() => this.#expire(baton), STREAM_IDLE_MS).unref();
    return baton;
  }

  /** Ends a stream that no request has continued. */
  #expire(baton: string): void {
    const stream = this.#idle.get(baton);
    if (!stream) return;
    stream.close();
    this.#idle.set(baton, null);
    setTimeout(() => this.#idle.delete(baton), REMEMBER_EXPIRED_MS).unref();
  }
}
