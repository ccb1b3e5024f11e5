/**
 * A mail to the business once an hour about new unpaid orders: an order gets a mail of its own only when it is paid.
 */
import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { firstIdAt } from '#contract/ids.ts';
import { openDatabase, readTogether, writeUnlessConflict, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { queueMail } from '../mail/outbox.ts';
import { unpaidOrdersMail } from './mails.ts';
import { orderDigests, orders } from './schema.ts';

const hourMs = 3_600_000;
/** How long after an order the digest leaves it time to be paid, and to be written, in ms. */
const graceMs = 10 * 60_000;

/** Most orders that one mail lists; it says how many there are in all. */
const mostListed = 50;

/**
 * Queues the mail about the orders of the full hours since the last one that are still unpaid; no mail if there are
 * none. Of concurrent runs only one sends it.
 * @param now time in ms
 */
export async function queueOrderDigest(
  env: Env,
  db: Database = openDatabase(env),
  now: number = Date.now(),
): Promise<void> {
  const until = Math.floor((now - graceMs) / hourMs) * hourMs;
  const [last] = await db.select().from(orderDigests).orderBy(desc(orderDigests.until)).limit(1);
  if (last && last.until >= until) return;
  const isNew = and(
    eq(orders.paymentStatus, 'UnPaid'),
    gte(orders._id, firstIdAt(last?.until ?? until - hourMs)),
    lt(orders._id, firstIdAt(until)),
  );
  const [listed, [counted]] = await readTogether(db, [
    db.select().from(orders).where(isNew).orderBy(asc(orders._id)).limit(mostListed),
    db
      .select({ count: sql<number>`count(*)` })
      .from(orders)
      .where(isNew),
  ]);
  const count = counted?.count ?? 0;
  const digest = unpaidOrdersMail(env.SITE_URL, listed, count);
  // Of concurrent runs only one writes.
  await writeUnlessConflict(db, [
    db.insert(orderDigests).values({ until }),
    db.delete(orderDigests).where(lt(orderDigests.until, until)),
    ...(count > 0 ? [queueMail(db, env, { to: env.NOTIFY_EMAIL, kind: 'unpaid-orders', ...digest })] : []),
  ]);
}
