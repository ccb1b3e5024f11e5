/** A shop that sells a package by the month, and the steps that subscription tests share. */
import { asc, eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { Account } from '#contract/accounts.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { openDatabase } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { orders, subscriptions, type OrderRecord, type SubscriptionRecord } from '#worker/orders/schema.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { mountSubscriptions } from '#worker/payments/subscription-routes.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { webhookEvents } from '#worker/payments/stripe.ts';
import { handleEvent, handleMissedEvents } from '#worker/payments/webhook-events.ts';
import { openAppAs, callerOf } from '../support/in-process-app.ts';
import type { Answer } from '../support/visitor.ts';
import { customer, input, openShop, price } from './orders-shop.ts';

export const dayMs = 86_400_000;
const stepsToday = { days: 1 / 86_400 };

export type SubscriptionShop = Awaited<ReturnType<typeof openSubscriptionShop>>;

/** A subscription whose first month is paid. */
export interface Subscribed {
  readonly first: OrderRecord;
  readonly id: string;
  readonly stripeId: string;
  readonly customerId: string;
}

/** Opens a shop whose monthly package is called Premium. Times are from `Date`, which a test may stop and move. */
export async function openSubscriptionShop(settings: Partial<Env> = {}) {
  const shop = await openShop(settings);
  const { db, env, stripe, emulator } = shop;
  await db.insert(contentTables.pricingPackage).values({
    _id: newId(),
    packageName: 'Premium',
    displayName: 'Monthly care',
    packagePrice: price,
    billing: 'monthly',
    packagePointOne: 'One',
  });

  const readRow = async (id: string): Promise<SubscriptionRecord> => {
    const [row] = await db.select().from(subscriptions).where(eq(subscriptions._id, id));
    if (!row) throw new Error('The subscription is gone.');
    return row;
  };
  const newMonthlyOrder = (account: Account = customer, couponCode?: string): Promise<OrderRecord> =>
    placeOrder(
      { db: openDatabase(env), env, account },
      { ...input, packageName: 'Premium', customerEmail: account.email, couponCode },
      undefined,
    );

  let newestTaken: string | undefined;
  /** Stripe's events since the last call, oldest first. */
  async function takeEvents(): Promise<Stripe.Event[]> {
    const fresh: Stripe.Event[] = [];
    for await (const event of stripe.events.list({ limit: 20 })) {
      if (event.id === newestTaken) break;
      fresh.push(event);
    }
    newestTaken = fresh[0]?.id ?? newestTaken;
    return fresh.reverse();
  }

  /** Delivers events of the types that the product's webhook endpoint subscribes to. */
  const report = async (events: readonly Stripe.Event[]): Promise<void> => {
    const wanted: readonly string[] = webhookEvents;
    for (const event of events)
      if (wanted.includes(event.type)) await handleEvent(shop.openPaymentContext(), event);
  };

  /** Lets days pass, here and at Stripe. Nobody tells the site what Stripe did. */
  function passDays(days: number): void {
    for (let day = 0; day < days; day += 1) {
      vi.setSystemTime(Date.now() + dayMs);
      emulator.controls.advance(stepsToday);
    }
  }

  return {
    ...shop,
    readRow,
    newMonthlyOrder,
    takeEvents,
    report,
    passDays,

    /** Places a monthly order and pays its first month. */
    async subscribe(account: Account = customer, couponCode?: string): Promise<Subscribed> {
      const first = await newMonthlyOrder(account, couponCode);
      const intent = await shop.payByCard(await shop.openPage(first));
      await settlePayment(shop.openPaymentContext(), intent);
      await report(await takeEvents());
      const { stripeId, customerId } = await readRow(first.subscriptionId ?? '');
      return { first, id: first.subscriptionId ?? '', stripeId: stripeId ?? '', customerId };
    },

    /** Lets days pass, and delivers what Stripe reports. */
    async liveFor(days: number): Promise<void> {
      passDays(days);
      await report(await takeEvents());
    },

    /** Reads the events that were not delivered. */
    readMissed: (since: number) => handleMissedEvents(shop.openPaymentContext(), since, Date.now() + dayMs),

    /** The orders of a subscription, oldest first. */
    monthsOf: (id: string): Promise<OrderRecord[]> =>
      db.select().from(orders).where(eq(orders.subscriptionId, id)).orderBy(asc(orders._id)),

    readReceiptAs: async (account: Account, orderId: string): Promise<unknown> =>
      (await shop.callAs(account, 'GET', `/order/${orderId}/receipt`)).json,

    /** Makes a call about subscriptions as an account, or as nobody. */
    callAs(account: Account | undefined, method: string, path: string, body?: object): Promise<Answer> {
      const app = openAppAs(account);
      mountSubscriptions(app);
      return callerOf(app, env).send(method, path, body);
    },
  };
}
