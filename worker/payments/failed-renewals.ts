/** Renewals that could not be charged, on the attention list. */
import { and, eq, gt, isNull, or } from 'drizzle-orm';
import { counted } from '#contract/counted.ts';
import { displayDate } from '#contract/days.ts';
import { displayPrice } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { displayNameOf } from '#contract/packages.ts';
import type { Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { attentionQueries } from '../operations/attention-line.ts';
import { orders, subscriptions } from '../orders/schema.ts';
import { isNewest } from './subscriptions.ts';

const isFailing = and(
  isNull(subscriptions.endedAt),
  or(gt(subscriptions.failures, 0), eq(subscriptions.status, 'unpaid')),
);

/** Failed renewals, which stay listed until they are paid or the subscription ends. */
export const failedRenewals = (db: Database, env: Env) =>
  attentionQueries(db, {
    rows: () =>
      db
        .select({ subscription: subscriptions, order: orders })
        .from(subscriptions)
        .innerJoin(orders, isNewest)
        .where(isFailing),
    since: subscriptions.failedAt,
    toLine({ subscription, order }) {
      const { failures, nextTryAt, dueCents, failedAt } = subscription;
      const next =
        nextTryAt === null
          ? 'Stripe will not try again. Work on the new month is on hold. Call or write to the customer.'
          : `Stripe will try again on ${displayDate(dayOf(env, nextTryAt))}.`;
      const tries = failures > 0 ? ` (${counted(failures, 'attempt')})` : '';
      return {
        _id: subscription._id,
        text: `The monthly payment of ${displayPrice(dueCents)} after order ${displayOrderNumber(order.number)} (${displayNameOf(order)}) failed${tries}. We emailed the customer. ${next}`,
        orderId: order._id,
        time: failedAt ?? 0,
      };
    },
  });
