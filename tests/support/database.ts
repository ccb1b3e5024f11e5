/** What is in a copy's database, for tests that nothing changed. */
import { createClient } from '@libsql/client';
import { createHash } from 'node:crypto';
import { asText } from '#worker/content/long-texts.ts';
import type { System } from '#dev/system/system.ts';

/** Tables that any request or tick may write to: what was tried how often, when a session was last used, what ran. */
const notesOfRequests = new Set(['alerts', 'attempts', 'job_runs', 'sessions']);

/** What a refused request may leave: that somebody signed in or tried to is noted beside the answer, at a time of its own. */
const unnoted: Readonly<Record<string, string>> = { audit_events: "WHERE action NOT LIKE 'signIn%'" };

/** What is noted a moment after a change, when its answer is on its way already. */
const notedLater = new Set(['writeMs']);

/** The beginning of a row and a hash of it all, so that a difference can be read. */
const summaryOf = (row: string): string =>
  `${row.slice(0, 100)} … ${createHash('sha256').update(row).digest('base64')}`;

/** Every row of every table, in short. */
export async function dumpDatabase({
  database,
}: Pick<System, 'database'>): Promise<Record<string, string[]>> {
  const client = createClient({ url: database.url, authToken: database.authToken });
  try {
    const { rows } = await client.execute(
      // The full-text index says what `customers` says.
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
