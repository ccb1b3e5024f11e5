/** A statement that failed: reported in its place in the results, the stream lives on. Source of texts and codes: sqld. */
export class SqlError extends Error {
  readonly code: string;

  /** @param code what the client puts in `LibsqlError.code`, such as `SQLITE_CONSTRAINT` */
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** The write lock is held by another connection; nothing was done, so the statement may be tried again. */
export class LockedError extends SqlError {
  constructor() {
    super('SQLite error: database is locked', 'SQLITE_BUSY');
  }
}

/** The rows of a request outgrew what one answer may hold: the request fails as a whole, the stream lives on. */
export class ResponseTooLargeError extends SqlError {
  constructor() {
    super('Response is too large', 'RESPONSE_TOO_LARGE');
  }
}

/** A request that no correct client sends: answered with status 400 and plain text, and the stream ends. */
export class ProtocolError extends Error {}

/** A baton that came too late: answered with status 400 and this message and code as JSON, as sqld does. */
export class StreamExpiredError extends Error {
  readonly code = 'STREAM_EXPIRED';

  constructor() {
    super('The stream has expired due to inactivity');
  }
}
