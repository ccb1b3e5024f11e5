/** Loads a dump (`worker/operations/dump.ts`) into a new database, however long it is. */
import type { Client } from '@libsql/client';
import { endings, heading, keysOff } from '#worker/operations/dump.ts';

/** How much is sent at once: statements, and characters unless one alone has more. */
const mostStatements = 500;
const mostCharacters = 1_000_000;

/** The lines of a text that comes in pieces. A line ends with `\n` and nothing else. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest + decoder.decode();
}

export interface Loaded {
  /** When the dump was begun, in ms. */
  readonly begunAt: number;
  /** Whether something was changed while it was made. */
  readonly isChanged: boolean;
}

/**
 * Loads a dump into a new database.
 * @throws when this is no dump, or there is anything in the database already: nothing is changed then; or when the end of
 * the dump is missing
 */
export async function load(client: Client, dump: AsyncIterable<Uint8Array>): Promise<Loaded> {
  const { rows } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1");
  if (rows.length > 0)
    throw new Error('This database holds something already. A backup is only ever loaded into a new one.');
  let begunAt: number | undefined;
  let end: string | undefined;
  let waiting: string[] = [];
  let characters = 0;
  const send = async () => {
    if (waiting.length > 0) await client.migrate(waiting);
    waiting = [];
    characters = 0;
  };
  for await (const line of linesOf(dump)) {
    if (begunAt === undefined) {
      begunAt = line.startsWith(heading) ? Date.parse(line.slice(heading.length)) : NaN;
      if (Number.isNaN(begunAt))
        throw new Error('This file is not a backup: its first line does not say so.');
    } else if (line === endings.complete || line === endings.changed) end = line;
    else if (line !== '' && line !== keysOff) {
      waiting.push(line);
      characters += line.length;
      if (waiting.length >= mostStatements || characters >= mostCharacters) await send();
    }
  }
  await send();
  if (begunAt === undefined || end === undefined)
    throw new Error(
      'The end of this backup is missing. What is loaded is not all: start again from another file and another new database.',
    );
  return { begunAt, isChanged: end === endings.changed };
}
