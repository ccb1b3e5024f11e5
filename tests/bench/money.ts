/**
 * Money under pressure: payments at once, with refunds, cancellations, copies of events and events that come late, all in
 * random order. What counts is that nothing is lost and nothing returned twice; how long it takes is told beside it.
 */
import type Stripe from 'stripe';
import { openShop, byCustomer, type Shop } from '../api/orders-shop.ts';
import { tolerate } from '../api/payment-steps.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import { cancelOrder } from '#worker/payments/cancel.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { takeReport } from '#worker/payments/reported.ts';
import { ms, perSecond, time, type Figure, type Measure } from './figures.ts';

const paymentCount = 200;

const random = (below: number) => Math.floor(Math.random() * below);
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, random(50)));

/** Something that may happen to an order while it is paid. */
type Trouble = (shop: Shop, order: OrderRecord) => Promise<unknown>;

const refundSome: Trouble = (shop, order) =>
  shop.refund(
    order,
    { amountCents: random(2) === 0 ? undefined : 1 + random(60_000) },
    shop.openPaymentContext(pause),
  );

const refundInDashboard: Trouble = async (shop, { _id }) => {
  const { data } = await shop.stripe.paymentIntents.list({ limit: 100 });
  const paid = data.find(({ metadata, status }) => metadata['orderId'] === _id && status === 'succeeded');
  if (paid)
    await shop.stripe.refunds
      .create({ payment_intent: paid.id, amount: 1 + random(30_000) })
      .catch(() => undefined);
};

const troubles: readonly Trouble[] = [
  refundSome,
  refundSome,
  refundInDashboard,
  (shop, { _id }) => cancelOrder(shop.openPaymentContext(pause), _id, byCustomer),
  (shop, { _id }) => confirmPayment(shop.openPaymentContext(pause), _id),
];

/** Pays an order while others meddle with it, and returns half of them again afterwards, twice at once. */
async function payAmongTroubles(shop: Shop, order: OrderRecord): Promise<void> {
  const pay = async () => {
    const intent = await shop.openPage(order, shop.openPaymentContext(pause));
    await shop.payByCard(intent).catch(() => undefined);
    await confirmPayment(shop.openPaymentContext(pause), order._id);
  };
  const others = Array.from({ length: 4 }, () => troubles[random(troubles.length)] ?? refundSome);
  await Promise.all([
    tolerate(pay()),
    ...others.map((trouble) => pause().then(() => tolerate(trouble(shop, order)))),
  ]);
  if (random(2) === 0)
    await Promise.all([tolerate(refundSome(shop, order)), tolerate(refundSome(shop, order))]);
}

/** Delivers events in random order, each several times, some of them at once. */
async function deliverInDisorder(shop: Shop, events: readonly Stripe.Event[]): Promise<void> {
  const copies = events.flatMap((event) => Array.from({ length: 1 + random(3) }, () => event));
  const shuffled = copies
    .map((event) => ({ event, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place);
  for (let start = 0; start < shuffled.length; start += 8)
    await Promise.all(
      shuffled.slice(start, start + 8).map(({ event }) => takeReport(shop.openPaymentContext(), event)),
    );
}

async function measure(tell: (figure: Figure) => void): Promise<void> {
  const shop = await openShop();
  let faults = 0;
  try {
    const orders = await Promise.all(Array.from({ length: paymentCount }, () => shop.newOrder()));
    const took = await time(() => Promise.all(orders.map((order) => payAmongTroubles(shop, order))));
    tell({
      of: `${paymentCount} payments at once, each among 4 troubles`,
      value: `${ms(took)} · ${perSecond((paymentCount * 1_000) / took)}`,
    });
    const events = await shop.stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
    const delivering = await time(() => deliverInDisorder(shop, events));
    tell({ of: `${events.length} events, in disorder and up to 3 times`, value: ms(delivering) });
    for (const { _id } of orders) faults += (await shop.findFaults(_id)).length;
    const refunds = await shop.stripe.refunds.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
    tell({ of: 'refunds among them', value: String(refunds.length) });
  } finally {
    // It throws where ledger, orders and Stripe's books differ.
    await shop.close().catch((error: unknown) => {
      faults += 1;
      console.error(error);
    });
  }
  tell({
    of: 'payments lost, returned twice or not in the books',
    value: String(faults),
    goal: '0',
    met: faults === 0,
  });
}

export const money: Measure = {
  name: 'money',
  how: 'the payment code in this process over the real database server and the Stripe stand-in',
  take: measure,
};
