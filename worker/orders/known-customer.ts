/** The known details of a customer by email, so that staff who place an order do not have to type them. */
import { desc, eq, sql } from 'drizzle-orm';
import type { KnownCustomer } from '#contract/orders.calls.ts';
import { accounts } from '../accounts/schema.ts';
import { readTogether, type Database } from '../db/client.ts';
import { isUnclaimed } from './customers.ts';
import { orders } from './schema.ts';

/** @param email as `normalizeEmail` writes it */
export async function findKnownCustomer(db: Database, email: string): Promise<KnownCustomer> {
  const accountId = sql`(SELECT ${accounts.id} FROM ${accounts} WHERE ${accounts.email} = ${email})`;
  const [[profile], ofAccount, unclaimed] = await readTogether(db, [
    db.select().from(accounts).where(eq(accounts.email, email)),
    db.select().from(orders).where(eq(orders.accountId, accountId)).orderBy(desc(orders._id)).limit(1),
    db.select().from(orders).where(isUnclaimed(email)).orderBy(desc(orders._id)).limit(1),
  ]);
  const [order] = [...ofAccount, ...unclaimed].toSorted((one, other) => (one._id < other._id ? 1 : -1));
  return {
    customerName: order?.customerName || (profile?.name ?? ''),
    customerAddress: order?.customerAddress ?? '',
    customerCountry: order?.customerCountry ?? '',
    customerCompany: order?.customerCompany || (profile?.company ?? ''),
    customerTaxNumber: order?.customerTaxNumber ?? '',
    customerPhone: order?.customerPhone || (profile?.phone ?? ''),
  };
}
