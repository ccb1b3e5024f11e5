/**
 * What is written when an order becomes Paid, however it was paid: the payment and its ledger entries, emails to the
 * customer, the payer and the business, and the start of the work.
 */
import { sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { isDeliverable, normalizeEmail } from '#contract/account-rules.ts';
import { displayDate } from '#contract/days.ts';
import { isCustomerDeleted } from '#contract/orders.ts';
import { queueLimitedMail } from '../accounts/limited-mail.ts';
import type { Statement } from '../db/client.ts';
import { dayOf } from '../env.ts';
import { orderPaidMail, payerReceiptMail, type AfterPayment } from '../orders/mails.ts';
import { isPaymentReported, notifyBusinessOfPayment, notifyCustomer } from '../orders/notify.ts';
import { numberQuery } from '../orders/read.ts';
import type { NewOrderRecord } from '../orders/schema.ts';
import { requestBrief } from '../fulfillment/brief.ts';
import { copyPlan } from '../fulfillment/copy-plan.ts';
import { isBriefAwaited } from '../fulfillment/questions.ts';
import type { PaymentContext } from './context.ts';
import { writePayment } from './ledger.ts';
import { findSeller, methodText } from './receipts.ts';
import { payments, type NewPayment } from './schema.ts';
import { expanded } from './stripe.ts';
import { readRenewal } from './subscriptions.ts';

/**
 * The email to the customer (`isPaymentReported`). It must come after the statement that makes the order wait for
 * its brief.
 */
async function notifyCustomerOfPayment(
  context: PaymentContext,
  order: NewOrderRecord,
  renewsAt: number | null,
): Promise<Statement[]> {
  const { db } = context;
  const renewal =
    order.subscriptionId && renewsAt !== null
      ? await readRenewal(context, order.subscriptionId, renewsAt)
      : null;
  const isAwaited = isBriefAwaited(order._id, order.packageName);
  const tell = (next: AfterPayment, condition = sql`1`) =>
    notifyCustomer(
      context,
      order,
      'order-paid',
      (siteUrl, mailed) => orderPaidMail(siteUrl, mailed, next, renewal),
      {
        onlyIf: sql`(${isPaymentReported(db, order)} AND ${condition})`,
      },
    );
  return order.orderStatus === 'Delivered'
    ? tell('delivered')
    : [...tell('questions', isAwaited), ...tell('work', sql`NOT ${isAwaited}`)];
}

/** The payer's email according to Stripe; empty if Stripe has none. */
const payerEmail = (intent: Stripe.PaymentIntent | undefined): string =>
  expanded(intent?.latest_charge)?.billing_details.email ?? '';

/**
 * The statements that email receipts to people other than the order's customer: the payer, and the address for a copy.
 * These addresses are not verified, so the email contains no text that a person typed into a form, and no link to the
 * account.
 */
async function mailReceipts(
  { db, env }: PaymentContext,
  order: NewOrderRecord,
  payment: NewPayment,
  intent: Stripe.PaymentIntent | undefined,
): Promise<Statement[]> {
  const addresses = [payerEmail(intent), order.receiptCopyEmail].map(normalizeEmail).filter(isDeliverable);
  const others = [...new Set(addresses)].filter((address) => address !== normalizeEmail(order.customerEmail));
  if (others.length === 0) return [];
  const paidOn = displayDate(dayOf(env, payment.at));
  const paid = { amountCents: payment.amountCents, paidOn, paidWith: methodText(payment) };
  const content = payerReceiptMail(env.SITE_URL, order, paid, await findSeller(db));
  const number = numberQuery(db, order._id);
  return others.flatMap((to) =>
    queueLimitedMail(db, env, { accountId: '', to, kind: 'payer-receipt', content, number }),
  );
}

/**
 * The statements for the batch that makes an order Paid, after its event.
 * @param order the order as paid
 * @param intent of a payment by card
 * @param renewsAt for a monthly package, when the next month is due, in ms
 */
export async function onPaid(
  context: PaymentContext,
  order: NewOrderRecord,
  payment: NewPayment,
  intent?: Stripe.PaymentIntent,
  renewsAt: number | null = null,
): Promise<Statement[]> {
  const { db, env } = context;
  return [
    db.insert(payments).values(payment),
    ...writePayment(db, payment, intent),
    ...(isCustomerDeleted(order) ? [] : [requestBrief(db, order, Date.now())]),
    ...(await notifyCustomerOfPayment(context, order, renewsAt)),
    notifyBusinessOfPayment(context, order),
    ...copyPlan(db, env, order, Date.now()),
    ...(await mailReceipts(context, order, payment, intent)),
  ];
}
