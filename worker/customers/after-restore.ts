/** Prepares the customers of a restored database for going live. */
import { sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';

/** Rebuilds the search index of all customers. Backups do not contain it. */
export async function indexCustomers(db: Database): Promise<void> {
  // Without this option, the index would keep words from deleted rows for some time (docs/decisions/personal-data.md).
  await db.run(sql`INSERT INTO customer_search (customer_search, rank) VALUES ('secure-delete', 1)`);
  await db.run(sql`INSERT INTO customer_search (customer_search) VALUES ('rebuild')`);
}
