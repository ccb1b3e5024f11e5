/** A system's database as this process reaches it: by the official client, over HTTP, as the Worker does. */
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
