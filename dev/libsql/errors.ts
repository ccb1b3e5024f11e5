/**
 * A statement failed. The error takes the statement's place in the results, and the stream continues. Source of texts
 * and codes: sqld.
 */
export class SqlError extends Error {
  readonly code: string;

  /** @param code what the client puts into `LibsqlError.code`, such as `SQLITE_CONSTRAINT` */
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** Another connection holds the write lock. Nothing was done, so the statement may be retried. */
export class LockedError extends SqlError {
  constructor() {
    super('SQLite error: database is locked', 'SQLITE_BUSY');
  }
}

/** A request that no correct client sends. The response is status 400 with plain text, and the stream ends. */
export class ProtocolError extends Error {}

/** A baton that arrived too late. The response is status 400 with this message and code as JSON, like sqld's. */
export class StreamExpiredError extends Error {
  readonly code = 'STREAM_EXPIRED';

  constructor() {
    super('The stream has expired due to inactivity');
  }
}
