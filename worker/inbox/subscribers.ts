/** Subscribers: anyone may add an address, and is answered alike whether it is on the list or not. */
import { asc, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { newId } from '#contract/ids.ts';
import type { Subscriber } from '#contract/messages.ts';
import type { PageQuery } from '#contract/paging.ts';
import { writeBatch, type Database } from '../db/client.ts';
import { readPage } from '../db/paging.ts';
import { notFound } from '../http/errors.ts';
import { countQuery, moveCount } from './counts.ts';
import { inboxEvents, subscribers } from './schema.ts';

/** Adds an address; one that is on the list already stays as it is. */
export async function addSubscriber(db: Database, subemail: string): Promise<void> {
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${subscribers} WHERE lower(${subscribers.subemail}) = lower(${subemail}))`;
  await writeBatch(db, [
    moveCount(db, 'subscribers', 1, isNew),
    db.insert(subscribers).values({ _id: newId(), subemail }).onConflictDoNothing(),
  ]);
}

/** One page of the subscribers, newest first, and how many there are in all. */
export async function listSubscribers(
  db: Database,
  query: PageQuery,
): Promise<{ total: number; subscribers: Subscriber[] }> {
  const { total, rows } = await readPage(db, query, countQuery(db, ['subscribers']), (window) => {
    const ids = db
      .select({ _id: subscribers._id })
      .from(subscribers)
      .orderBy(window.isFromEnd ? asc(subscribers._id) : desc(subscribers._id))
      .limit(window.limit)
      .offset(window.offset);
    return db.select().from(subscribers).where(inArray(subscribers._id, ids)).orderBy(desc(subscribers._id));
  });
  return { total, subscribers: rows };
}

/** `ann@example.com` as `a…@example.com`: enough to tell what was removed, without keeping the address. */
export const maskEmail = (email: string): string => email.replace(/^(.).*@/, '$1…@');

/**
 * Removes a subscriber.
 * @throws ApiError 404
 */
export async function removeSubscriber(db: Database, id: string, accountId: string): Promise<void> {
  const [record] = await db.select().from(subscribers).where(eq(subscribers._id, id));
  if (!record) throw notFound('This subscriber is not on the list.');
  const isThere = sql`EXISTS (SELECT 1 FROM ${subscribers} WHERE ${eq(subscribers._id, id)})`;
  const before = JSON.stringify({ subemail: maskEmail(record.subemail) });
  await writeBatch(db, [
    moveCount(db, 'subscribers', -1, isThere),
    db
      .insert(inboxEvents)
      .select(sql`SELECT ${newId()}, ${id}, ${Date.now()}, ${accountId}, ${before}, '{}' WHERE ${isThere}`),
    db.delete(subscribers).where(eq(subscribers._id, id)),
  ]);
}

/** Rows of one read of an export. */
const chunkLength = 500;

/** All subscribers, newest first, read by key in chunks. */
export async function* readAllSubscribers(db: Database): AsyncGenerator<Subscriber[], void> {
  let last: string | undefined;
  do {
    const chunk: Subscriber[] = await db
      .select()
      .from(subscribers)
      .where(last === undefined ? undefined : lt(subscribers._id, last))
      .orderBy(desc(subscribers._id))
      .limit(chunkLength);
    if (chunk.length > 0) yield chunk;
    last = chunk.length < chunkLength ? undefined : chunk.at(-1)?._id;
  } while (last !== undefined);
}
