/**
 * The receipt by mail for a payer who is not the order's customer. They typed their email for the card, and nobody has
 * verified it, so the mail contains nothing that a person typed into a form, and no link into the account.
 */
import type Stripe from 'stripe';
import { isDeliverable, normalizeEmail } from '#contract/accounts.ts';
import { displayDate } from '#contract/days.ts';
import { queueLimitedMail } from '../accounts/limited-mail.ts';
import type { Statement } from '../db/client.ts';
import { dayOf } from '../env.ts';
import { payerReceiptMail } from '../orders/mails.ts';
import { numberQuery } from '../orders/notify.ts';
import type { NewOrderRecord } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { findSeller } from './receipts.ts';
import type { PaymentRecord } from './schema.ts';

/** The payer's email as Stripe has it, if it is not the customer's own; undefined if it is, or cannot get mail. */
function payerEmail({ latest_charge: charge }: Stripe.PaymentIntent, customerEmail: string) {
  const typed = charge === null || typeof charge === 'string' ? null : charge.billing_details.email;
  const email = normalizeEmail(typed ?? '');
  return isDeliverable(email) && email !== normalizeEmail(customerEmail) ? email : undefined;
}

/**
 * The statements that queue the payer's receipt, for the batch that records the payment; none if the customer paid.
 * @param payment when and how it was paid; `at` in ms
 */
export async function receiptForPayer(
  { db, env }: PaymentContext,
  order: NewOrderRecord,
  intent: Stripe.PaymentIntent,
  { at, paidWith, amountCents }: Pick<PaymentRecord, 'at' | 'paidWith' | 'amountCents'>,
): Promise<Statement[]> {
  const to = payerEmail(intent, order.customerEmail);
  if (to === undefined) return [];
  const payment = { amountCents, paidOn: displayDate(dayOf(env, at)), paidWith };
  return queueLimitedMail(db, env, {
    accountId: '',
    to,
    kind: 'payer-receipt',
    ...payerReceiptMail(env.SITE_URL, order, payment, await findSeller(db)),
    number: numberQuery(db, order),
  });
}
