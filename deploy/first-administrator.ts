/** Whether a site still waits for its first administrator. */
import { createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import { isSetupNeeded } from '#worker/accounts/setup.ts';
import type { Settings } from './settings.ts';

/** @throws if the database does not answer */
export async function needsAdministrator(settings: Settings): Promise<boolean> {
  const { TURSO_DATABASE_URL: url = '', TURSO_AUTH_TOKEN: authToken } = settings;
  const client = createClient({ url, ...(authToken && { authToken }) });
  try {
    return await isSetupNeeded(drizzle(client));
  } finally {
    client.close();
  }
}
