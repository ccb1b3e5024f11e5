/** Connects to the database in the settings from this machine. */
import { createClient, type Client } from '@libsql/client';
import { DeployError } from './errors.ts';
import type { Settings } from './settings.ts';

/** Runs `work` with a client for the database in the settings, and closes the client afterward. */
export async function withDatabase<T>(
  { TURSO_DATABASE_URL: url = '', TURSO_AUTH_TOKEN: authToken }: Settings,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  if (!URL.canParse(url))
    throw new DeployError('TURSO_DATABASE_URL is not an address: it begins with libsql://.');
  const client = createClient({ url, ...(authToken && { authToken }) });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
