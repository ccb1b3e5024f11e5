/** Running totals of messages, orders and sales by source. The batch of each change updates them. */
import { desc, sql } from 'drizzle-orm';
import type { SourceTotals } from '#contract/orders.calls.ts';
import type { Database, Statement } from '../db/client.ts';
import { sourceTotals, type OrderRecord } from './schema.ts';

type Counts = Omit<typeof sourceTotals.$inferSelect, 'source'>;

function addTo(db: Database, source: string, counts: Partial<Counts>): Statement {
  const { messages = 0, orders = 0, paidOrders = 0, cents = 0 } = counts;
  const added = (column: keyof Counts) => sql`${sourceTotals[column]} + ${sql.raw(`excluded."${column}"`)}`;
  return db
    .insert(sourceTotals)
    .values({ source, messages, orders, paidOrders, cents })
    .onConflictDoUpdate({
      target: sourceTotals.source,
      set: {
        messages: added('messages'),
        orders: added('orders'),
        paidOrders: added('paidOrders'),
        cents: added('cents'),
      },
    });
}

/** The statement that counts a message. Deleting the message later does not change the count. */
export const countMessage = (db: Database, source: string): Statement => addTo(db, source, { messages: 1 });

type Sale = Pick<OrderRecord, 'sourceName' | 'paymentStatus' | 'priceCents' | 'refundedCents'>;

const salesOf = (order: Sale | undefined) =>
  order?.paymentStatus === 'Paid'
    ? { paidOrders: 1, cents: order.priceCents - order.refundedCents }
    : { paidOrders: 0, cents: 0 };

/** The statements that update the totals of a source for a changed order. Without `from`, the order is new. */
export function updateSourceTotals(db: Database, from: Sale | undefined, to: Sale): Statement[] {
  const [before, after] = [salesOf(from), salesOf(to)];
  const counts = {
    orders: from ? 0 : 1,
    paidOrders: after.paidOrders - before.paidOrders,
    cents: after.cents - before.cents,
  };
  return Object.values(counts).every((count) => count === 0) ? [] : [addTo(db, to.sourceName, counts)];
}

/** The maximum number of sources that the table shows. */
const maxShown = 20;

export const readSources = (db: Database): Promise<SourceTotals[]> =>
  db
    .select()
    .from(sourceTotals)
    .orderBy(desc(sourceTotals.cents), desc(sourceTotals.orders), desc(sourceTotals.messages))
    .limit(maxShown);
