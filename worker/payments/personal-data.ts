/**
 * Payments and refunds in the export and deletion of personal data. Refunds stay, but the notes to the customer do not.
 * The ledger contains no personal data.
 */
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Person, PersonalRecords } from '../accounts/personal-data.ts';
import { toPriceText } from '#contract/money.ts';
import { isTheirOrder, ordersOwnedBy, theirOrders } from '../orders/personal-data.ts';
import type { Statement } from '../db/client.ts';
import { orders, subscriptions } from '../orders/schema.ts';
import { endUnpaidOrders } from './cancel.ts';
import { openPaymentContext, type PaymentContext } from './context.ts';
import { toRefund } from './refunds.ts';
import { payments, refunds } from './schema.ts';
import { orUndefinedIf404 } from './stripe.ts';
import { listSubscriptions, toSubscription } from './subscriptions.ts';

/**
 * Ends the subscriptions of an account that is about to be deleted, by deleting its customers at Stripe.
 * @returns the statements that record it, for the deletion's batch
 * @throws StripeError Stripe does not answer
 */
async function endSubscriptions({ db, stripe }: PaymentContext, account: Person): Promise<Statement[]> {
  const theirs = await db
    .select({ _id: subscriptions._id, customerId: subscriptions.customerId, endedAt: subscriptions.endedAt })
    .from(subscriptions)
    .innerJoin(orders, eq(orders._id, subscriptions.firstOrderId))
    .where(and(isTheirOrder(account), ne(subscriptions.customerId, '')));
  for (const { customerId } of theirs) await orUndefinedIf404(stripe.customers.del(customerId));
  const now = Date.now();
  return theirs.map(({ _id, endedAt }) =>
    db
      .update(subscriptions)
      .set({
        customerId: '',
        card: '',
        invoiceUrl: '',
        checkAt: null,
        endedAt: endedAt ?? now,
        version: sql`${subscriptions.version} + 1`,
      })
      .where(eq(subscriptions._id, _id)),
  );
}

/**
 * A person's refunds. They are found by the account of the orders, so this must run before the orders lose their
 * account.
 */
export const refundsOfPerson: PersonalRecords = {
  conclude: async ({ db, env, log }, account) => {
    const context = openPaymentContext(env, log, db);
    const unpaid = await endUnpaidOrders(context, account);
    return [...unpaid, ...(await endSubscriptions(context, account))];
  },
  export: async (db, { id }, env) => {
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
    const [paid, rows, subscribed] = await Promise.all([
      paying,
      refunding,
      listSubscriptions(db, { page: 1, pageSize: 1_000 }, id),
    ]);
    return {
      subscriptions: subscribed.rows.map((found) => toSubscription(env, found)),
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
        ...toRefund({ refund, isReturn: refusal !== null, by: '' }, false),
      })),
    };
  },
  // Issued receipts keep the email that is on them.
  rename: (db, accountId, { from }) => [
    db
      .update(payments)
      .set({ receiptEmail: from })
      .where(and(eq(payments.receiptEmail, ''), inArray(payments.orderId, ordersOwnedBy(db, accountId)))),
  ],
  forget: (db, account) => [
    db
      .update(payments)
      .set({ receiptEmail: '' })
      .where(inArray(payments.orderId, theirOrders(db, account))),
    db
      .update(refunds)
      .set({ note: '' })
      .where(inArray(refunds.orderId, theirOrders(db, account))),
    db.update(refunds).set({ accountId: '' }).where(eq(refunds.accountId, account.id)),
  ],
};
