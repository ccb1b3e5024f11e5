/**
 * Refunds of an account that asks for its data, or goes: what was returned stays, what was written to its owner does not.
 * The ledger holds nothing personal.
 */
import { asc, eq, inArray } from 'drizzle-orm';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import { orders } from '../orders/schema.ts';
import { shownRefund } from './refunds.ts';
import { payments, refunds } from './schema.ts';

/** The refunds of a person. Their orders are known by the account, so this comes before the orders forget it. */
export const refundsOfPerson: PersonalRecords = {
  export: async (db, { id }) => {
    const rows = await db
      .select({ refund: refunds, refusal: payments.refusal, orderId: orders._id })
      .from(refunds)
      .innerJoin(orders, eq(orders._id, refunds.orderId))
      .innerJoin(payments, eq(payments._id, refunds.paymentId))
      .where(eq(orders.accountId, id))
      .orderBy(asc(refunds._id));
    return {
      refunds: rows.map(({ refund, refusal, orderId }) => ({
        orderId,
        ...shownRefund({ refund, isReturn: refusal !== null, by: '' }, false),
      })),
    };
  },
  forget: (db, { id }) => [
    db
      .update(refunds)
      .set({ note: '' })
      .where(
        inArray(refunds.orderId, db.select({ _id: orders._id }).from(orders).where(eq(orders.accountId, id))),
      ),
    db.update(refunds).set({ accountId: '' }).where(eq(refunds.accountId, id)),
  ],
};
