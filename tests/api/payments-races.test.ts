/**
 * Concurrent changes of one order: each step of one is held while the other runs from beginning to end. In every order of
 * events, the order is paid once at most, and no payment is kept for a cancelled order. `CROWDS_SEED` chooses the same crowds
 * again.
 */
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newId, timeOfId } from '#contract/ids.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import type { PaymentContext, Step } from '#worker/payments/context.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { cancelOrder, setPaymentByHand } from '#worker/payments/cancel.ts';
import { fullSize } from '../support/limits.ts';
import { below, pick, randomFrom, shuffled } from '../support/random.ts';
import { administrator, byCustomer, openShop, type Shop } from './orders-shop.ts';
import { tolerate, untilAnswered } from './payment-steps.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

/** Confirms the card payment as the browser does; Stripe refuses when the intent was cancelled. */
const payAtStripe = (intentId: string): Promise<Stripe.PaymentIntent | undefined> =>
  shop.payByCard(intentId).catch(() => undefined);

/** Everything that can happen to an order from outside. */
const writers = {
  async opensThePage(context, order) {
    await shop.openPage(order, context);
  },
  async pays(context, order) {
    await payAtStripe(await shop.openPage(order, context));
    await confirmPayment(context, order._id);
  },
  async paysAndTheWebhookTells(context, order) {
    const intent = await payAtStripe(await shop.openPage(order, context));
    if (intent) await settlePayment(context, intent);
  },
  async cancels(context, order) {
    await cancelOrder(context, order._id, byCustomer);
  },
  async isSetPaidByHand(context, order) {
    await setPaymentByHand(context, order._id, 'Paid', administrator);
  },
  async isReconciled(context, order) {
    await shop.reconcileNow(order, context);
  },
} satisfies Record<string, (context: PaymentContext, order: OrderRecord) => Promise<void>>;
type Writer = keyof typeof writers;
const writerNames = Object.keys(writers) as Writer[];

/** How far the order is when the two meet. */
const beginnings = {
  untouched: () => Promise.resolve(),
  async pageOpen(order) {
    await shop.openPage(order);
  },
  async paidAtStripe(order) {
    await payAtStripe(await shop.openPage(order));
  },
} satisfies Record<string, (order: OrderRecord) => Promise<void>>;
type Beginning = keyof typeof beginnings;
const beginningNames = Object.keys(beginnings) as Beginning[];

/** What changes nothing at Stripe or in the database, so that nothing comes between: who opens a page again gets the same. */
const withoutSteps: Readonly<Record<Beginning, readonly Writer[]>> = {
  untouched: ['isReconciled'],
  pageOpen: ['opensThePage', 'isReconciled'],
  paidAtStripe: [],
};

/**
 * Runs the first change, and the second one whole when the first comes to its nth step; beside it where that is none.
 * @returns steps of the first
 */
async function race(
  order: OrderRecord,
  first: Writer,
  second: Writer,
  nth: number | undefined,
): Promise<Step[]> {
  const steps: Step[] = [];
  const other = () => tolerate(writers[second](shop.openPaymentContext(), order));
  const context = shop.openPaymentContext(async (step) => {
    steps.push(step);
    if (steps.length === nth) await other();
  });
  const one = tolerate(writers[first](context, order));
  await Promise.all(nth === undefined ? [one, other()] : [one]);
  return steps;
}

async function expectSound(order: OrderRecord): Promise<void> {
  expect(await shop.findFaults(order._id)).toEqual([]);
}

for (const beginning of beginningNames)
  for (const first of writerNames)
    test(`Nothing is lost or charged twice when a customer ${first} and another comes between (${beginning})`, async () => {
      const meet = async (second: Writer, nth: number | undefined) => {
        const order = await shop.newOrder();
        await beginnings[beginning](order);
        const steps = await race(order, first, second, nth);
        await settleWhatIsLeft(order);
        await expectSound(order);
        return steps.length;
      };
      for (const second of writerNames) {
        const most = await meet(second, undefined);
        let steps = most;
        for (let nth = 1; nth <= Math.max(1, steps); nth += 1) steps = await meet(second, nth);
        expect(steps > 0).toBe(!withoutSteps[beginning].includes(first));
      }
    });

/** What happens in time anyway: Stripe's webhook for every captured payment. */
async function settleWhatIsLeft(order: OrderRecord): Promise<void> {
  const context = shop.openPaymentContext();
  for await (const intent of shop.stripe.paymentIntents.list({ limit: 100 })) {
    if (intent.metadata['orderId'] !== order._id) continue;
    if (intent.status === 'succeeded') await settlePayment(context, intent);
  }
}

test('Orders that are placed at once are numbered without a gap, each once', async () => {
  const count = fullSize ? 500 : 30;
  const before = await shop.newOrder();
  const placed = await Promise.all(
    // Every second submit is a repetition, which takes no number.
    Array.from({ length: count * 2 }, (_, index) =>
      untilAnswered(() => shop.newOrder(`submit-${Math.floor(index / 2)}`)),
    ),
  );
  const numbers = [...new Set(placed.map(({ number }) => number))].sort((one, other) => one - other);
  expect(numbers).toEqual(Array.from({ length: count }, (_, index) => before.number + 1 + index));
  expect(new Set(placed.map(({ _id }) => _id)).size).toBe(count);
});

test('Who opens the page while Stripe makes the intent for another request gets the same one, and it counts once', async () => {
  const strict = await openShop({ LIMIT_INTENTS_ORDER: '1' });
  onTestFinished(() => strict.close());
  const order = await strict.newOrder();
  strict.emulator.controls.planFault({ kind: 'hold', method: 'POST', path: '/v1/payment_intents' });
  let tries = 0;
  const open = () =>
    strict.openPage(
      order,
      // The third try is the second one of whoever was refused.
      strict.openPaymentContext((step) => {
        if (step === 'create intent') tries += 1;
        if (tries === 3) strict.emulator.controls.clearFaults({});
        return Promise.resolve();
      }),
    );
  const [one, other] = await Promise.all([open(), open()]);
  expect(one).toBe(other);
  expect(await strict.findFaults(order._id)).toEqual([]);
  await strict.stripe.paymentIntents.cancel(one);
  await expect(open()).rejects.toMatchObject({ status: 429 });
});

test('A refund whose key Stripe still works under waits, and is made once', async () => {
  const { order } = await shop.newPaidOrder();
  shop.emulator.controls.planFault({ kind: 'hold', method: 'POST', path: '/v1/refunds' });
  const idempotencyKey = newId();
  const both = [0, 1].map(() => shop.refund(order, { idempotencyKey }));
  // One is held; the other is told that the key is in use.
  expect(await Promise.race(both)).toMatchObject({ status: 'pending', refundId: null, failures: 0 });
  shop.emulator.controls.clearFaults({});
  const [one, other] = await Promise.all(both);
  expect(one?._id).toBe(other?._id);
  await shop.settleReports();
  const { data } = await shop.stripe.refunds.list({
    payment_intent: (await shop.readOrder(order)).transactionId,
  });
  expect(data.map(({ metadata }) => metadata?.['refund'])).toEqual([one?._id]);
  expect((await shop.readOrder(order)).paymentStatus).toBe('Refunded');
  expect(await shop.findFaults(order._id)).toEqual([]);
});

const payers: readonly Writer[] = ['opensThePage', 'pays', 'paysAndTheWebhookTells', 'isReconciled'];

test('Crowds of concurrent changes in random order leave every order sound', async () => {
  const seed = Number(process.env['CROWDS_SEED'] ?? Date.now() % 1_000_000);
  const random = randomFrom(seed);
  const placed = await Promise.all(
    Array.from({ length: fullSize ? 200 : 20 }, () => untilAnswered(() => shop.newOrder(newId()))),
  );
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, below(random, 20)));
  await Promise.all(
    placed.map(async (order, index) => {
      // In every fourth nobody ends the order, so that it is paid for certain.
      const chosen = index % 4 === 0 ? payers : writerNames;
      const rivals = Array.from({ length: 3 }, () => pick(random, chosen));
      const crowd = shuffled(random, ['pays', ...rivals] as const);
      await Promise.all(
        crowd.map((name) =>
          pause().then(() =>
            untilAnswered(() => tolerate(writers[name](shop.openPaymentContext(pause), order))),
          ),
        ),
      );
      await untilAnswered(() => settleWhatIsLeft(order));
    }),
  );
  const intents = await shop.readIntents(Math.min(...placed.map(({ _id }) => timeOfId(_id))));
  for (const { _id } of placed)
    expect(await shop.findFaults(_id, intents), `CROWDS_SEED=${String(seed)}`).toEqual([]);
  expect(await shop.findBookFaults()).toEqual([]);
  const isCaptured = ({ _id }: OrderRecord) => intents.get(_id)?.some(({ status }) => status === 'succeeded');
  expect(placed.filter(isCaptured).length).toBeGreaterThanOrEqual(placed.length / 4);
});
