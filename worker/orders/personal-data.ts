/**
 * Exports and anonymizes the orders of a person. The data that accounting needs stays: what was sold, when, for how
 * much, and to which country.
 */
import {
  and,
  asc,
  eq,
  exists,
  inArray,
  isNotNull,
  ne,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import type { Person, PersonalRecords } from '../accounts/personal-data.ts';
import { accounts } from '../accounts/schema.ts';
import { normalizeEmail } from '#contract/account-rules.ts';
import type { Account } from '#contract/accounts.ts';
import type { Order } from '#contract/orders.calls.ts';
import type { Database, Statement } from '../db/client.ts';
import { cancelMailsAbout } from '../mail/outbox.ts';
import { deleteNotes } from '../notes/notes.ts';
import { changeOrder, retryOnConflict } from './changes.ts';
import { claimCustomer, isUnclaimed } from './customers.ts';
import { describeEvent, findNewestOrder, wholeOrder } from './read.ts';
import { customerTextsOf, customers, orderEvents, orders, orderTotals } from './schema.ts';

async function exportOrders(db: Database, accountId: string): Promise<Order[]> {
  const rows = await db.select().from(orders).where(eq(orders.accountId, accountId)).orderBy(asc(orders._id));
  return rows.map(wholeOrder);
}

async function exportTimelines(db: Database, accountId: string) {
  const rows = await db
    .select({ event: orderEvents })
    .from(orderEvents)
    .innerJoin(orders, eq(orders._id, orderEvents.orderId))
    .where(eq(orders.accountId, accountId))
    .orderBy(asc(orderEvents.orderId), asc(orderEvents.version));
  const byOrder = Map.groupBy(rows, ({ event }) => event.orderId);
  return Array.from(byOrder, ([orderId, ofOrder]) => ({
    orderId,
    events: ofOrder.map(({ event }) => describeEvent(event)),
  }));
}

/**
 * The condition for orders that were placed for a person's email and belong to no account yet. It matches nothing while
 * the email is unverified.
 */
const isUnclaimedBy = ({ email, emailVerified }: Person): SQL =>
  emailVerified ? isUnclaimed(normalizeEmail(email)) : sql`0`;

/** Gives an account the orders that were placed for its verified email. */
async function claimOrders(db: Database, { id, email }: Pick<Account, 'id' | 'email'>): Promise<void> {
  await retryOnConflict(async () => {
    const claimed = {
      kind: 'claimed',
      by: { role: 'customer', accountId: id },
      set: { accountId: id },
    } as const;
    for (const order of await db
      .select()
      .from(orders)
      .where(isUnclaimed(normalizeEmail(email))))
      if (!(await changeOrder(db, order, claimed, claimCustomer(db, id, email)))) return undefined;
    return true;
  });
}

/**
 * Gives accounts the orders that were placed for their verified email, in case the call that verified the email failed
 * before doing so. The hourly cron trigger runs this for a few accounts at a time.
 */
export async function claimUnclaimedOrders(db: Database): Promise<void> {
  const owners = await db
    .selectDistinct({ id: accounts.id, email: accounts.email })
    .from(orders)
    .innerJoin(accounts, eq(accounts.email, orders.customerEmail))
    .where(and(eq(orders.accountId, ''), ne(orders.customerEmail, ''), isNotNull(accounts.emailVerifiedAt)))
    .limit(20);
  for (const owner of owners) await claimOrders(db, owner);
}

/** The condition that an order belongs to an account, or was placed for its email. */
export const isTheirOrder = (account: Person): SQL | undefined =>
  or(and(eq(orders.accountId, account.id), ne(orders.accountId, '')), isUnclaimedBy(account));

export const theirOrders = (db: Database, account: Person) =>
  db.select({ _id: orders._id }).from(orders).where(isTheirOrder(account));

export const ordersOwnedBy = (db: Database, accountId: string | SQLWrapper) =>
  db.select({ _id: orders._id }).from(orders).where(eq(orders.accountId, accountId));

/** The statements that remove a person's name, address and email from their orders. */
function anonymizeOrders(db: Database, account: Person): Statement[] {
  const accountId = account.id;
  const isTheirs = isTheirOrder(account);
  const ids = theirOrders(db, account);
  return [
    cancelMailsAbout(db, ids),
    deleteNotes(db, 'order', ids),
    // Only these events contain personal data.
    db
      .update(orderEvents)
      .set({ before: {}, after: {} })
      .where(and(eq(orderEvents.kind, 'billingChanged'), inArray(orderEvents.orderId, ids))),
    db.insert(orderEvents).select(
      db
        .select({
          orderId: orders._id,
          version: sql<number>`${orders.version} + 1`.as('version'),
          kind: sql<'anonymized'>`'anonymized'`.as('kind'),
          at: sql<number>`${Date.now()}`.as('at'),
          role: sql<'customer'>`'customer'`.as('role'),
          accountId: sql<string>`''`.as('accountId'),
          before: sql<Record<string, string>>`'{}'`.as('before'),
          after: sql<Record<string, string>>`'{}'`.as('after'),
        })
        .from(orders)
        .where(isTheirs),
    ),
    db
      .update(orders)
      .set({
        accountId: '',
        customerEmail: '',
        ...customerTextsOf({}),
        // For accounting.
        customerCountry: sql`${orders.customerCountry}`,
        idempotencyKey: null,
        source: null,
        version: sql`${orders.version} + 1`,
      })
      .where(isTheirs),
    db.update(orderEvents).set({ accountId: '' }).where(eq(orderEvents.accountId, accountId)),
    db.delete(orderTotals).where(eq(orderTotals.scope, accountId)),
  ];
}

export const ordersOfPerson: PersonalRecords = {
  export: async (db, { id }) => {
    const [theirs, timelines] = await Promise.all([exportOrders(db, id), exportTimelines(db, id)]);
    return { orders: theirs, timelines };
  },
  needs: (db, accountId) => exists(ordersOwnedBy(db, accountId)),
  rename: (db, accountId, { to }) => [
    db.update(orders).set({ customerEmail: to }).where(eq(orders.accountId, accountId)),
    db.update(customers).set({ email: to }).where(eq(customers._id, accountId)),
  ],
  forget: anonymizeOrders,
  claim: claimOrders,
  awaits: (db, email) => findNewestOrder(db, isUnclaimed(normalizeEmail(email))),
};
