/**
 * Concurrent changes of one order. The first is held at one of its steps while the second runs from start to end, for
 * each step in turn. The order is paid at most once, and no payment is kept for a cancelled order.
 * `payments-schedules.all.test.ts` tries more pairs, and random schedules.
 */
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { OrderRecord } from '#worker/orders/schema.ts';
import type { PaymentContext } from '#worker/payments/context.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { cancelOrder, setPaymentByHand } from '#worker/payments/cancel.ts';
import { fullSize } from '../support/limits.ts';
import { administrator, byCustomer, openShop } from './orders-shop.ts';
import { tolerate, untilAnswered } from './payment-steps.ts';

const shop = await openShop();
afterAll(() => shop.close());

/** Pays on the order's page. Stripe refuses if the intent is canceled. */
const payAtStripe = async (order: OrderRecord, context?: PaymentContext) =>
  shop.payByCard(await shop.openPage(order, context)).catch(() => undefined);

const changes = {
  async 'the customer pays'(order, context) {
    await payAtStripe(order, context);
    await confirmPayment(context, order._id);
  },
  async 'the customer pays and the webhook reports it'(order, context) {
    const intent = await payAtStripe(order, context);
    if (intent) await settlePayment(context, intent);
  },
  async 'the customer cancels'(order, context) {
    await cancelOrder(context, order._id, byCustomer);
  },
  async 'an administrator marks the order as paid'(order, context) {
    await setPaymentByHand(context, order._id, 'Paid', administrator);
  },
  async 'the cron reconciles'(order, context) {
    await shop.reconcileNow(order, context);
  },
} satisfies Record<string, (order: OrderRecord, context: PaymentContext) => Promise<void>>;

test.each<[isPaidAtStripe: boolean, first: keyof typeof changes, second: keyof typeof changes]>([
  [false, 'the customer pays', 'the customer cancels'],
  [false, 'the customer pays', 'an administrator marks the order as paid'],
  [false, 'the customer cancels', 'the customer pays and the webhook reports it'],
  [false, 'an administrator marks the order as paid', 'the customer pays'],
  [true, 'the customer cancels', 'the cron reconciles'],
  [true, 'the cron reconciles', 'the customer pays and the webhook reports it'],
])(
  'No money is lost or charged twice (paid at Stripe: %s) when %s and, at the same time, %s',
  async (isPaid, first, second) => {
    for (let nth = 1, steps = 1; nth <= steps; nth += 1) {
      const order = await shop.newOrder();
      const intent = isPaid ? await payAtStripe(order) : await shop.openPage(order);
      expect(intent).toBeDefined();
      steps = 0;
      const context = shop.openPaymentContext(async () => {
        steps += 1;
        if (steps === nth) await tolerate(changes[second](order, shop.openPaymentContext()));
      });
      await tolerate(changes[first](order, context));
      expect(steps).toBeGreaterThan(0);
      await shop.settleReports();
      expect(await shop.findFaults(order._id)).toEqual([]);
    }
  },
);

test('Orders that are placed at the same time are numbered without gaps', async () => {
  const count = fullSize ? 500 : 15;
  const before = await shop.newOrder();
  // Every second submission repeats the previous one, and gets no number.
  const submissions = Array.from({ length: count * 2 }, (_, index) => `submission-${Math.floor(index / 2)}`);
  const placed = await Promise.all(submissions.map((key) => untilAnswered(() => shop.newOrder(key))));
  const numbers = [...new Set(placed.map(({ number }) => number))].sort((one, other) => one - other);
  expect(numbers).toEqual(Array.from({ length: count }, (_, index) => before.number + 1 + index));
  expect(new Set(placed.map(({ _id }) => _id)).size).toBe(count);
});

test('Payers who open a page while Stripe creates its intent get the same one, which counts once', async () => {
  const strict = await openShop({ LIMIT_INTENTS_ORDER: '1' });
  onTestFinished(() => strict.close());
  const order = await strict.newOrder();
  // Calls within one minute share a key, so both must happen in this minute.
  vi.setSystemTime(Date.now());
  strict.emulator.controls.planFault({ kind: 'hold', method: 'POST', path: '/v1/payment_intents' });
  let tries = 0;
  const open = () =>
    strict.openPage(
      order,
      // The third attempt is the second one of the refused payer.
      strict.openPaymentContext((step) => {
        if (step === 'create intent') tries += 1;
        if (tries === 3) strict.emulator.controls.clearFaults();
        return Promise.resolve();
      }),
    );
  const [one, other] = await Promise.all([open(), open()]);
  expect(one).toBe(other);
  expect(await strict.findFaults(order._id)).toEqual([]);
  await strict.stripe.paymentIntents.cancel(one);
  await expect(open()).rejects.toMatchObject({ status: 429 });
});
