/**
 * What follows when an order becomes Paid, however it was paid: emails to the customer and the business, and the
 * start of the work.
 */
import { sql } from 'drizzle-orm';
import { displayDate } from '#contract/days.ts';
import type { Statement } from '../db/client.ts';
import { dayOf } from '../env.ts';
import { orderPaidMail, type AfterPayment } from '../orders/mails.ts';
import { isPaymentReported, tellBusinessOfPayment, notifyCustomer } from '../orders/notify.ts';
import type { NewOrderRecord } from '../orders/schema.ts';
import { awaitBrief } from '../fulfillment/brief.ts';
import { copyPlan } from '../fulfillment/plan.ts';
import { isBriefAwaited } from '../fulfillment/questions.ts';
import type { PaymentContext } from './context.ts';

/**
 * The email to the customer (`isPaymentReported`). It must come after the statement that starts the wait for the brief.
 */
function tellCustomerOfPayment(
  context: PaymentContext,
  order: NewOrderRecord,
  renewsAt: number | null,
): Statement[] {
  const { db, env } = context;
  const renewsOn = renewsAt === null ? undefined : displayDate(dayOf(env, renewsAt));
  const isAwaited = isBriefAwaited(order._id, order.packageName);
  const tell = (next: AfterPayment, condition = sql`1`) =>
    notifyCustomer(
      context,
      order,
      'order-paid',
      (siteUrl, mailed) => orderPaidMail(siteUrl, mailed, next, renewsOn),
      {
        onlyIf: sql`(${isPaymentReported(db, order)} AND ${condition})`,
      },
    );
  return order.orderStatus === 'Delivered'
    ? tell('delivered')
    : [...tell('questions', isAwaited), ...tell('work', sql`NOT ${isAwaited}`)];
}

/**
 * The statements for the batch that makes an order Paid, after its event.
 * @param order the order as paid
 * @param renewsAt for a monthly package, when the next month is due, in ms
 */
export const onPaid = (
  context: PaymentContext,
  order: NewOrderRecord,
  renewsAt: number | null = null,
): Statement[] => [
  awaitBrief(context.db, order, Date.now()),
  ...tellCustomerOfPayment(context, order, renewsAt),
  tellBusinessOfPayment(context, order),
  ...copyPlan(context.db, context.env, order, Date.now()),
];
