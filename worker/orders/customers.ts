/**
 * Customers: recorded in the batch of their orders, so that lists and searches of customers do not read orders, and
 * looked up by email.
 */
import { and, desc, eq, not, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { KnownCustomer } from '#contract/orders.calls.ts';
import { emailOf, profileText } from '../accounts/owner.ts';
import type { Person } from '../accounts/personal-data.ts';
import { accounts } from '../accounts/schema.ts';
import { readTogether, type Database, type Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { moveNotes } from '../notes/notes.ts';
import { customers, orders, type NewOrderRecord } from './schema.ts';

/**
 * The condition for orders that were placed for an email but belong to no account yet. It matches the index
 * `orders_unclaimed`.
 */
export const isUnclaimed = (email: string | SQLWrapper): SQL =>
  sql`(${orders.accountId} = '' AND ${orders.customerEmail} <> '' AND ${orders.customerEmail} = ${email})`;

const hasNoAccount = (email: string) => and(eq(customers.email, email), not(customers.hasAccount));

/** The statement that records the customer of a new order. It comes after the order's own statement. */
export function recordCustomer(
  db: Database,
  { _id: orderId, accountId, customerEmail: email, customerName: name, customerCompany }: NewOrderRecord,
): Statement {
  const hasAccount = accountId !== '';
  const company = sql`coalesce(nullif(${profileText(accountId, 'company')}, ''), ${customerCompany})`;
  const known = db.select({ _id: customers._id }).from(customers).where(hasNoAccount(email));
  return db
    .insert(customers)
    .values({
      _id: hasAccount ? accountId : sql`coalesce(${known}, ${orderId})`,
      hasAccount,
      firstOrderId: orderId,
      name,
      company,
      phone: profileText(accountId, 'phone'),
      email: hasAccount ? emailOf(accountId) : email,
    })
    .onConflictDoUpdate({
      target: customers._id,
      set: { name, company: sql`coalesce(nullif(${company}, ''), ${customers.company})` },
    });
}

/**
 * The statements that turn the customer without an account who has this email into the account's customer, together
 * with the staff's notes.
 */
export const claimCustomer = (db: Database, accountId: string, email: string): Statement[] => [
  moveNotes(
    db,
    'customer',
    db.select({ _id: customers._id }).from(customers).where(hasNoAccount(email)),
    accountId,
  ),
  db
    .update(customers)
    .set({
      _id: accountId,
      hasAccount: true,
      phone: profileText(accountId, 'phone'),
      company: sql`coalesce(nullif(${profileText(accountId, 'company')}, ''), ${customers.company})`,
    })
    .where(and(hasNoAccount(email), not(hasRow(customers, eq(customers._id, accountId))))),
  // The account may already have a customer record from its own orders.
  db.delete(customers).where(hasNoAccount(email)),
];

/** The id of an order's customer; null if the order has no email. */
export const customerIdOf = sql<
  string | null
>`coalesce(nullif(${orders.accountId}, ''), (SELECT ${customers._id} FROM ${customers} WHERE ${customers.email} = ${orders.customerEmail} AND NOT ${customers.hasAccount}))`;

/** The condition for the customer records of a person. */
export const isCustomer = ({ id, email, emailVerified }: Person): SQL | undefined =>
  or(eq(customers._id, id), emailVerified ? hasNoAccount(email) : undefined);

/**
 * The known details of a customer, so that staff who place an order for them do not have to type them.
 * @param email from `normalizeEmail`
 */
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
