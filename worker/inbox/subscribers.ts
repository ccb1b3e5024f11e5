/** The list of subscribers for staff, and how people unsubscribe. */
import { and, desc, eq, inArray, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm';
import type { Subscriber } from '#contract/inbox.calls.ts';
import type { SubscriberState } from '#contract/inbox.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { writeBatch, type Database, type Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { idsOnPage, readPage, readInChunks, type Page } from '../db/paging.ts';
import { notFound } from '../http/errors.ts';
import { countQuery, adjustCount } from './counts.ts';
import { inboxEvent } from './events.ts';
import { subscribers } from './schema.ts';

export const describeSubscriber = (row: typeof subscribers.$inferSelect): Subscriber => ({
  _id: row._id,
  subemail: row.subemail,
  state: row.confirmedAt === null ? 'Waiting' : 'Confirmed',
});

/** Reads one page of subscribers, newest first, with the total. */
export async function listSubscribers(db: Database, query: PageQuery): Promise<Page<Subscriber>> {
  const { total, rows } = await readPage(db, query, countQuery(db, ['subscribers']), (window) =>
    db
      .select()
      .from(subscribers)
      .where(inArray(subscribers._id, idsOnPage(db, subscribers._id, window)))
      .orderBy(desc(subscribers._id)),
  );
  return { total, rows: rows.map(describeSubscriber) };
}

/**
 * The statements that remove subscribers and update the count.
 * @param which a condition on their rows
 */
export const subscriberRemoval = (db: Database, which: SQL): readonly Statement[] => [
  adjustCount(db, 'subscribers', sql`-(SELECT count(*) FROM ${subscribers} WHERE ${which})`),
  db.delete(subscribers).where(which),
];

/**
 * Masks `ann@example.com` as `a…@example.com`, which is enough to recognize a removed subscriber without
 * storing the address.
 */
export const maskEmail = (email: string): string => email.replace(/^(.).*@/, '$1…@');

/**
 * Removes people who unsubscribed, whether now or before a backup was restored.
 * @returns how many were on the list
 */
export async function unsubscribe(db: Database, ids: readonly string[]): Promise<number> {
  const affected = await writeBatch(db, subscriberRemoval(db, inArray(subscribers._id, [...ids])));
  return affected.at(-1) ?? 0;
}

/** @throws ApiError 404 */
export async function removeSubscriber(db: Database, id: string, accountId: string): Promise<void> {
  const [record] = await db.select().from(subscribers).where(eq(subscribers._id, id));
  if (!record) throw notFound('This subscriber is not on the list.');
  const isThere = hasRow(subscribers, eq(subscribers._id, id));
  const before = { subemail: maskEmail(record.subemail) };
  await writeBatch(db, [
    inboxEvent(db, { recordId: id, accountId, before, after: {} }, isThere),
    ...subscriberRemoval(db, eq(subscribers._id, id)),
  ]);
}

/** Reads all subscribers, or those with a given state, newest first. */
export function readAllSubscribers(
  db: Database,
  state: SubscriberState | undefined,
): AsyncGenerator<Subscriber[], void> {
  const isOfState =
    state && (state === 'Waiting' ? isNull(subscribers.confirmedAt) : isNotNull(subscribers.confirmedAt));
  return readInChunks(
    (last: typeof subscribers.$inferSelect | undefined, limit) =>
      db
        .select()
        .from(subscribers)
        .where(and(isOfState, last && lt(subscribers._id, last._id)))
        .orderBy(desc(subscribers._id))
        .limit(limit),
    describeSubscriber,
  );
}
