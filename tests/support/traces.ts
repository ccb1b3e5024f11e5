/**
 * Finds what is left of a person anywhere. Searches every table of the database and every object of every bucket that
 * the Worker has, so a new table or bucket is covered without being listed here.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Database } from '#worker/db/client.ts';
import { sealingKeys, type Env } from '#worker/env.ts';
import { mails } from '#worker/mail/schema.ts';
import { unseal } from '#worker/mail/seal.ts';

const wranglerFile = join(import.meta.dirname, '../../wrangler.toml');

/** The names of the Worker's bucket bindings. */
const bucketBindings = async (): Promise<string[]> =>
  Array.from(
    (await readFile(wranglerFile, 'utf8')).matchAll(/^\[\[r2_buckets\]\]\nbinding = "(\w+)"/gm),
    ([, binding = '']) => binding,
  );

async function objectsOf(bucket: R2Bucket): Promise<[string, string][]> {
  const { objects, truncated } = await bucket.list({ include: ['customMetadata', 'httpMetadata'] });
  if (truncated) throw new Error('The bucket of a test holds more than one list shows.');
  return Promise.all(
    objects.map(async ({ key, customMetadata, httpMetadata }) => {
      const text = (await (await bucket.get(key))?.text()) ?? '';
      return [key, JSON.stringify([key, customMetadata, httpMetadata, text])] as [string, string];
    }),
  );
}

/** The contents of queued emails, which the table stores sealed. */
const readSealed = async (db: Database, env: Pick<Env, 'SEALING_KEYS'>): Promise<[string, string]> => [
  'sealed mails',
  JSON.stringify((await db.select().from(mails)).map(({ _id, body }) => unseal(sealingKeys(env), _id, body))),
];

/**
 * The tables and objects that contain one of these words, in any column, name or byte, ignoring case.
 * @param env the Worker's bindings, including its buckets
 * @throws if the Worker has a bucket that `env` lacks
 */
export async function findTraces(
  db: Database,
  env: Pick<Env, 'SEALING_KEYS'>,
  words: readonly string[],
): Promise<string[]> {
  const tables = await db.all<{ name: string }>(sql`SELECT name FROM sqlite_master WHERE type = 'table'`);
  const places = await Promise.all(
    tables.map(async ({ name }): Promise<[string, string]> => {
      const { rows } = await db.$client.execute(`SELECT * FROM "${name}"`);
      const asText = (_: string, value: unknown) =>
        value instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value) : value;
      return [name, JSON.stringify(rows, asText)];
    }),
  );
  places.push(await readSealed(db, env));
  for (const binding of await bucketBindings()) {
    const bucket = (env as unknown as Readonly<Record<string, R2Bucket | undefined>>)[binding];
    if (!bucket) throw new Error(`The Worker has a bucket ${binding}, which this test does not give.`);
    places.push(...(await objectsOf(bucket)));
  }
  const wanted = words.map((word) => word.toLowerCase());
  return places.flatMap(([name, text]) => {
    const lower = text.toLowerCase();
    return wanted.some((word) => lower.includes(word)) ? [name] : [];
  });
}
