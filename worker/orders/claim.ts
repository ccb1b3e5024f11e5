/** Orders that an administrator placed for an email become the orders of the account that has verified it. */
import { sql, type SQL } from 'drizzle-orm';
import { normalizeEmail, type Account } from '#contract/accounts.ts';
import type { Database } from '../db/client.ts';
import { changeOrder } from './changes.ts';
import { orders } from './schema.ts';

/** Orders that belong to nobody yet and are for that email. */
const isUnclaimed = (email: string): SQL =>
  sql`(${orders.accountId} = '' AND ${orders.customerEmail} <> '' AND ${orders.customerEmail} = ${normalizeEmail(email)})`;

/** The same for an account's email; none while that is not verified. */
export const isUnclaimedBy = ({ email, emailVerified }: Account): SQL =>
  emailVerified ? isUnclaimed(email) : sql`0`;

/** Gives an account the orders that were placed for its email, which it has verified. */
export async function claimOrders(db: Database, { id, email }: Pick<Account, 'id' | 'email'>): Promise<void> {
  for (const order of await db.select().from(orders).where(isUnclaimed(email)))
    await changeOrder(db, order, {
      kind: 'claimed',
      by: { role: 'customer', accountId: id },
      set: { accountId: id },
    });
}
