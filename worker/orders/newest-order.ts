/** The path of a customer's newest order. */
import { desc, type SQL } from 'drizzle-orm';
import { linkTo } from '#contract/screens.ts';
import type { Database } from '../db/client.ts';
import { orders } from './schema.ts';

/** Finds the newest order that matches. @returns its path for the customer; undefined if there is none */
export async function findNewestOrder(db: Database, condition: SQL): Promise<string | undefined> {
  const [newest] = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(condition)
    .orderBy(desc(orders._id))
    .limit(1);
  return newest && linkTo('myOrder', newest._id);
}
