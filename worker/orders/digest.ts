/** An hourly email to the business about new unpaid orders. An order gets a separate email only when it is paid. */
import { and, asc, count, desc, eq, gte, lt } from 'drizzle-orm';
import { firstIdAt } from '#contract/ids.ts';
import { readTogether, writeUnlessConflict, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { hourMs } from '../http/clock.ts';
import { queueMail } from '../mail/outbox.ts';
import { unpaidOrdersMail } from './mails.ts';
import { orderDigests, orders } from './schema.ts';

/**
 * How old an order must be before the digest reports it, in ms. This leaves time to write the order and to pay for
 * it.
 */
const graceMs = 10 * 60_000;

/** The maximum number of orders that one email lists. The email also states the total. */
const maxListed = 50;

/**
 * Queues the email about unpaid orders of the full hours since the last digest. Queues nothing if there are none.
 * @param now time in ms
 */
export async function queueOrderDigest(env: Env, db: Database, now: number = Date.now()): Promise<void> {
  const until = Math.floor((now - graceMs) / hourMs) * hourMs;
  const [last] = await db.select().from(orderDigests).orderBy(desc(orderDigests.until)).limit(1);
  if (last && last.until >= until) return;
  const isNew = and(
    eq(orders.paymentStatus, 'UnPaid'),
    gte(orders._id, firstIdAt(last?.until ?? until - hourMs)),
    lt(orders._id, firstIdAt(until)),
  );
  const [listed, [counted]] = await readTogether(db, [
    db.select().from(orders).where(isNew).orderBy(asc(orders._id)).limit(maxListed),
    db.select({ count: count() }).from(orders).where(isNew),
  ]);
  const total = counted?.count ?? 0;
  const digest = unpaidOrdersMail(env.SITE_URL, listed, total);
  // Only one of several concurrent runs writes.
  await writeUnlessConflict(db, [
    db.insert(orderDigests).values({ until }),
    db.delete(orderDigests).where(lt(orderDigests.until, until)),
    ...(total > 0
      ? [queueMail(db, env, { to: env.NOTIFY_EMAIL, kind: 'unpaid-orders', content: digest })]
      : []),
  ]);
}
