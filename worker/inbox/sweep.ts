/** Deletes messages that are older than they are kept for: 24 months, unless a setting says otherwise. */
import { asc, lt } from 'drizzle-orm';
import { newId } from '#contract/ids.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Log } from '../http/log.ts';
import { numberFrom } from '../limits/allowances.ts';
import { deleteMessages } from './messages.ts';
import { messages } from './schema.ts';

const dayMs = 86_400_000;
/** Most messages of one run; the next run goes on. */
const runLength = 200;

/** Run by the cron trigger. Ids sort by creation, so the oldest are found by their key. */
export async function sweepMessages(env: Env, log: Log): Promise<void> {
  const db = openDatabase(env);
  const before = Date.now() - numberFrom(env, 'LIMIT_MESSAGE_DAYS', 730) * dayMs;
  const over = await db
    .select({ _id: messages._id })
    .from(messages)
    .where(lt(messages._id, newId(before)))
    .orderBy(asc(messages._id))
    .limit(runLength);
  if (over.length === 0) return;
  await deleteMessages(
    db,
    over.map(({ _id }) => _id),
    '',
  );
  log('messages.swept', { messages: over.length });
}
