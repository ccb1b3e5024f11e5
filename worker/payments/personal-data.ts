/**
 * Payments and refunds in the export and deletion of personal data. Refunds stay, but the notes to the customer do
 * not. The ledger holds nothing personal.
 */
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import { toPriceText } from '#contract/money.ts';
import { isTheirOrder } from '../orders/personal-data.ts';
import { orders } from '../orders/schema.ts';
import { endUnpaidOrders } from './cancel.ts';
import { openPaymentContext } from './context.ts';
import { shownRefund } from './refunds.ts';
import { payments, refunds } from './schema.ts';

/** A person's refunds. They are found by the account of the orders, so this must run before the orders forget it. */
export const refundsOfPerson: PersonalRecords = {
  conclude: ({ db, env, log }, account) => endUnpaidOrders(openPaymentContext(env, log, db), account),
  export: async (db, { id }) => {
    const paying = db
      .select({ payment: payments })
      .from(payments)
      .innerJoin(orders, eq(orders._id, payments.orderId))
      .where(eq(orders.accountId, id))
      .orderBy(asc(payments._id));
    const refunding = db
      .select({ refund: refunds, refusal: payments.refusal, orderId: orders._id })
      .from(refunds)
      .innerJoin(orders, eq(orders._id, refunds.orderId))
      .innerJoin(payments, eq(payments._id, refunds.paymentId))
      .where(eq(orders.accountId, id))
      .orderBy(asc(refunds._id));
    const [paid, rows] = await Promise.all([paying, refunding]);
    return {
      payments: paid.map(({ payment }) => ({
        orderId: payment.orderId,
        at: new Date(payment.at).toISOString(),
        amount: toPriceText(payment.amountCents),
        paidWith: payment.paidWith || payment.method,
        transactionId: payment.paymentIntentId ?? '',
        receiptEmail: payment.receiptEmail,
      })),
      refunds: rows.map(({ refund, refusal, orderId }) => ({
        orderId,
        ...shownRefund({ refund, isReturn: refusal !== null, by: '' }, false),
      })),
    };
  },
  // Issued receipts keep the email that they name.
  rename: (db, accountId, { from }) => [
    db
      .update(payments)
      .set({ receiptEmail: from })
      .where(
        and(
          eq(payments.receiptEmail, ''),
          inArray(
            payments.orderId,
            db.select({ _id: orders._id }).from(orders).where(eq(orders.accountId, accountId)),
          ),
        ),
      ),
  ],
  forget: (db, account) => [
    db
      .update(payments)
      .set({ receiptEmail: '' })
      .where(
        inArray(payments.orderId, db.select({ _id: orders._id }).from(orders).where(isTheirOrder(account))),
      ),
    db
      .update(refunds)
      .set({ note: '' })
      .where(
        inArray(refunds.orderId, db.select({ _id: orders._id }).from(orders).where(isTheirOrder(account))),
      ),
    db.update(refunds).set({ accountId: '' }).where(eq(refunds.accountId, account.id)),
  ],
};
