/**
 * Disputes: the payer's bank takes a card payment back until the dispute is decided. Events about a dispute arrive
 * in any order and any number of times, so each one makes us ask Stripe for the current state. We record each state
 * once: the dispute, the money that moved, and an event in the order's timeline.
 */
import { eq, inArray } from 'drizzle-orm';
import type Stripe from 'stripe';
import { newId } from '#contract/ids.ts';
import { toPriceText } from '#contract/money.ts';
import { readTogether, type Statement } from '../db/client.ts';
import { changeOrder, retryOnConflict, stripeActor } from '../orders/changes.ts';
import { orderQuery } from '../orders/read.ts';
import type { OrderRecord } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { writeEntry, type NewLedgerEntry } from './ledger.ts';
import { disputes, ledger, type DisputeRecord, type PaymentRecord } from './schema.ts';
import { idOf, orUndefinedIf404 } from './stripe.ts';
import { findReportedPayment } from './reported-payment.ts';

/** Stripe's statuses of decided disputes; all others are open (https://docs.stripe.com/api/disputes/object). */
const closedStatuses = ['won', 'lost', 'warning_closed', 'prevented'];

function toRow(
  dispute: Stripe.Dispute,
  { orderId, paymentIntentId }: PaymentRecord,
  known: DisputeRecord | undefined,
): DisputeRecord {
  const { id, amount, reason, status, created, evidence_details } = dispute;
  const isClosed = closedStatuses.includes(status);
  return {
    _id: known?._id ?? newId(),
    disputeId: id,
    orderId,
    paymentIntentId: paymentIntentId ?? '',
    amountCents: amount,
    reason,
    status,
    evidenceDueAt: evidence_details.due_by === null ? null : evidence_details.due_by * 1_000,
    openedAt: created * 1_000,
    closedAt: isClosed ? (known?.closedAt ?? Date.now()) : null,
  };
}

const isSame = (one: DisputeRecord, other: DisputeRecord): boolean =>
  Object.entries(one).every(([name, value]) => other[name as keyof DisputeRecord] === value);

/** The statements that add a dispute's money movements that are not in the ledger yet. */
async function newEntries(
  { db }: PaymentContext,
  orderId: string,
  { id, amount, currency, balance_transactions }: Stripe.Dispute,
): Promise<Statement[]> {
  const moved = balance_transactions.flatMap((transaction): NewLedgerEntry[] => {
    const sign = Math.sign(transaction.amount);
    const facts = { orderId, stripeId: id, subject: transaction.id };
    const kind = sign < 0 ? 'disputeWithdrawn' : 'disputeReinstated';
    // The balance may be in a different currency than the payment.
    if (transaction.currency !== currency) return [{ ...facts, kind, amountCents: sign * amount }];
    const fee = { ...facts, kind: 'fee', amountCents: -transaction.fee } as const;
    return [{ ...facts, kind, amountCents: transaction.amount }, ...(transaction.fee === 0 ? [] : [fee])];
  });
  const keys = moved.map(({ kind, subject }) => `${kind}:${subject}`);
  const written = await db.select({ key: ledger.key }).from(ledger).where(inArray(ledger.key, keys));
  return moved
    .filter((_, index) => !written.some(({ key }) => key === keys[index]))
    .map((entry) => writeEntry(db, entry));
}

/**
 * Writes a dispute's state if it has changed.
 * @returns undefined if another change came first
 */
async function writeDispute(
  context: PaymentContext,
  order: OrderRecord,
  payment: PaymentRecord,
  dispute: Stripe.Dispute,
  known: DisputeRecord | undefined,
): Promise<OrderRecord | true | undefined> {
  const { db, log, beforeStep } = context;
  const row = toRow(dispute, payment, known);
  const entries = await newEntries(context, order._id, dispute);
  if (known && isSame(known, row) && entries.length === 0) return true;
  const isDecided = row.closedAt !== null && (known?.closedAt ?? null) === null;
  const kind = isDecided ? 'disputeClosed' : known ? 'disputeUpdated' : 'disputeOpened';
  const { _id, ...values } = row;
  await beforeStep('record dispute');
  const written = await changeOrder(
    db,
    order,
    {
      kind,
      by: stripeActor,
      set: {},
      details: { amount: toPriceText(row.amountCents), reason: row.reason, status: row.status },
    },
    [
      db
        .insert(disputes)
        .values({ _id, ...values })
        .onConflictDoUpdate({ target: disputes.disputeId, set: values }),
      ...entries,
    ],
  );
  if (written) log('dispute.recorded', { order: order._id, dispute: row.disputeId, status: row.status });
  return written;
}

/**
 * Records a dispute's current state at Stripe. A dispute about a payment that is not ours changes nothing.
 * @throws StripeError Stripe does not answer
 */
export async function settleDispute(context: PaymentContext, disputeId: string): Promise<void> {
  const { db, log, stripe } = context;
  const reported = await orUndefinedIf404(stripe.disputes.retrieve(disputeId));
  const payment = reported && (await findReportedPayment(context, idOf(reported.payment_intent)));
  if (!payment) {
    log('dispute.unknown', { dispute: disputeId });
    return;
  }
  await retryOnConflict(async () => {
    const [[order], [known]] = await readTogether(db, [
      orderQuery(db, payment.orderId),
      db.select().from(disputes).where(eq(disputes.disputeId, disputeId)),
    ]);
    if (!order) return true;
    // Ask Stripe after reading the order. If another call writes between Stripe's response and our write, we read
    // and ask again, so an old response never replaces a newer one.
    const dispute = await stripe.disputes.retrieve(disputeId);
    return writeDispute(context, order, payment, dispute, known);
  });
}
