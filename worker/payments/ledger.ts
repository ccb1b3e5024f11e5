/**
 * The ledger: one list of every movement of money, which adds up. The batch of each change writes its entry, with
 * the resulting balance, and no entry can be written twice.
 */
import { asc, desc, eq, gt, lte, max, sql } from 'drizzle-orm';
import { formatCents } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { ledgerEntryTexts, type LedgerEntryKind } from '#contract/payments.ts';
import type { LedgerEntry } from '#contract/refunds.calls.ts';
import { readTogether, type Database, type Statement } from '../db/client.ts';
import { orders } from '../orders/schema.ts';
import { ledger, type PaymentRecord } from './schema.ts';
import { readInChunks, type Page } from '../db/paging.ts';

export interface NewMovement {
  readonly kind: LedgerEntryKind;
  readonly orderId: string;
  /** Cents that came in; negative for cents that went out. */
  readonly amountCents: number;
  /** Stripe's id of the PaymentIntent, refund or dispute; empty for money outside Stripe. */
  readonly stripeId: string;
  /** Its identity among entries of its kind: the Stripe id, or our row's id for money outside Stripe. */
  readonly subject: string;
}

const lastBalance = sql`coalesce((SELECT ${ledger.balanceCents} FROM ${ledger} ORDER BY ${ledger.sequence} DESC LIMIT 1), 0)`;

/** The statement that writes an entry. If the entry already exists, the whole batch fails (`isUniqueViolation`). */
export const writeMovement = (
  db: Database,
  { kind, orderId, amountCents, stripeId, subject }: NewMovement,
): Statement =>
  db.insert(ledger).values({
    key: `${kind}:${subject}`,
    at: Date.now(),
    orderId,
    kind,
    amountCents,
    stripeId,
    balanceCents: sql`${lastBalance} + ${amountCents}`,
  });

/** The entry for a payment, whether its order can accept it or not. */
export const movementOf = ({
  _id,
  orderId,
  method,
  paymentIntentId,
  amountCents,
}: Pick<PaymentRecord, '_id' | 'orderId' | 'method' | 'amountCents'> & {
  readonly paymentIntentId?: string | null;
}): NewMovement => ({
  kind: method === 'Card' ? 'payment' : 'outsidePayment',
  orderId,
  amountCents,
  stripeId: paymentIntentId ?? '',
  subject: paymentIntentId ?? _id,
});

/** The entry that takes a payment outside Stripe back. */
export const withdrawalOf = (payment: PaymentRecord): NewMovement => ({
  ...movementOf(payment),
  kind: 'outsidePaymentWithdrawn',
  amountCents: -payment.amountCents,
});

const readMovements = (db: Database) =>
  db
    .select({ movement: ledger, orderNumber: orders.number })
    .from(ledger)
    .leftJoin(orders, eq(orders._id, ledger.orderId))
    .$dynamic();

type ReadMovement = Awaited<ReturnType<typeof readMovements>>[number];

const shown = ({ movement, orderNumber }: ReadMovement): LedgerEntry => {
  const { sequence, at, orderId, kind, amountCents, stripeId, balanceCents } = movement;
  return {
    sequence,
    at: new Date(at).toISOString(),
    orderId,
    orderNumber: orderNumber ?? 0,
    kind,
    amountCents,
    stripeId,
    balanceCents,
  };
};

/** One page of the ledger, newest first, with the total. Its sequence has no gaps, so a page is a range of keys. */
export async function readLedger(db: Database, { page, pageSize }: PageQuery): Promise<Page<LedgerEntry>> {
  const last = db.select({ sequence: max(ledger.sequence) }).from(ledger);
  const [[found], rows] = await readTogether(db, [
    last,
    readMovements(db)
      .where(lte(ledger.sequence, sql`${last} - ${(page - 1) * pageSize}`))
      .orderBy(desc(ledger.sequence))
      .limit(pageSize),
  ]);
  return { total: found?.sequence ?? 0, rows: rows.map(shown) };
}

/** The whole ledger, oldest first. */
export const readWholeLedger = (db: Database): AsyncGenerator<LedgerEntry[], void> =>
  readInChunks(
    (last: Awaited<ReturnType<typeof readMovements>>[number] | undefined, limit) =>
      readMovements(db)
        .where(last && gt(ledger.sequence, last.movement.sequence))
        .orderBy(asc(ledger.sequence))
        .limit(limit),
    shown,
  );

/** The columns of the export. */
export const ledgerColumns: readonly (readonly [string, (movement: LedgerEntry) => string])[] = [
  ['No.', ({ sequence }) => String(sequence)],
  ['Date', ({ at }) => at],
  ['Order', ({ orderNumber }) => displayOrderNumber(orderNumber)],
  ['Kind', ({ kind }) => ledgerEntryTexts[kind]],
  ['Amount (USD)', ({ amountCents }) => formatCents(amountCents)],
  ['Stripe id', ({ stripeId }) => stripeId],
  ['Balance (USD)', ({ balanceCents }) => formatCents(balanceCents)],
];
