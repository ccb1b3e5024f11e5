/** Brings a database to the schema of this release, and fills it when nothing was ever published in it. */
import { createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import { join } from 'node:path';
import { seedIfEmpty, type SeedOptions } from './seed.ts';

const migrationsFolder = join(import.meta.dirname, '../../migrations');

/**
 * Applies the migrations that are missing and seeds an empty database.
 * @returns whether it was empty
 */
export async function prepareDatabase(
  url: string,
  authToken: string | undefined,
  seed: SeedOptions,
): Promise<boolean> {
  const client = createClient({ url, ...(authToken && { authToken }) });
  try {
    const db = drizzle(client);
    await migrate(db, { migrationsFolder });
    return await seedIfEmpty(db, seed);
  } finally {
    client.close();
  }
}
