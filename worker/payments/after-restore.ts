/**
 * Prepares the payments of a restored database for going live. Only Stripe knows what was paid and refunded since
 * the backup.
 */
import { and, eq, isNull } from 'drizzle-orm';
import type Stripe from 'stripe';
import { newId } from '#contract/ids.ts';
import { displayPrice } from '#contract/money.ts';
import { writeBatch, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { dayMs } from '../http/clock.ts';
import { raiseNumbers } from '../orders/after-restore.ts';
import { orders, subscriptions } from '../orders/schema.ts';
import { paymentIntents } from './schema.ts';
import { idOf, isFromThisSite } from './stripe.ts';

/** What Stripe has that the backup does not. */
export interface RestoredPayments {
  /** The number of payments that reconciliation will check at the next cron run. */
  readonly scheduled: number;
  /** A sentence for each payment whose order is not in the backup. A person must resolve these. */
  readonly lost: readonly string[];
}

/** The order number in an intent's description (`createIntent`); 0 if it has none. */
const numberOf = ({ description }: Stripe.PaymentIntent): number =>
  Number(/^Order #(\d+):/.exec(description ?? '')?.[1] ?? 0);

/**
 * Makes reconciliation ask Stripe about every subscription, so that it creates the orders for months that were paid
 * since the backup.
 * @returns a sentence for each live subscription that is not in the backup, which a person must end or enter again
 */
async function scheduleSubscriptionChecks(
  db: Database,
  stripe: Stripe,
  backupAt: number,
  env: Pick<Env, 'SITE_URL'>,
): Promise<string[]> {
  await db.update(subscriptions).set({ checkAt: 0, syncedAt: 0 }).where(isNull(subscriptions.endedAt));
  const lost: string[] = [];
  const gte = Math.floor((backupAt - dayMs) / 1_000);
  for await (const found of stripe.subscriptions.list({ created: { gte }, limit: 100 })) {
    if (!isFromThisSite(env, found) || found.status === 'incomplete' || found.ended_at !== null) continue;
    const { orderId = '' } = found.metadata;
    const [known] = await db
      .update(subscriptions)
      .set({ stripeId: found.id, customerId: idOf(found.customer) ?? '', checkAt: 0 })
      .where(and(eq(subscriptions.firstOrderId, orderId), isNull(subscriptions.endedAt)))
      .returning({ _id: subscriptions._id });
    if (!known)
      lost.push(
        `${found.id}: a subscription that is charged every month, for the order ${orderId}, which the backup does not have. Cancel it in the Stripe dashboard, or enter the order again.`,
      );
  }
  return lost;
}

/**
 * Registers Stripe's PaymentIntents again, so that reconciliation settles or returns them as usual, and cancels
 * those whose orders are not in the backup.
 * @param backupAt the moment of the backup, in ms
 * @param env identifies the site's own payments
 */
export async function scheduleReconciliation(
  db: Database,
  stripe: Stripe,
  backupAt: number,
  env: Pick<Env, 'SITE_URL'>,
): Promise<RestoredPayments> {
  const lost = await scheduleSubscriptionChecks(db, stripe, backupAt, env);
  let scheduled = 0;
  let highest = 0;
  // A payment may arrive long after its intent was created.
  const since = Math.floor((backupAt - dayMs) / 1_000);
  for await (const intent of stripe.paymentIntents.list({ created: { gte: since }, limit: 100 })) {
    const { orderId } = intent.metadata;
    // A month of a subscription: its order is created again from the invoice.
    if (orderId === undefined && isFromThisSite(env, intent)) highest = Math.max(highest, numberOf(intent));
    if (orderId === undefined) continue;
    const [order] = await db.select().from(orders).where(eq(orders._id, orderId));
    const now = Date.now();
    const record = db
      .insert(paymentIntents)
      .values({ _id: newId(now), paymentIntentId: intent.id, orderId, startedAt: now, checkAt: now })
      .onConflictDoUpdate({
        target: paymentIntents.paymentIntentId,
        set: { startedAt: now, checkAt: now },
      });
    if (!order) {
      const { site } = intent.metadata;
      if (site !== undefined && site !== env.SITE_URL) continue;
      // The live site cancels it, not this command, because people also run this command as a drill.
      if (site !== undefined) await record;
      highest = Math.max(highest, numberOf(intent));
      if (intent.status === 'succeeded' || intent.status === 'processing')
        lost.push(
          `${intent.id}: ${displayPrice(intent.amount)} for the order ${orderId} of ${new Date(intent.created * 1_000).toISOString()}, which the backup does not have (${intent.status}).`,
        );
      continue;
    }
    await writeBatch(db, [
      record,
      // A customer who opens the payment page in the meantime must get this intent, not a second one.
      db
        .update(orders)
        .set({ paymentIntentId: intent.id })
        .where(
          and(eq(orders._id, orderId), eq(orders.paymentStatus, 'UnPaid'), eq(orders.paymentIntentId, '')),
        ),
    ]);
    scheduled += 1;
  }
  if (highest > 0) await raiseNumbers(db, highest);
  return { scheduled, lost };
}
