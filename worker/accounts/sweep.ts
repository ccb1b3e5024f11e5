/** Deletes what has run out: sessions, mailed links and counted attempts. */
import { inArray, lt } from 'drizzle-orm';
import { openDatabase, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Log } from '../http/log.ts';
import { sweepAttempts } from '../limits/allowances.ts';
import { accountTokens, invitations } from './schema.ts';
import { deleteOldSessions } from './session.ts';

/** Most rows of a kind that one run deletes, so that each of its statements is short; the next run goes on. */
const runLength = 5_000;

/** Deletes mailed links that are over. @returns how many */
async function sweepLinks(db: Database, table: typeof accountTokens | typeof invitations): Promise<number> {
  const over = db
    .select({ id: table.id })
    .from(table)
    .where(lt(table.expiresAt, Date.now()))
    .limit(runLength);
  return (await db.delete(table).where(inArray(table.id, over))).rowsAffected;
}

/** Run by the cron trigger. */
export async function sweepAccounts(env: Env, log: Log): Promise<void> {
  const db = openDatabase(env);
  const links = (await sweepLinks(db, accountTokens)) + (await sweepLinks(db, invitations));
  const windows = await sweepAttempts(db, runLength);
  await deleteOldSessions(db);
  if (links + windows > 0) log('accounts.swept', { links, windows });
}
