/**
 * The database of the copy that the browser tests share. Nothing closes it: a worker that has finished its part of a
 * file may later get another part, with the same modules.
 */
import { createClient } from '@libsql/client';

export const database = createClient({
  url: process.env['DATABASE_URL'] ?? '',
  authToken: process.env['DATABASE_TOKEN'] ?? '',
});
