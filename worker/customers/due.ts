/**
 * What is due today and in the coming days: steps, briefs, unpaid orders and messages. Items assigned to the user
 * come first.
 */
import { and, asc, desc, eq, inArray, isNotNull, lte, or, sql, type SQL } from 'drizzle-orm';
import { may } from '#contract/audience.ts';
import type { DueItem } from '#contract/customers.calls.ts';
import { addDays } from '#contract/days.ts';
import { displayNameOf } from '#contract/packages.ts';
import type { AttentionReader } from '../attention/attention.ts';
import { readTogether, type Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { isAwaited } from '../fulfillment/awaited-briefs.ts';
import { orderBriefs, orderSteps } from '../fulfillment/plan-schema.ts';
import { messages } from '../inbox/schema.ts';
import { assignedTo } from '../notes/assignments.ts';
import { orders } from '../orders/schema.ts';

/** How many days the list covers, including today. */
const coveredDays = 7;

/** The maximum number of items of each kind, and also the maximum of each kind assigned to the reader. */
const maxPerKind = 10;

/**
 * How long we wait for a brief, in days, before it is due (awaited-briefs.ts). This is within the covered days, so
 * every brief that we are waiting for is listed.
 */
const briefDays = 4;

/** @param end the last day on which a step is due */
const steps = (db: Database, end: string, narrowed?: SQL) =>
  db
    .select({ step: orderSteps, number: orders.number, name: orders.customerName })
    .from(orderSteps)
    .innerJoin(orders, eq(orders._id, orderSteps.orderId))
    .where(
      and(
        // Repeats the partial index's condition so that SQLite uses the index.
        sql`${orderSteps.state} <> 'done' AND ${orderSteps.isOver} = 0`,
        eq(orderSteps.state, 'open'),
        lte(orderSteps.dueDay, end),
        narrowed,
      ),
    )
    .orderBy(asc(orderSteps.dueDay))
    .limit(maxPerKind);

const briefs = (db: Database, now: number, narrowed?: SQL) =>
  db
    .select({ order: orders, since: orderBriefs.awaitedSince })
    .from(orderBriefs)
    .innerJoin(orders, eq(orders._id, orderBriefs.orderId))
    .where(and(isAwaited(now), narrowed))
    .orderBy(asc(orderBriefs.awaitedSince))
    .limit(maxPerKind);

const unpaid = (db: Database, narrowed?: SQL) =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.paymentStatus, 'UnPaid'), narrowed))
    .orderBy(desc(orders._id))
    .limit(maxPerKind);

const unread = (db: Database, narrowed?: SQL) =>
  db
    .select()
    .from(messages)
    .where(and(or(eq(messages.messageStatus, 'UnRead'), isNotNull(messages.newReplyAt)), narrowed))
    .orderBy(desc(messages._id))
    .limit(maxPerKind);

/** Merges two queries without duplicates, with the items of the first query first. */
function withMine<Row>(
  mine: readonly Row[],
  all: readonly Row[],
  toItem: (row: Row) => Omit<DueItem, 'isMine'>,
): DueItem[] {
  const own = mine.map((row) => ({ ...toItem(row), isMine: true }));
  const ids = new Set(own.map(({ _id }) => _id));
  const others = all.map((row) => ({ ...toItem(row), isMine: false }));
  return [...own, ...others.filter(({ _id }) => !ids.has(_id))];
}

async function ordersDue(db: Database, env: Env, now: number, readerId: string) {
  const ofReader = inArray(orders._id, assignedTo(db, 'order', readerId));
  const end = addDays(dayOf(env, now), coveredDays - 1);
  const [ownSteps, allSteps, ownBriefs, allBriefs, ownUnpaid, allUnpaid] = await readTogether(db, [
    steps(db, end, ofReader),
    steps(db, end),
    briefs(db, now, ofReader),
    briefs(db, now),
    unpaid(db, ofReader),
    unpaid(db),
  ]);
  return [
    ...withMine(ownSteps, allSteps, ({ step, number, name }) => ({
      _id: step._id,
      kind: 'step' as const,
      recordId: step.orderId,
      title: step.title,
      number,
      name,
      day: step.dueDay,
    })),
    ...withMine(ownBriefs, allBriefs, ({ order, since }) => ({
      _id: `brief-${order._id}`,
      kind: 'brief' as const,
      recordId: order._id,
      title: 'Answers missing',
      number: order.number,
      name: order.customerName,
      day: addDays(dayOf(env, since ?? now), briefDays),
    })),
    ...withMine(ownUnpaid, allUnpaid, (order) => ({
      _id: `unpaid-${order._id}`,
      kind: 'unpaid' as const,
      recordId: order._id,
      title: displayNameOf(order),
      number: order.number,
      name: order.customerName,
      day: order.orderDay,
    })),
  ];
}

async function messagesDue(db: Database, env: Env, readerId: string) {
  const ofReader = inArray(messages._id, assignedTo(db, 'message', readerId));
  const [mine, all] = await readTogether(db, [unread(db, ofReader), unread(db)]);
  return withMine(mine, all, ({ _id, subject, name, receivedAt, newReplyAt }) => ({
    _id: `message-${_id}`,
    recordId: _id,
    title: subject,
    name,
    number: null,
    kind: newReplyAt === null ? ('message' as const) : ('reply' as const),
    day: dayOf(env, newReplyAt ?? receivedAt),
  }));
}

/**
 * Reads what is due and visible to the user, sorted by day, with items assigned to the user first.
 * @param now time in ms
 */
export async function readDue(
  db: Database,
  env: Env,
  now: number,
  reader: AttentionReader,
): Promise<{ readonly today: string; readonly items: DueItem[] }> {
  const [ofOrders, ofMessages] = await Promise.all([
    may(reader, 'orders') ? ordersDue(db, env, now, reader.id) : [],
    may(reader, 'messages') ? messagesDue(db, env, reader.id) : [],
  ]);
  return {
    today: dayOf(env, now),
    items: [...ofOrders, ...ofMessages].sort(
      (one, other) => Number(other.isMine) - Number(one.isMine) || one.day.localeCompare(other.day),
    ),
  };
}
