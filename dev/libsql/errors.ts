/**
 * A statement failed. The error is reported in its place in the results, and the stream continues. Source of
 * texts and codes: sqld.
 */
export class SqlError extends Error {
  readonly code: string;

  /** @param code what the client puts in `LibsqlError.code`, such as `SQLITE_CONSTRAINT` */
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** Another connection holds the write lock. Nothing was done, so the statement may be tried again. */
export class LockedError extends SqlError {
  constructor() {
    super('SQLite error: database is locked', 'SQLITE_BUSY');
  }
}

/** A request that no correct client sends. It is answered with status 400 and plain text, and the stream ends. */
export class ProtocolError extends Error {}

/** A baton that arrived too late. It is answered with status 400 and this message and code as JSON, as sqld does. */
export class StreamExpiredError extends Error {
  readonly code = 'STREAM_EXPIRED';

  constructor() {
    super('The stream has expired due to inactivity');
  }
}
