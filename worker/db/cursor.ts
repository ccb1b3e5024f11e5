/**
 * Reads any number of rows in one read transaction. The libSQL client accepts at most 10 MB per response. A cursor
 * streams its response line by line, but the client does not support cursors.
 * https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md (Execute a batch using a cursor)
 */
import { LibsqlError } from '@libsql/client/http';
import type { DatabaseSettings } from './client.ts';
import { readLines } from './lines.ts';

/** A value in the wire format. Integers are decimal strings, and blobs are base64. */
export type WireValue =
  | { readonly type: 'null' }
  | { readonly type: 'integer' | 'text'; readonly value: string }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'blob'; readonly base64: string };

interface Failure {
  readonly message: string;
  readonly code?: string | null;
}

/** A line of the response. Other lines, such as the first one, contain no rows. */
type Entry =
  | {
      readonly type: 'step_begin';
      readonly step: number;
      readonly cols: readonly { readonly name: string }[];
    }
  | { readonly type: 'row'; readonly row: readonly WireValue[] }
  | { readonly type: 'step_end' }
  | { readonly type: 'step_error' | 'error'; readonly error: Failure }
  | { readonly type?: undefined };

export interface CursorRow {
  readonly statement: number;
  readonly columns: readonly string[];
  readonly values: readonly WireValue[];
}

/**
 * Runs statements in one read transaction.
 * @param signal aborts the read
 * @returns the rows of all statements in order, in chunks
 * @throws LibsqlError if a statement fails, or if the response ends early
 */
export async function* readByCursor(
  { TURSO_DATABASE_URL: url, TURSO_AUTH_TOKEN: token }: DatabaseSettings,
  statements: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly CursorRow[]> {
  const steps = ['BEGIN', ...statements, 'COMMIT'].map((sql) => ({ stmt: { sql, want_rows: true } }));
  const response = await fetch(new URL('/v3/cursor', url.replace(/^libsql:/, 'https:')), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ baton: null, batch: { steps } }),
    ...(signal && { signal }),
  });
  if (!response.ok || !response.body)
    throw new LibsqlError(`The database returned ${response.status}.`, `HTTP_${response.status}`);
  let statement = -1;
  let columns: readonly string[] = [];
  let lastEnded = -1;
  for await (const lines of readLines(response.body)) {
    const rows: CursorRow[] = [];
    for (const line of lines) {
      const entry = JSON.parse(line) as Entry;
      switch (entry.type) {
        case 'step_begin':
          statement = entry.step - 1;
          columns = entry.cols.map(({ name }) => name);
          break;
        case 'row':
          rows.push({ statement, columns, values: entry.row });
          break;
        case 'step_end':
          lastEnded = statement;
          break;
        case 'step_error':
        case 'error':
          throw new LibsqlError(entry.error.message, entry.error.code ?? 'UNKNOWN');
      }
    }
    yield rows;
  }
  if (lastEnded < statements.length - 1)
    throw new LibsqlError('The response of the database was cut off.', 'CURSOR_CUT_OFF');
}
