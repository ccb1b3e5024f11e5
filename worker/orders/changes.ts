/**
 * The only module that creates and changes orders. One batch writes the order, its event, the running totals and all
 * consequences, such as emails and a payment's ledger row. The primary key of the event is order and version. It
 * serializes concurrent writers: the second one writes nothing, reads the order again and decides again.
 */
import { and, eq, sql, type SQL } from 'drizzle-orm';
import { actorId, assertAccount, emailOf } from '../accounts/owner.ts';
import type { Account } from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import { displayStatusOf, isCustomerDeleted } from '#contract/orders.ts';
import { assert } from '../db/assert.ts';
import {
  runUnlessConflict,
  retryUntilWritten,
  writeUnlessConflict,
  type Database,
  type Statement,
} from '../db/client.ts';
import { unavailable } from '../http/errors.ts';
import { updateSourceTotals } from './sources.ts';
import { cancelMails } from '../mail/outbox.ts';
import { planTopic, reminderTopic } from './notify.ts';
import { recordCustomer } from './customers.ts';
import { numberQuery } from './read.ts';
import {
  everybody,
  orderEvents,
  orders,
  orderTotals,
  type NewOrderRecord,
  type OrderRecord,
} from './schema.ts';

/** Who made a change. `payer` is anyone with the link. `system` is the site itself. */
export type Actor = Readonly<Pick<typeof orderEvents.$inferSelect, 'role' | 'accountId'>>;

export const stripeActor: Actor = { role: 'stripe', accountId: '' };
export const systemActor: Actor = { role: 'system', accountId: '' };

export function actorFor(account: Account | undefined, order: Pick<OrderRecord, 'accountId'>): Actor {
  if (!account) return { role: 'payer', accountId: '' };
  if (account.id === order.accountId) return { role: 'customer', accountId: account.id };
  return { role: may(account, 'orders') ? 'administrator' : 'payer', accountId: account.id };
}

export interface OrderChange {
  readonly kind: (typeof orderEvents.$inferInsert)['kind'];
  readonly by: Actor;
  readonly set: Partial<
    Pick<
      OrderRecord,
      | 'paymentStatus'
      | 'orderStatus'
      | 'paymentMethod'
      | 'wallet'
      | 'transactionId'
      | 'paymentIntentId'
      | 'invoiceId'
      | 'periodStart'
      | 'periodEnd'
      | 'customerCompany'
      | 'customerTaxNumber'
      | 'receiptCopyEmail'
      | 'refundedCents'
      | 'accountId'
    >
  >;
  /** More details of the event, without personal data. */
  readonly details?: Readonly<Record<string, string>>;
}

type Counted = Pick<
  OrderRecord,
  'accountId' | 'orderDay' | 'priceCents' | 'refundedCents' | 'paymentStatus' | 'orderStatus'
>;

/** The statement that updates the running totals for a changed order. Without `from`, the order is new. */
function moveTotals(db: Database, from: Counted | undefined, to: Counted): Statement {
  const rows = [...(from ? [{ order: from, sign: -1 }] : []), { order: to, sign: 1 }].flatMap(
    ({ order, sign }) =>
      [
        { scope: everybody, day: '' },
        { scope: everybody, day: order.orderDay },
        ...(order.accountId === '' ? [] : [{ scope: order.accountId, day: '' }]),
      ].map((place) => ({
        ...place,
        paymentStatus: order.paymentStatus,
        orderStatus: order.orderStatus,
        orders: sign,
        cents: sign * order.priceCents,
        refundedCents: sign * order.refundedCents,
      })),
  );
  return db
    .insert(orderTotals)
    .values(rows)
    .onConflictDoUpdate({
      target: [orderTotals.scope, orderTotals.day, orderTotals.paymentStatus, orderTotals.orderStatus],
      set: {
        orders: sql`${orderTotals.orders} + excluded.orders`,
        cents: sql`${orderTotals.cents} + excluded.cents`,
        refundedCents: sql`${orderTotals.refundedCents} + ${sql.raw('excluded."refundedCents"')}`,
      },
    });
}

const pick = (record: object, keys: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record)
      // Timelines do not show the ids of accounts.
      .filter(([key]) => keys.includes(key) && key !== 'accountId')
      .map(([key, value]) => [key, String(value)]),
  );

/** The email of an order's owner, read within the batch. */
const emailNow = (accountId: string) => ({ customerEmail: sql`coalesce(${emailOf(accountId)}, '')` });

interface NewOrderWrite {
  /** `renewed`: a month of a subscription that Stripe has charged. */
  readonly kind: 'placed' | 'renewed';
  readonly others: readonly Statement[];
  /** The order is written only if this condition holds. */
  readonly onlyIf: SQL | undefined;
}

/**
 * Writes a new order with its first event. The database assigns the number.
 * @returns the order with its number; undefined if the condition does not hold, or if an order with the same
 *   idempotency key exists
 */
export async function insertOrder(
  db: Database,
  order: NewOrderRecord,
  by: Actor,
  { kind, others, onlyIf = sql`1` }: NewOrderWrite,
): Promise<OrderRecord | undefined> {
  const results = await runUnlessConflict(db, [
    ...(by.accountId === '' ? [] : [assertAccount(db, by.accountId)]),
    assert(db, onlyIf),
    db.insert(orderEvents).values({
      orderId: order._id,
      version: order.version,
      kind,
      at: Date.now(),
      role: by.role,
      accountId: by.accountId,
      before: {},
      after: pick(order, ['packageName', 'packagePrice', 'paymentStatus', 'orderStatus']),
    }),
    db.insert(orders).values({ ...order, ...(order.accountId !== '' && emailNow(order.accountId)) }),
    moveTotals(db, undefined, order),
    ...(isCustomerDeleted(order) ? [] : [recordCustomer(db, order)]),
    ...updateSourceTotals(db, undefined, order),
    ...others,
    numberQuery(db, order._id),
  ]);
  return results && { ...order, number: Number(results.at(-1)?.rows[0]?.['number']) };
}

/**
 * The statements that change an order. Their batch fails with a unique violation if the order changed after it was
 * read.
 * @param others more statements for the same batch
 */
export function changeStatements(
  db: Database,
  order: OrderRecord,
  { kind, by, set, details }: OrderChange,
  others: readonly Statement[] = [],
): { readonly changed: OrderRecord; readonly statements: readonly Statement[] } {
  const changed: OrderRecord = { ...order, ...set, version: order.version + 1 };
  const statements = [
    db.insert(orderEvents).values({
      orderId: order._id,
      version: changed.version,
      kind,
      at: Date.now(),
      role: by.role,
      accountId: actorId(by.accountId),
      before: pick(order, Object.keys(set)),
      after: { ...pick(changed, Object.keys(set)), ...details },
    }),
    db
      .update(orders)
      .set({
        ...set,
        ...(set.accountId !== undefined && emailNow(set.accountId)),
        version: changed.version,
      })
      .where(and(eq(orders._id, order._id), eq(orders.version, order.version))),
    ...(set.paymentStatus || set.orderStatus || set.accountId || set.refundedCents !== undefined
      ? [moveTotals(db, order, changed), ...updateSourceTotals(db, order, changed)]
      : []),
    // Once the work is done, emails about new dates are no longer needed.
    ...(displayStatusOf(changed) === 'In progress' || displayStatusOf(order) !== 'In progress'
      ? []
      : [cancelMails(db, planTopic(order._id))]),
    ...(changed.paymentStatus === order.paymentStatus ? [] : [cancelMails(db, reminderTopic(order._id))]),
    ...others,
  ];
  return { changed, statements };
}

/**
 * @param others more statements for the same batch
 * @returns the changed order; undefined if the order changed after it was read, or if an assertion of `others` failed
 */
export async function changeOrder(
  db: Database,
  order: OrderRecord,
  change: OrderChange,
  others: readonly Statement[] = [],
): Promise<OrderRecord | undefined> {
  const { changed, statements } = changeStatements(db, order, change, others);
  return (await writeUnlessConflict(db, statements)) ? changed : undefined;
}

/** How many times a change may lose to concurrent changes before the caller gets a 503. */
const maxConflicts = 12;

/**
 * Repeats an attempt (read the order, decide, write) until no other change interferes.
 * @param attempt returns undefined if another change came first
 * @throws ApiError 503 if other changes keep winning
 */
export const retryOnConflict = <T>(attempt: () => Promise<T | undefined>): Promise<T> =>
  retryUntilWritten(attempt, maxConflicts, () =>
    unavailable('This order is changing right now. Please try again in a moment.'),
  );
