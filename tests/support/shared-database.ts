/**
 * The database of the copy that the browser tests share. Nothing closes it: a worker that has done its part of a file may
 * be given another part of it later, with the same modules.
 */
import { createClient } from '@libsql/client';

export const database = createClient({
  url: process.env['DATABASE_URL'] ?? '',
  authToken: process.env['DATABASE_TOKEN'] ?? '',
});
