/** Deletes what has run out: sessions, mailed links and counted attempts. */
import { lt } from 'drizzle-orm';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Log } from '../http/log.ts';
import { sweepAttempts } from '../limits/allowances.ts';
import { accountTokens } from './schema.ts';
import { deleteOldSessions } from './session.ts';

/** Run by the cron trigger. */
export async function sweepAccounts(env: Env, log: Log): Promise<void> {
  const db = openDatabase(env);
  const now = Date.now();
  const links = await db.delete(accountTokens).where(lt(accountTokens.expiresAt, now));
  const windows = await sweepAttempts(db);
  await deleteOldSessions(db);
  if (links.rowsAffected + windows > 0) log('accounts.swept', { links: links.rowsAffected, windows });
}
