/**
 * The ledger: one list of all money movements. The batch of each change writes its entry with the resulting
 * balance. No entry can be written twice.
 */
import { and, asc, count, desc, eq, gt, gte, lt, lte, max, sql, type SQL } from 'drizzle-orm';
import type Stripe from 'stripe';
import { formatCents } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { ledgerEntryTexts, type LedgerEntryKind } from '#contract/payments.ts';
import type { LedgerEntry, LedgerFilter, LedgerTotals } from '#contract/refunds.calls.ts';
import { monthIn } from '#contract/zoned-time.ts';
import { readTogether, type Database, type Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { CsvColumns } from '../http/csv.ts';
import { searchCondition } from '../orders/list.ts';
import { orders } from '../orders/schema.ts';
import { ledger, type NewPayment, type PaymentRecord } from './schema.ts';
import { expanded } from './stripe.ts';
import { idsOnPage, readInChunks, readPage, type Page } from '../db/paging.ts';

export interface NewLedgerEntry {
  readonly kind: LedgerEntryKind;
  readonly orderId: string;
  /** In cents; negative for outgoing money. */
  readonly amountCents: number;
  /** Stripe's id of the PaymentIntent, refund or dispute; empty for money outside Stripe. */
  readonly stripeId: string;
  /** What makes the entry unique within its kind: the Stripe id, or our row's id for money outside Stripe. */
  readonly subject: string;
}

const lastBalance = sql`coalesce((SELECT ${ledger.balanceCents} FROM ${ledger} ORDER BY ${ledger.sequence} DESC LIMIT 1), 0)`;

/** The statement that writes an entry. If the entry already exists, the whole batch fails (`isUniqueViolation`). */
export const writeEntry = (
  db: Database,
  { kind, orderId, amountCents, stripeId, subject }: NewLedgerEntry,
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
const paymentEntry = (payment: NewPayment): NewLedgerEntry => ({
  kind: payment.method === 'Card' ? 'payment' : 'outsidePayment',
  orderId: payment.orderId,
  amountCents: payment.amountCents,
  stripeId: payment.paymentIntentId ?? '',
  subject: payment.paymentIntentId ?? payment._id,
});

/**
 * The entry for Stripe's fee of a card payment. It is separate, because Stripe may report it later than the
 * payment, and entries never change.
 * @param intent with its charge and that charge's balance transaction
 * @returns undefined if Stripe has not reported the fee yet, charges none, or uses another currency
 */
export function feeOf(
  { orderId }: NewPayment,
  { id, currency, latest_charge: charge }: Stripe.PaymentIntent,
): NewLedgerEntry | undefined {
  const booked = expanded(expanded(charge)?.balance_transaction);
  if (booked?.currency !== currency || booked.fee <= 0) return undefined;
  return { kind: 'fee', orderId, amountCents: -booked.fee, stripeId: id, subject: id };
}

/**
 * The statements for a payment and, if Stripe reports it, its fee.
 * @param intent of a payment by card
 */
export function writePayment(
  db: Database,
  payment: NewPayment,
  intent: Stripe.PaymentIntent | undefined,
): Statement[] {
  const fee = intent && feeOf(payment, intent);
  return [writeEntry(db, paymentEntry(payment)), ...(fee ? [writeEntry(db, fee)] : [])];
}

export const feeQuery = (db: Database, paymentIntentId: string) =>
  db
    .select({ key: ledger.key })
    .from(ledger)
    .where(eq(ledger.key, `fee:${paymentIntentId}`));

/** The entry that withdraws a payment outside Stripe. */
export const withdrawalOf = (payment: PaymentRecord): NewLedgerEntry => ({
  ...paymentEntry(payment),
  kind: 'outsidePaymentWithdrawn',
  amountCents: -payment.amountCents,
});

/** The fee of a payment, from its own entry. */
const feeCents = sql<number | null>`CASE WHEN ${ledger.kind} = 'payment' THEN (
  SELECT -"amountCents" FROM ${ledger} AS "fees" WHERE "fees"."key" = 'fee:' || ${ledger.stripeId}
) END`;

const selectEntries = (db: Database) =>
  db
    .select({
      entry: ledger,
      feeCents,
      orderNumber: orders.number,
      customerName: orders.customerName,
      customerEmail: orders.customerEmail,
    })
    .from(ledger)
    .leftJoin(orders, eq(orders._id, ledger.orderId))
    .$dynamic();

type EntryRow = Awaited<ReturnType<typeof selectEntries>>[number];

const shown = ({ entry, ...found }: EntryRow): LedgerEntry => ({
  sequence: entry.sequence,
  at: new Date(entry.at).toISOString(),
  orderId: entry.orderId,
  orderNumber: found.orderNumber ?? 0,
  customerName: found.customerName ?? '',
  customerEmail: found.customerEmail ?? '',
  kind: entry.kind,
  amountCents: entry.amountCents,
  stripeId: entry.stripeId,
  feeCents: found.feeCents,
  balanceCents: entry.balanceCents,
});

/** The condition of a filter; undefined for the whole ledger. */
function conditionOf(
  { SITE_TIMEZONE }: Pick<Env, 'SITE_TIMEZONE'>,
  { month, q }: LedgerFilter,
): SQL | undefined {
  const range = month === undefined ? undefined : monthIn(SITE_TIMEZONE, month);
  return and(
    range && and(gte(ledger.at, range.from), lt(ledger.at, range.to)),
    q === undefined
      ? undefined
      : sql`${ledger.orderId} IN (SELECT ${orders._id} FROM ${orders} WHERE ${searchCondition(q)})`,
  );
}

/** One page of the whole ledger, newest first, with the total. Its sequence has no gaps, so a page is a range of keys. */
async function readAnyPage(db: Database, { page, pageSize }: PageQuery): Promise<Page<EntryRow>> {
  const last = db.select({ sequence: max(ledger.sequence) }).from(ledger);
  const [[found], rows] = await readTogether(db, [
    last,
    selectEntries(db)
      .where(lte(ledger.sequence, sql`${last} - ${(page - 1) * pageSize}`))
      .orderBy(desc(ledger.sequence))
      .limit(pageSize),
  ]);
  return { total: found?.sequence ?? 0, rows };
}

/** One page of the matching entries, newest first, with their number. */
export async function readLedger(
  db: Database,
  env: Pick<Env, 'SITE_TIMEZONE'>,
  { page, pageSize, ...filter }: PageQuery & LedgerFilter,
): Promise<Page<LedgerEntry>> {
  const where = conditionOf(env, filter);
  const found = await (where
    ? readPage(db, { page, pageSize }, db.select({ count: count() }).from(ledger).where(where), (window) =>
        selectEntries(db)
          .where(sql`${ledger.sequence} IN ${idsOnPage(db, ledger.sequence, window, where)}`)
          .orderBy(desc(ledger.sequence)),
      )
    : readAnyPage(db, { page, pageSize }));
  return { total: found.total, rows: found.rows.map(shown) };
}

export async function readLedgerTotals(
  db: Database,
  env: Pick<Env, 'SITE_TIMEZONE'>,
  filter: LedgerFilter,
): Promise<LedgerTotals> {
  const sumOf = (condition: SQL) =>
    sql<number>`coalesce(sum(${ledger.amountCents}) FILTER (WHERE ${condition}), 0)`;
  const [totals] = await db
    .select({
      entries: count(),
      inCents: sumOf(sql`${ledger.amountCents} > 0`),
      outCents: sumOf(sql`${ledger.amountCents} < 0`),
      feeCents: sumOf(sql`${ledger.kind} = 'fee'`),
    })
    .from(ledger)
    .where(conditionOf(env, filter));
  return totals ?? { entries: 0, inCents: 0, outCents: 0, feeCents: 0 };
}

/** The matching entries, oldest first. */
export const readWholeLedger = (
  db: Database,
  env: Pick<Env, 'SITE_TIMEZONE'>,
  filter: LedgerFilter = {},
): AsyncGenerator<LedgerEntry[], void> =>
  readInChunks(
    (last: EntryRow | undefined, limit) =>
      selectEntries(db)
        .where(and(conditionOf(env, filter), last && gt(ledger.sequence, last.entry.sequence)))
        .orderBy(asc(ledger.sequence))
        .limit(limit),
    shown,
  );

const formatFee = (cents: number | null): string => (cents === null ? '' : formatCents(cents));

export const ledgerColumns: CsvColumns<LedgerEntry> = [
  ['No.', ({ sequence }) => String(sequence)],
  ['Date', ({ at }) => at],
  ['Order', ({ orderNumber }) => displayOrderNumber(orderNumber)],
  ['Kind', ({ kind }) => ledgerEntryTexts[kind]],
  ['Amount (USD)', ({ amountCents }) => formatCents(amountCents)],
  ['Stripe id', ({ stripeId }) => stripeId],
  ['Balance (USD)', ({ balanceCents }) => formatCents(balanceCents)],
  ['Customer', ({ customerName }) => customerName],
  ['Email', ({ customerEmail }) => customerEmail],
  // The fee has its own entry too, so the sum of the amounts is the net amount.
  ['Fee (USD)', ({ feeCents: fee }) => formatFee(fee)],
  ['Net (USD)', ({ amountCents, feeCents: fee }) => formatFee(fee === null ? null : amountCents - fee)],
];
