/** Loads a dump (`worker/operations/dump.ts`) of any length into a new database. */
import type { Client } from '@libsql/client';
import { readLines } from '#worker/db/lines.ts';
import { ending, heading, opening } from '#worker/operations/dump.ts';
import { DeployError } from './errors.ts';

/** The maximum size of one batch, in statements and in characters. A longer statement is a batch by itself. */
const maxStatements = 500;
const maxCharacters = 1_000_000;

/** Statements around the whole dump. They are skipped, because the dump is loaded in several batches. */
const aroundAll: readonly string[] = [...opening, ending];

/**
 * Loads a dump into a new database.
 * @returns the moment of the dump, in ms
 * @throws if this is not a dump, or the database is not empty (in both cases nothing changes); or if the end of the
 *   dump is missing
 */
export async function load(client: Client, dump: AsyncIterable<Uint8Array>): Promise<number> {
  const { rows } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1");
  if (rows.length > 0)
    throw new DeployError('This database is not empty. Load a backup only into a new one.');
  let at: number | undefined;
  let last = '';
  let waiting: string[] = [];
  let characters = 0;
  const send = async () => {
    if (waiting.length > 0) await client.migrate(waiting);
    waiting = [];
    characters = 0;
  };
  for await (const lines of readLines(dump))
    for (const line of lines) {
      last = line;
      if (line.startsWith(heading)) at = Date.parse(line.slice(heading.length));
      if (line.startsWith(heading) || aroundAll.includes(line)) continue;
      if (at === undefined)
        throw new DeployError('This file is not a backup: it lacks the first lines of one.');
      waiting.push(line);
      characters += line.length;
      if (waiting.length >= maxStatements || characters >= maxCharacters) await send();
    }
  await send();
  if (at === undefined || last !== ending)
    throw new DeployError(
      'The end of this backup is missing. The database is incomplete, so start again with another file and another new database.',
    );
  return at;
}
