/** Prepares the orders of a restored database before it goes live. */
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import type { Database } from '../db/client.ts';

const triggerRow = z.object({ sql: z.string() });

/**
 * Makes the next order number higher than `highest`, because orders that are not in the backup have used the numbers up
 * to it.
 */
export async function raiseNumbers(db: Database, highest: number): Promise<void> {
  const [trigger] = await db.all(sql`SELECT sql FROM sqlite_master WHERE name = 'orders_give_number'`);
  const raised = triggerRow
    .parse(trigger)
    .sql.replace(/max\((\d+)/, (_, lowest) => `max(${Math.max(Number(lowest), highest)}`);
  await db.$client.batch(['DROP TRIGGER orders_give_number', raised], 'write');
}
