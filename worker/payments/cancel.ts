/**
 * Ends an order's card payment from our side: by cancelling the order, or by recording a payment that was made
 * another way. Both cancel the live intent at Stripe first, so Stripe decides which came first. If the card payment
 * has already succeeded, the order becomes Paid.
 */
import { and, eq } from 'drizzle-orm';
import { newId } from '#contract/ids.ts';
import { isCancellable } from '#contract/orders.ts';
import type { Person } from '../accounts/personal-data.ts';
import type { Statement } from '../db/client.ts';
import { conflict } from '../http/errors.ts';
import { forEachConcurrent } from '../operations/for-each-concurrent.ts';
import {
  changeOrder,
  changeStatements,
  retryOnConflict,
  type Actor,
  type OrderChange,
} from '../orders/changes.ts';
import { orderCancelledMail, orderExpiredMail } from '../orders/mails.ts';
import { notifyCustomer } from '../orders/notify.ts';
import { isTheirOrder } from '../orders/personal-data.ts';
import { findOrder } from '../orders/read.ts';
import { endUnpaidSubscription } from '../orders/subscriptions.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { withdrawalOf, writeEntry } from './ledger.ts';
import { confirmPayment, refundedAlready } from './pay.ts';
import { settledPaymentQuery } from './refunds.ts';
import { payments, type NewPayment } from './schema.ts';
import { closeIntent, settlePayment } from './settle.ts';
import { cancelIntent, findIntent } from './stripe.ts';
import { onPaid } from './on-paid.ts';

const bankIsWorking = () =>
  conflict('The bank is working on a card payment for this order right now. Please try again in a minute.');

/**
 * Cancels an order's intent at Stripe.
 * @returns true if it can no longer succeed; false if it has succeeded, and is now settled
 * @throws ApiError 409 the bank is working on it, StripeError Stripe does not answer
 */
async function endIntent(context: PaymentContext, { paymentIntentId }: OrderRecord): Promise<boolean> {
  const { stripe, beforeStep } = context;
  if (paymentIntentId === '') return true;
  await beforeStep('close intent');
  const intent = await cancelIntent(stripe, paymentIntentId);
  // If our key cannot see the intent, no one can pay it with a client secret from this site.
  if (!intent || intent.status === 'canceled') return true;
  if (intent.status !== 'succeeded') throw bankIsWorking();
  await settlePayment(context, intent);
  return false;
}

/**
 * Cancels an unpaid order. Only staff can cancel a delivered one.
 * @throws ApiError 404, 409 it is paid, is being paid right now, or is delivered
 */
export function cancelOrder(context: PaymentContext, orderId: string, by: Actor): Promise<OrderRecord> {
  const { db, beforeStep } = context;
  return retryOnConflict(async () => {
    const order = await findOrder(db, orderId);
    if (order.paymentStatus === 'Cancelled') return order;
    if (order.paymentStatus === 'Paid')
      throw conflict(
        by.role === 'administrator'
          ? 'This order is paid. Refund it instead: that cancels it.'
          : 'This order is paid, so it cannot be cancelled here. Please write to us.',
        { paymentStatus: 'Paid' },
      );
    if (order.paymentStatus === 'Refunded') throw refundedAlready();
    if (by.role !== 'administrator' && !isCancellable(order))
      throw conflict(
        'We have delivered this order, so it can no longer be cancelled here. If something is wrong with it, please write to us.',
        { orderStatus: 'Delivered' },
      );
    if (!(await endIntent(context, order)))
      throw conflict('Your payment had already gone through, so the order is paid and was not cancelled.', {
        paymentStatus: 'Paid',
      });
    await beforeStep('cancel');
    return changeOrder(db, order, { kind: 'cancelled', by, set: { paymentStatus: 'Cancelled' } }, [
      closeIntent(context, order.paymentIntentId),
      endUnpaidSubscription(db, order),
      ...notifyCustomer(
        context,
        order,
        'order-cancelled',
        by.role === 'system' ? orderExpiredMail : orderCancelledMail,
      ),
    ]);
  });
}

/**
 * Cancels the unpaid orders of an account that is about to be deleted, including delivered ones, because afterward
 * there is no one left to ask for the money.
 * @returns the statements that cancel the orders, for the deletion's batch. If the batch fails, the orders stay
 *   unpaid and payable. It fails with a unique violation if an order changed in the meantime.
 * @throws ApiError 409 the bank is working on a payment, StripeError Stripe does not answer
 */
export async function endUnpaidOrders(context: PaymentContext, account: Person): Promise<Statement[]> {
  const { db, stripe, beforeStep } = context;
  const unpaid = await db
    .select({ _id: orders._id, intentId: orders.paymentIntentId })
    .from(orders)
    .where(and(isTheirOrder(account), eq(orders.paymentStatus, 'UnPaid')));
  // Ask about all intents before cancelling any, so a foreseeable refusal leaves every order unchanged.
  await forEachConcurrent(unpaid, async ({ intentId }) => {
    const intent = intentId === '' ? undefined : await findIntent(stripe, intentId);
    if (intent?.status === 'processing') throw bankIsWorking();
  });
  const statements: Statement[] = [];
  for (const { _id } of unpaid) {
    const ofOrder = await retryOnConflict(async () => {
      const order = await findOrder(db, _id);
      if (order.paymentStatus !== 'UnPaid') return [];
      if (!(await endIntent(context, order))) return undefined;
      await beforeStep('cancel');
      const by = { role: 'customer', accountId: account.id } as const;
      const change = { kind: 'cancelled', by, set: { paymentStatus: 'Cancelled' } } as const;
      const others = [closeIntent(context, order.paymentIntentId), endUnpaidSubscription(db, order)];
      return changeStatements(db, order, change, others).statements;
    });
    statements.push(...ofOrder);
  }
  return statements;
}

/**
 * Records that an order was paid outside Stripe.
 * @returns undefined if another change came first
 */
async function writePaidByHand(
  context: PaymentContext,
  order: OrderRecord,
  by: Actor,
): Promise<OrderRecord | undefined> {
  const { db, beforeStep } = context;
  if (!(await endIntent(context, order))) return undefined;
  const change: OrderChange = { kind: 'paidByHand', by, set: { paymentStatus: 'Paid' } };
  const payment: NewPayment = {
    _id: newId(),
    orderId: order._id,
    method: 'PayPal',
    amountCents: order.priceCents,
    currency: 'usd',
    outcome: 'settled',
    at: Date.now(),
  };
  const paid = await onPaid(context, order, payment);
  await beforeStep('record by hand');
  return changeOrder(db, order, change, [closeIntent(context, order.paymentIntentId), ...paid]);
}

/**
 * Withdraws the record that an order was paid outside Stripe.
 * @returns undefined if another change came first
 */
async function writeUnpaid(
  context: PaymentContext,
  order: OrderRecord,
  by: Actor,
): Promise<OrderRecord | undefined> {
  const { db, beforeStep } = context;
  if (order.paymentMethod === 'Card')
    throw conflict(
      'This order was paid by card through Stripe, so it stays Paid. To give the money back, refund it.',
    );
  if (order.refundedCents > 0)
    throw conflict('Part of this payment was refunded, so the order stays Paid. Refund the rest instead.');
  const settled = await settledPaymentQuery(db, order._id);
  await beforeStep('record by hand');
  return changeOrder(
    db,
    order,
    { kind: 'paymentWithdrawn', by, set: { paymentStatus: 'UnPaid' } },
    settled.flatMap((payment) => [
      db.update(payments).set({ outcome: 'withdrawn' }).where(eq(payments._id, payment._id)),
      writeEntry(db, withdrawalOf(payment)),
    ]),
  );
}

/**
 * Sets an order's payment status on behalf of an administrator.
 * @throws ApiError 404, 409 it is cancelled, was paid by card, or is being paid right now
 */
export function setPaymentByHand(
  context: PaymentContext,
  orderId: string,
  paymentStatus: 'UnPaid' | 'Paid',
  by: Actor,
): Promise<OrderRecord> {
  return retryOnConflict(async () => {
    const order = await findOrder(context.db, orderId);
    if (order.paymentStatus === paymentStatus) return order;
    if (order.paymentStatus === 'Refunded') throw refundedAlready();
    if (order.paymentStatus === 'Cancelled')
      throw conflict('This order was cancelled and stays cancelled. The customer can place a new one.');
    // Only Stripe charges a subscription. The administrator may be the one who has just paid by card.
    if (order.subscriptionId !== null && paymentStatus === 'Paid' && order.paymentIntentId !== '')
      return confirmPayment(context, orderId);
    if (order.subscriptionId !== null)
      throw conflict(
        'This order is one month of a subscription, which only Stripe can charge. Send the customer the payment link.',
      );
    return paymentStatus === 'Paid' ? writePaidByHand(context, order, by) : writeUnpaid(context, order, by);
  });
}
