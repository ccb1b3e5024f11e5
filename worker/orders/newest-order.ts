/** The order that somebody placed last. */
import { desc, eq } from 'drizzle-orm';
import { linkTo } from '#contract/screens.ts';
import type { Database } from '../db/client.ts';
import { orders } from './schema.ts';

/** @returns its path for its customer; undefined where the account has no order, or the database is away */
export async function findNewestOrder(db: Database, accountId: string): Promise<string | undefined> {
  const [newest] = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(eq(orders.accountId, accountId))
    .orderBy(desc(orders._id))
    .limit(1)
    .catch(() => []);
  return newest && linkTo('myOrder', newest._id);
}
