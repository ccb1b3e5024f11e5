/** Deletes messages past their retention (24 months by default) and unconfirmed subscriptions that have expired. */
import { and, asc, inArray, isNull, lt, sql } from 'drizzle-orm';
import { firstIdAt } from '#contract/ids.ts';
import { writeBatch, type Database } from '../db/client.ts';
import { numberFrom, type Env } from '../env.ts';
import { dayMs } from '../http/clock.ts';
import type { Log } from '../http/log.ts';
import { deleteMessages } from './messages.ts';
import { messages, subscribers } from './schema.ts';
import { confirmationDays } from './subscribe.ts';
import { subscriberRemoval } from './subscribers.ts';

/** The maximum number of rows of each kind that one run deletes. The next run continues. */
const runLength = 200;

/** Ids sort by creation time, so the primary key finds the oldest messages. */
async function sweepMessages(env: Env, log: Log, db: Database): Promise<void> {
  const before = Date.now() - numberFrom(env, 'LIMIT_MESSAGE_DAYS', 730) * dayMs;
  const over = await db
    .select({ _id: messages._id })
    .from(messages)
    .where(lt(messages._id, firstIdAt(before)))
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

async function sweepWaiting(env: Env, log: Log, db: Database): Promise<void> {
  const before = Date.now() - confirmationDays(env) * dayMs;
  const isOver = and(isNull(subscribers.confirmedAt), lt(subscribers.askedAt, before));
  const over = db.select({ _id: subscribers._id }).from(subscribers).where(isOver).limit(runLength);
  if ((await over).length === 0) return;
  const [, deleted = 0] = await writeBatch(db, subscriberRemoval(db, sql`${inArray(subscribers._id, over)}`));
  if (deleted > 0) log('subscribers.swept', { subscribers: deleted });
}

export async function sweepInbox(env: Env, log: Log, db: Database): Promise<void> {
  await Promise.all([sweepMessages(env, log, db), sweepWaiting(env, log, db)]);
}
