/** How far the work on orders has got: what their customers still have to answer, and the steps of their plans. */
import { and, asc, desc, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import { pageSizes } from '#contract/paging.ts';
import type { OrderWork } from '#contract/work.ts';
import { orderFiles } from '../conversations/schema.ts';
import { readTogether, type Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { visibleTo } from '../orders/read.ts';
import { orders } from '../orders/schema.ts';
import { shownStep } from './plan.ts';
import { asksAnything } from './questions.ts';
import { orderBriefs, orderSteps } from './schema.ts';

/** The work of the newest orders for which a condition holds, with whose they are. */
async function readWork(db: Database, env: Env, condition: SQL | undefined) {
  const newest = db
    .select({ _id: orders._id })
    .from(orders)
    .where(condition)
    .orderBy(desc(orders._id))
    .limit(pageSizes.customerOrders);
  const [found, steps, files] = await readTogether(db, [
    db
      .select({
        orderId: orders._id,
        accountId: orders.accountId,
        sentAt: orderBriefs.sentAt,
        isAsked: sql<number>`${asksAnything(orders.packageName)}`,
      })
      .from(orders)
      .leftJoin(orderBriefs, eq(orderBriefs.orderId, orders._id))
      .where(inArray(orders._id, newest))
      .orderBy(desc(orders._id)),
    db.select().from(orderSteps).where(inArray(orderSteps.orderId, newest)).orderBy(asc(orderSteps.position)),
    db
      .select()
      .from(orderFiles)
      .where(and(inArray(orderFiles.orderId, newest), ne(orderFiles.messageId, ''))),
  ]);
  const today = dayOf(env, Date.now());
  return found.map(({ orderId, accountId, sentAt, isAsked }) => {
    const work: OrderWork = {
      orderId,
      brief: sentAt !== null ? 'sent' : isAsked ? 'open' : 'none',
      steps: steps
        .filter((step) => step.orderId === orderId)
        .map((step) => shownStep(env, step, files, today)),
    };
    return { accountId, work };
  });
}

/** @throws ApiError 404 when the caller may not see all of the order */
export async function readOrderWork(
  db: Database,
  env: Env,
  orderId: string,
  account: Account,
): Promise<OrderWork> {
  const [found] = await readWork(db, env, eq(orders._id, orderId));
  return visibleTo(account, found).work;
}

/** The work on the newest of somebody's own orders, as many as their dashboard looks at. */
export async function readOwnWork(db: Database, env: Env, accountId: string): Promise<OrderWork[]> {
  const found = await readWork(db, env, eq(orders.accountId, accountId));
  return found.map(({ work }) => work);
}
