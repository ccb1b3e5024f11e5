/**
 * Adds the rows that an earlier release does not write because it does not know their tables. During a rollout, and
 * after a rollback, its Workers write payments without their movement in the ledger, and returned payments without the
 * refund that is to be sent.
 */
import { and, asc, eq, gte, inArray, notExists, sql, type SQL } from 'drizzle-orm';
import { firstIdAt } from '#contract/ids.ts';
import { readTogether, writeBatch, type Database } from '../db/client.ts';
import { runWhenDue } from '../operations/jobs.ts';
import type { PaymentContext } from './context.ts';
import { movementOf, withdrawalOf, writeMissingMovement } from './ledger.ts';
import { ledger, payments, refunds, type PaymentRecord } from './schema.ts';

/** How often it looks, in ms. */
const lookEveryMs = 10 * 60_000;
/** How much runs overlap, in ms: for a while the earlier release answers beside this one. */
const overlapMs = 3_600_000;
/** Most payments of each kind in one run. */
const runLength = 300;

const lacksMovement = (db: Database, key: SQL) =>
  notExists(db.select({ key: ledger.key }).from(ledger).where(eq(ledger.key, key)));

/** Whether a payment goes back, or has gone, without its refund. */
const lacksRefund = (db: Database) =>
  and(
    inArray(payments.outcome, ['refundDue', 'refunded']),
    notExists(db.select({ _id: refunds._id }).from(refunds).where(eq(refunds.paymentId, payments._id))),
  );

/** The payments that lack something: those made since a moment, and all that were taken back. */
function findGaps(db: Database, since: number) {
  const isRecent = gte(payments._id, firstIdAt(since));
  const keyOfPayment = sql`CASE ${payments.method} WHEN 'Card' THEN 'payment:' || ${payments.paymentIntentId} ELSE 'outsidePayment:' || ${payments._id} END`;
  const keyOfWithdrawal = sql`'outsidePaymentWithdrawn:' || ${payments._id}`;
  // SQLite uses the partial index on withdrawn payments only if the query repeats its condition word for word.
  const isWithdrawn = sql`${payments.outcome} = 'withdrawn'`;
  const find = (condition: SQL | undefined) =>
    db.select().from(payments).where(condition).orderBy(asc(payments._id)).limit(runLength);
  return readTogether(db, [
    find(and(isRecent, lacksMovement(db, keyOfPayment))),
    find(and(isWithdrawn, lacksMovement(db, keyOfWithdrawal))),
    find(and(isRecent, lacksRefund(db))),
  ]);
}

/** Writes down the refunds of payments, which are sent then unless Stripe has them. */
async function writeRefunds(db: Database, due: readonly PaymentRecord[]): Promise<void> {
  if (due.length === 0) return;
  const ids = due.map(({ _id }) => _id);
  await db.run(sql`
    INSERT INTO ${refunds} ("_id", "orderId", "paymentId", "amountCents", "status", "accountId", "at", "changedAt", "checkAt")
    SELECT "_id", "orderId", "_id", "amountCents", 'pending', '', "at", "at", "at" FROM ${payments}
    WHERE ${and(inArray(payments._id, ids), lacksRefund(db))}`);
}

/** @returns whether no more is missing */
async function fillGaps({ db, log }: PaymentContext, since: number): Promise<boolean> {
  const [unwritten, withdrawn, due] = await findGaps(db, since);
  const movements = [
    ...unwritten.map((payment) => movementOf(payment)),
    ...withdrawn.map((payment) => withdrawalOf(payment)),
  ];
  if (movements.length > 0)
    await writeBatch(
      db,
      movements.map((movement) => writeMissingMovement(db, movement)),
    );
  await writeRefunds(db, due);
  if (movements.length + due.length > 0)
    log('payments.repaired', { movements: movements.length, refunds: due.length });
  return [unwritten, withdrawn, due].every(({ length }) => length < runLength);
}

/** Adds what is missing since it was last looked for; at the first time, ever. What is left over has its turn in the next run. */
export const repairPayments = (context: PaymentContext): Promise<void> =>
  runWhenDue(
    context.db,
    {
      name: 'repair',
      everyMs: lookEveryMs,
      logFailure: (details) => context.log('payments.not-repaired', details),
    },
    (succeededAt) => fillGaps(context, Math.max(0, (succeededAt ?? 0) - overlapMs)),
  );
