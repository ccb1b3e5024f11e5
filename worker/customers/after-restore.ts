/** What the customers of a restored database need before it goes live. */
import { sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';

/** Indexes all customers for the search: a backup leaves the index out. */
export async function indexCustomers(db: Database): Promise<void> {
  // Without this option the index would keep the words of deleted rows for a while (docs/decisions/customers.md).
  await db.run(sql`INSERT INTO customer_search (customer_search, rank) VALUES ('secure-delete', 1)`);
  await db.run(sql`INSERT INTO customer_search (customer_search) VALUES ('rebuild')`);
}
