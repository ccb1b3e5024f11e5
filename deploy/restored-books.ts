/**
 * Makes the money of a restored database add up again. A backup that is made while money moves holds each table as it was
 * at a moment of its own (`worker/operations/dump.ts`): an order may have changed without the payment, the refund and the
 * movement that were written with it. What came and went outside Stripe is known from the order alone, and is written
 * down here; about all else the cron trigger asks Stripe.
 */
import type { Client } from '@libsql/client';
import { and, eq, gt, inArray, notExists, sql, type SQL } from 'drizzle-orm';
import { drizzle, type LibSQLDatabase } from 'drizzle-orm/libsql';
import { newId } from '#contract/ids.ts';
import { orders } from '#worker/orders/schema.ts';
import { ledger, payments, refunds } from '#worker/payments/schema.ts';
import { countAnew } from './restored-counts.ts';

const isSettled = eq(payments.outcome, 'settled');
/** Orders that say that they were paid outside Stripe. */
const isPaidOutside = and(
  inArray(orders.paymentStatus, ['Paid', 'Refunded']),
  eq(orders.paymentMethod, 'PayPal'),
);

/** Payments outside Stripe that were taken back, or recorded, while the backup was made. */
async function repairPayments(db: LibSQLDatabase): Promise<void> {
  const isOfOrder = eq(orders._id, payments.orderId);
  await db
    .update(payments)
    .set({ outcome: 'withdrawn' })
    .where(
      and(
        isSettled,
        eq(payments.method, 'PayPal'),
        notExists(db.select({ _id: orders._id }).from(orders).where(and(isOfOrder, isPaidOutside))),
      ),
    );
  const settled = db.select({ _id: payments._id }).from(payments).where(and(isOfOrder, isSettled));
  const at = Date.now();
  const unknown = await db
    .select()
    .from(orders)
    .where(and(isPaidOutside, notExists(settled)));
  for (const { _id: orderId, priceCents: amountCents } of unknown)
    await db.insert(payments).values({
      ...{ _id: newId(), orderId, method: 'PayPal', amountCents, currency: 'usd', outcome: 'settled', at },
    });
}

const returnedOf = (statuses: SQL) =>
  sql<number>`coalesce((SELECT sum(${refunds.amountCents}) FROM ${refunds} WHERE ${refunds.paymentId} = ${payments._id} AND ${refunds.status} IN ${statuses}), 0)`;
const returned = returnedOf(sql`('succeeded')`);

/** What was returned outside Stripe meanwhile; and payments that no order could take, of which the refund is known. */
async function repairRefunds(db: LibSQLDatabase): Promise<void> {
  const at = Date.now();
  const unknown = await db
    .select({
      orderId: orders._id,
      paymentId: payments._id,
      cents: sql<number>`${orders.refundedCents} - ${returned}`,
    })
    .from(orders)
    .innerJoin(payments, and(eq(payments.orderId, orders._id), isSettled, eq(payments.method, 'PayPal')))
    .where(gt(orders.refundedCents, returned));
  for (const { orderId, paymentId, cents: amountCents } of unknown)
    await db.insert(refunds).values({
      ...{
        _id: newId(),
        orderId,
        paymentId,
        amountCents,
        status: 'succeeded',
        accountId: '',
        at,
        changedAt: at,
      },
    });
  await db.run(sql`
    UPDATE ${payments} SET "outcome" = CASE WHEN ${returned} >= ${payments.amountCents} THEN 'refunded' ELSE 'refundDue' END
    WHERE ${payments.refusal} IS NOT NULL AND EXISTS (
      SELECT 1 FROM ${refunds} WHERE ${refunds.paymentId} = ${payments._id} AND ${refunds.refundId} IS NOT NULL)`);
}

/** Writes the movements that the ledger lacks. */
const repairLedger = (db: LibSQLDatabase) =>
  db.run(sql`
    WITH moved AS (
      SELECT CASE "method" WHEN 'Card' THEN 'payment' ELSE 'outsidePayment' END AS kind,
        coalesce("paymentIntentId", "_id") AS subject, "orderId", "amountCents" AS cents, "paymentIntentId" AS "stripeId", "at"
      FROM ${payments}
      UNION ALL SELECT 'outsidePaymentWithdrawn', "_id", "orderId", -"amountCents", NULL, "at" FROM ${payments}
        WHERE "outcome" = 'withdrawn'
      UNION ALL SELECT CASE p."method" WHEN 'Card' THEN 'refund' ELSE 'outsideRefund' END,
        coalesce(r."refundId", r."_id"), r."orderId", -r."amountCents", r."refundId", r."at"
        FROM ${refunds} r JOIN ${payments} p ON p."_id" = r."paymentId"
        WHERE p."method" <> 'Card' OR r."refundId" IS NOT NULL
      UNION ALL SELECT 'refundFailed', "refundId", "orderId", "amountCents", "refundId", "changedAt" FROM ${refunds}
        WHERE "status" IN ('failed', 'canceled') AND "refundId" IS NOT NULL
    )
    INSERT INTO ${ledger} ("key", "at", "orderId", "kind", "amountCents", "stripeId", "balanceCents")
    SELECT kind || ':' || subject, "at", "orderId", kind, cents, coalesce("stripeId", ''),
      coalesce((SELECT "balanceCents" FROM ${ledger} ORDER BY "sequence" DESC LIMIT 1), 0) + sum(cents) OVER (ORDER BY "at", kind, subject)
    FROM moved WHERE kind || ':' || subject NOT IN (SELECT "key" FROM ${ledger}) ORDER BY "at", kind, subject`);

/** Makes payments, refunds, ledger and counts of a restored database agree with its orders. It may be repeated. */
export async function repairBooks(client: Client): Promise<void> {
  const db = drizzle(client);
  await repairPayments(db);
  await repairRefunds(db);
  await repairLedger(db);
  await countAnew(db);
}
