/**
 * What the payments of a restored database need before it goes live: what was paid and returned since its backup is in
 * Stripe alone.
 */
import { and, eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { newId } from '#contract/ids.ts';
import { displayPrice } from '#contract/money.ts';
import { writeBatch, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { jobRuns } from '../operations/schema.ts';
import { raiseNumbers } from '../orders/after-restore.ts';
import { orders } from '../orders/schema.ts';
import { paymentIntents } from './schema.ts';

const dayMs = 86_400_000;

/** What Stripe knows beyond a backup. */
export interface Reconciled {
  /** Payments that reconciliation will ask Stripe about at the next cron tick. */
  readonly noted: number;
  /** A sentence for each payment whose order is not in the backup; only a person can see to those. */
  readonly lost: readonly string[];
}

/** The number of the order that an intent is for, as its description says (`createIntent`); 0 where it says none. */
const numberOf = ({ description }: Stripe.PaymentIntent): number =>
  Number(/^Order #(\d+):/.exec(description ?? '')?.[1] ?? 0);

/**
 * Makes the jobs due that ask Stripe: about disputes from the first payment on, and about events from those on that were
 * read when the backup was made.
 */
async function askAgain(db: Database): Promise<void> {
  await db.delete(jobRuns).where(eq(jobRuns.name, 'disputes'));
  await db.update(jobRuns).set({ ranAt: 0 }).where(eq(jobRuns.name, 'events'));
}

/**
 * Makes the PaymentIntents of Stripe known again, so that reconciliation settles or returns them like any other, and
 * ends those of orders that the backup lacks.
 * @param backupAt the moment that the backup is of, in ms
 * @param env by which the site's own payments are known
 */
export async function noteIntents(
  db: Database,
  stripe: Stripe,
  backupAt: number,
  env: Pick<Env, 'SITE_URL'>,
): Promise<Reconciled> {
  await askAgain(db);
  const lost: string[] = [];
  let noted = 0;
  let highest = 0;
  // A payment may be made long after its intent.
  const since = Math.floor((backupAt - dayMs) / 1_000);
  for await (const intent of stripe.paymentIntents.list({ created: { gte: since }, limit: 100 })) {
    const { orderId } = intent.metadata;
    if (orderId === undefined) continue;
    const [order] = await db.select().from(orders).where(eq(orders._id, orderId));
    const now = Date.now();
    const note = db
      .insert(paymentIntents)
      .values({ _id: newId(now), paymentIntentId: intent.id, orderId, startedAt: now, checkAt: now })
      .onConflictDoUpdate({
        target: paymentIntents.paymentIntentId,
        set: { startedAt: now, checkAt: now },
      });
    if (!order) {
      const { site } = intent.metadata;
      if (site !== undefined && site !== env.SITE_URL) continue;
      // The site cancels it once it is live, not this command, which is practiced too.
      if (site !== undefined) await note;
      highest = Math.max(highest, numberOf(intent));
      if (intent.status === 'succeeded' || intent.status === 'processing')
        lost.push(
          `${intent.id}: ${displayPrice(intent.amount)} for the order ${orderId} of ${new Date(intent.created * 1_000).toISOString()}, which the backup does not have (${intent.status}).`,
        );
      continue;
    }
    await writeBatch(db, [
      note,
      // A customer who opens the payment page meanwhile must meet this intent, not be given a second one.
      db
        .update(orders)
        .set({ paymentIntentId: intent.id })
        .where(
          and(eq(orders._id, orderId), eq(orders.paymentStatus, 'UnPaid'), eq(orders.paymentIntentId, '')),
        ),
    ]);
    noted += 1;
  }
  if (highest > 0) await raiseNumbers(db, highest);
  return { noted, lost };
}
