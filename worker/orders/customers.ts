/** Who has ordered, noted in the batch of their order: lists and searches of customers read no orders. */
import { and, eq, not, notExists, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { ownerEmail } from '../accounts/owner.ts';
import type { Person } from '../accounts/personal-data.ts';
import type { Database, Statement } from '../db/client.ts';
import { customers, orders, type NewOrderRecord } from './schema.ts';

/** Orders for an email that belong to no account yet. In the words of the index `orders_unclaimed`. */
export const isUnclaimed = (email: string | SQLWrapper): SQL =>
  sql`(${orders.accountId} = '' AND ${orders.customerEmail} <> '' AND ${orders.customerEmail} = ${email})`;

/** The customer who has such orders. */
const hasNoAccount = (email: string) => and(eq(customers.email, email), not(customers.hasAccount));

/** The statement that notes the customer of a new order; it stands after the order's own. */
export function noteCustomer(
  db: Database,
  { _id: orderId, accountId, customerEmail: email, customerName: name }: NewOrderRecord,
): Statement {
  const hasAccount = accountId !== '';
  const known = db.select({ _id: customers._id }).from(customers).where(hasNoAccount(email));
  return db
    .insert(customers)
    .values({
      _id: hasAccount ? accountId : sql`coalesce(${known}, ${orderId})`,
      ...{ hasAccount, firstOrderId: orderId, name },
      email: hasAccount ? ownerEmail(accountId) : email,
    })
    .onConflictDoUpdate({ target: customers._id, set: { name } });
}

/** The statements that make the customer who is known by an email alone the account's. */
export const claimCustomer = (db: Database, accountId: string, email: string): Statement[] => [
  db
    .update(customers)
    .set({ _id: accountId, hasAccount: true })
    .where(
      and(
        hasNoAccount(email),
        notExists(db.select({ _id: customers._id }).from(customers).where(eq(customers._id, accountId))),
      ),
    ),
  // Whoever has ordered in their account as well is one customer.
  db.delete(customers).where(hasNoAccount(email)),
];

/** The id of an order's customer; null for an order without an email. */
export const customerIdOf = sql<
  string | null
>`coalesce(nullif(${orders.accountId}, ''), (SELECT ${customers._id} FROM ${customers} WHERE ${customers.email} = ${orders.customerEmail} AND NOT ${customers.hasAccount}))`;

/** The customers that somebody is. */
export const isCustomer = ({ id, email, emailVerified }: Person): SQL | undefined =>
  or(eq(customers._id, id), emailVerified ? hasNoAccount(email) : undefined);
