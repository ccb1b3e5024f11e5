/** Connects to a system's database as the Worker does: with the official client, over HTTP. */
import { createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import type { Database } from '#worker/db/client.ts';
import type { System } from '#dev/system/system.ts';

export function openSystemDatabase({ url, authToken }: Pick<System['database'], 'url' | 'authToken'>): {
  db: Database;
  close: () => void;
} {
  const client = createClient({ url, authToken });
  return { db: drizzle(client), close: () => client.close() };
}
