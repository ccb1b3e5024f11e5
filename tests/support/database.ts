/** Dumps a copy's database, for tests that prove that nothing changed. */
import { createClient } from '@libsql/client';
import { createHash } from 'node:crypto';
import { asText } from '#worker/content/stored.ts';
import type { System } from '#dev/system/system.ts';

/** Tables that any request or tick may write to: counted attempts, last uses of sessions, job runs. */
const notesOfRequests = new Set(['alerts', 'attempts', 'job_runs', 'sessions']);

/**
 * What a refused request may leave behind. A sign-in or an attempt is logged in the background, at an unpredictable
 * time.
 */
const unnoted: Readonly<Record<string, string>> = { audit_events: "WHERE action NOT LIKE 'signIn%'" };

/** Columns that are written shortly after a change, once its response has been sent. */
const notedLater = new Set(['writeMs']);

/** The beginning of a row and a hash of the whole row, so that a difference is readable. */
const summaryOf = (row: string): string =>
  `${row.slice(0, 100)} … ${createHash('sha256').update(row).digest('base64')}`;

/** A summary of every row of every table. */
export async function dumpDatabase({
  database,
}: Pick<System, 'database'>): Promise<Record<string, string[]>> {
  const client = createClient({ url: database.url, authToken: database.authToken });
  try {
    const { rows } = await client.execute(
      // The full-text index repeats what `customers` contains.
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'customer_search%' ORDER BY name",
    );
    const names = rows.map(({ name }) => asText(name)).filter((name) => !notesOfRequests.has(name));
    const tables = await client.batch(
      names.map((name) => `SELECT * FROM "${name}" ${unnoted[name] ?? ''} ORDER BY rowid`),
      'read',
    );
    return Object.fromEntries(
      names.map((name, index) => [
        name,
        (tables[index]?.rows ?? []).map((row) =>
          summaryOf(JSON.stringify(Object.entries(row).filter(([column]) => !notedLater.has(column)))),
        ),
      ]),
    );
  } finally {
    client.close();
  }
}
