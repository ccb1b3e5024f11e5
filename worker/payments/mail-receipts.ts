/**
 * Mailed receipts for people other than the order's customer: the payer, and the address for a copy. These
 * addresses are not verified, so the mail contains no text that a person typed into a form, and no link to the
 * account.
 */
import type Stripe from 'stripe';
import { isDeliverable, normalizeEmail } from '#contract/accounts.ts';
import { displayDate } from '#contract/days.ts';
import { queueLimitedMail } from '../accounts/limited-mail.ts';
import type { Statement } from '../db/client.ts';
import { dayOf } from '../env.ts';
import { payerReceiptMail } from '../orders/mails.ts';
import { numberQuery } from '../orders/read.ts';
import type { NewOrderRecord } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { findSeller, methodText } from './receipts.ts';
import type { NewPayment } from './schema.ts';
import { expanded } from './stripe.ts';

/** The payer's email according to Stripe; empty if Stripe has none. */
const payerEmail = (intent: Stripe.PaymentIntent | undefined): string =>
  expanded(intent?.latest_charge)?.billing_details.email ?? '';

/**
 * The statements that queue these receipts, for the batch that records the payment.
 * @param intent of a payment by card
 */
export async function mailReceipts(
  { db, env }: PaymentContext,
  order: NewOrderRecord,
  payment: NewPayment,
  intent?: Stripe.PaymentIntent,
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
