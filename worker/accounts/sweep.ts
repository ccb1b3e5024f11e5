/** Deletes what has run out: sessions, mailed links and counted attempts. */
import { inArray, lt } from 'drizzle-orm';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Log } from '../http/log.ts';
import { sweepAttempts } from '../limits/allowances.ts';
import { accountTokens } from './schema.ts';
import { deleteOldSessions } from './session.ts';

/** Most rows of a kind that one run deletes, so that each of its statements is short; the next run goes on. */
const runLength = 5_000;

/** Run by the cron trigger. */
export async function sweepAccounts(env: Env, log: Log): Promise<void> {
  const db = openDatabase(env);
  const now = Date.now();
  const over = db
    .select({ id: accountTokens.id })
    .from(accountTokens)
    .where(lt(accountTokens.expiresAt, now))
    .limit(runLength);
  const links = await db.delete(accountTokens).where(inArray(accountTokens.id, over));
  const windows = await sweepAttempts(db, runLength);
  await deleteOldSessions(db);
  if (links.rowsAffected + windows > 0) log('accounts.swept', { links: links.rowsAffected, windows });
}
