/**
 * Rivals for one order: each step of one is held while the other runs from beginning to end. Whatever the order of
 * events, the order is paid once at most, and no payment is kept for a cancelled order.
 */
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError } from '../../worker/http/errors.ts';
import type { OrderRecord } from '../../worker/orders/schema.ts';
import type { Desk, Step } from '../../worker/payments/desk.ts';
import { confirmPayment, requestPaymentIntent } from '../../worker/payments/pay.ts';
import { reconcileAll } from '../../worker/payments/reconcile.ts';
import { settlePayment } from '../../worker/payments/settle.ts';
import { cancelOrder, setPaymentByHand } from '../../worker/payments/stop.ts';
import { administrator, byCustomer, openShop, price, type Shop } from './orders-shop.ts';

const isFull = process.env['FULL'] === '1';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

/** Refusals are what losing a race looks like; anything else is a fault. */
async function tolerate(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}

const openPage = (desk: Desk, order: OrderRecord) =>
  requestPaymentIntent(desk, order._id, price, () => byCustomer);

/** Confirms the card payment as the browser does; Stripe refuses when the intent was cancelled. */
async function payAtStripe(clientSecret: string): Promise<Stripe.PaymentIntent | undefined> {
  const [id = ''] = clientSecret.split('_secret');
  return shop.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }).catch(() => undefined);
}

/** Everything that can happen to an order from outside. */
const rivals = {
  async opensThePage(desk, order) {
    await openPage(desk, order);
  },
  async pays(desk, order) {
    await payAtStripe(await openPage(desk, order));
    await confirmPayment(desk, order._id);
  },
  async paysAndTheWebhookTells(desk, order) {
    const intent = await payAtStripe(await openPage(desk, order));
    if (intent) await settlePayment(desk, intent);
  },
  async cancels(desk, order) {
    await cancelOrder(desk, order._id, byCustomer);
  },
  async isSetPaidByHand(desk, order) {
    await setPaymentByHand(desk, order._id, 'Paid', administrator);
  },
  async isReconciled(desk) {
    await reconcileAll(desk);
  },
} satisfies Record<string, (desk: Desk, order: OrderRecord) => Promise<void>>;
type Rival = keyof typeof rivals;
const rivalNames = Object.keys(rivals) as Rival[];

/** How far the order is when the rivals meet. */
const beginnings = {
  untouched: () => Promise.resolve(),
  async pageOpen(order) {
    await openPage(shop.openDesk(), order);
  },
  async paidAtStripe(order) {
    await payAtStripe(await openPage(shop.openDesk(), order));
  },
} satisfies Record<string, (order: OrderRecord) => Promise<void>>;
type Beginning = keyof typeof beginnings;
const beginningNames = Object.keys(beginnings) as Beginning[];

/** Runs the first rival, and the second one whole when the first comes to its nth step. @returns steps of the first */
async function race(order: OrderRecord, first: Rival, second: Rival, nth: number): Promise<Step[]> {
  const steps: Step[] = [];
  const desk = shop.openDesk(async (step) => {
    steps.push(step);
    if (steps.length === nth) await tolerate(rivals[second](shop.openDesk(), order));
  });
  await tolerate(rivals[first](desk, order));
  return steps;
}

async function expectSound(order: OrderRecord): Promise<void> {
  expect(await shop.findFaults(order._id)).toEqual([]);
}

for (const beginning of beginningNames)
  for (const first of rivalNames)
    test(`Nothing is lost or charged twice when a customer ${first}, whoever comes between (${beginning})`, async () => {
      for (const second of rivalNames) {
        for (let nth = 1, steps = 1; nth <= steps; nth += 1) {
          const order = await shop.newOrder();
          await beginnings[beginning](order);
          steps = (await race(order, first, second, nth)).length;
          await settleWhatIsLeft(order);
          await expectSound(order);
        }
      }
    });

/** What happens in time anyway: Stripe's webhook for every captured payment. */
async function settleWhatIsLeft(order: OrderRecord): Promise<void> {
  const desk = shop.openDesk();
  for await (const intent of shop.stripe.paymentIntents.list({ limit: 100 })) {
    if (intent.metadata['orderId'] !== order._id) continue;
    if (intent.status === 'succeeded') await settlePayment(desk, intent);
  }
}

test('Crowds of rivals in random order leave every order sound', async () => {
  const orders = await Promise.all(Array.from({ length: isFull ? 200 : 20 }, () => shop.newOrder()));
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, Math.random() * 20));
  await Promise.all(
    orders.map(async (order) => {
      const crowd = Array.from({ length: 4 }, () => rivalNames[Math.floor(Math.random() * 5)] ?? 'pays');
      await Promise.all(
        crowd.map((name) => pause().then(() => tolerate(rivals[name](shop.openDesk(pause), order)))),
      );
      await settleWhatIsLeft(order);
    }),
  );
  for (const order of orders) await expectSound(order);
  expect(await shop.findTotalFaults()).toEqual([]);
});

test('The running totals are those of the orders after all that', async () => {
  expect(await shop.findTotalFaults()).toEqual([]);
});
