/**
 * Everything that can happen to an order: by its customer, an administrator, Stripe's dashboard, a bank, the webhook,
 * the cron, and account deletion. Pairs meet at each step, and random schedules run several concurrently. Afterward,
 * the order, the ledger, and Stripe's books agree to the cent. `SCHEDULE_SEED` repeats the choices of a run.
 */
import type Stripe from 'stripe';
import { afterAll, expect, test } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { newId, timeOfId } from '#contract/ids.ts';
import { deleteAccount } from '#worker/accounts/personal-data.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { openDatabase } from '#worker/db/client.ts';
import { forEachConcurrent } from '#worker/operations/for-each-concurrent.ts';
import { ordersOfPerson } from '#worker/orders/personal-data.ts';
import { placeOrder } from '#worker/orders/place.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import { cancelOrder, endUnpaidOrders, setPaymentByHand } from '#worker/payments/cancel.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { refundsOfPerson } from '#worker/payments/personal-data.ts';
import { handleMissedEvents, handleEvent } from '#worker/payments/webhook-events.ts';
import { ledger } from '#worker/payments/schema.ts';
import { fullSize } from '../support/limits.ts';
import { below, pick, randomFrom, shuffled, type Random } from '../support/random.ts';
import { administrator, customer, input, openShop } from './orders-shop.ts';
import { reconcileAll, tolerate } from './payment-steps.ts';

const seed = Number(process.env['SCHEDULE_SEED'] ?? Date.now() % 1_000_000);
const schedules = fullSize ? 1_000 : 10;
const actionsEach = 5;

const shop = await openShop({ LIMIT_INTENTS_ORDER: '100000' });
afterAll(() => shop.close());

/** Enough for the orders of the schedules that run at the same time. */
const newest = { limit: 30 };
const newestEvents = async () => (await shop.stripe.events.list(newest)).data;

interface Schedule {
  readonly random: Random;
  readonly customer: Account;
  readonly order: OrderRecord;
  /** Delays its actions at each of their steps. */
  readonly beforeStep: () => Promise<void>;
}

const pauseOf = (random: Random) => () =>
  new Promise<void>((resolve) => setTimeout(resolve, below(random, 15)));

async function beginSchedule(random: Random, beforeStep = pauseOf(random)): Promise<Schedule> {
  const id = newId();
  const email = `${id}@customers.example`;
  const account: Account = { ...customer, id, email, confirmedAt: Date.now() };
  await shop.db.insert(accounts).values({ id, email, emailVerifiedAt: 1, createdAt: 1 });
  const context = { db: openDatabase(shop.env), env: shop.env, account };
  const order = await placeOrder(context, { ...input, customerEmail: email }, undefined);
  return { random, customer: account, order, beforeStep };
}

const contextOf = ({ beforeStep }: Schedule) => shop.openPaymentContext(beforeStep);

const openPage = (schedule: Schedule) => shop.openPage(schedule.order, contextOf(schedule));

const actorOf = ({ customer }: Schedule) => ({ role: 'customer', accountId: customer.id }) as const;

async function paidIntent({ order }: Schedule): Promise<Stripe.PaymentIntent | undefined> {
  const { data } = await shop.stripe.paymentIntents.list(newest);
  return data.find(({ metadata, status }) => metadata['orderId'] === order._id && status === 'succeeded');
}

/** Ignores a refusal by Stripe, which is a lost race. */
const unlessRefused = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .catch(() => undefined);

const actions = {
  async 'the customer pays'(schedule) {
    const id = await openPage(schedule);
    await unlessRefused(() => shop.payByCard(id));
    await confirmPayment(contextOf(schedule), schedule.order._id);
  },
  async 'the customer pays and the browser dies'(schedule) {
    const id = await openPage(schedule);
    await unlessRefused(() => shop.payByCard(id));
  },
  async 'the customer cancels'(schedule) {
    await cancelOrder(contextOf(schedule), schedule.order._id, actorOf(schedule));
  },
  async 'an administrator cancels'(schedule) {
    await cancelOrder(contextOf(schedule), schedule.order._id, administrator);
  },
  async 'an administrator says that it is paid'(schedule) {
    await setPaymentByHand(contextOf(schedule), schedule.order._id, 'Paid', administrator);
  },
  async 'an administrator says that it is not paid'(schedule) {
    await setPaymentByHand(contextOf(schedule), schedule.order._id, 'UnPaid', administrator);
  },
  async 'an administrator returns money'(schedule) {
    const amountCents = below(schedule.random, 2) === 0 ? undefined : 1 + below(schedule.random, 60_000);
    await shop.refund(schedule.order, { amountCents }, contextOf(schedule));
  },
  async 'money is returned in the dashboard'(schedule) {
    const paid = await paidIntent(schedule);
    const amount = 1 + below(schedule.random, 49_950);
    if (paid) await unlessRefused(() => shop.stripe.refunds.create({ payment_intent: paid.id, amount }));
  },
  async 'the bank disputes'(schedule) {
    const paid = await paidIntent(schedule);
    const outcome = pick(schedule.random, [undefined, 'under_review', 'won', 'lost'] as const);
    if (paid) await unlessRefused(() => shop.emulator.controls.dispute({ paymentIntent: paid.id, outcome }));
  },
  async 'Stripe delivers'(schedule) {
    const known = await newestEvents();
    for (const event of shuffled(schedule.random, known).slice(0, 4))
      expect(await shop.deliver(event)).toBe(200);
  },
  async 'the site handles events'(schedule) {
    const known = await newestEvents();
    for (const event of known.slice(0, 4)) await handleEvent(contextOf(schedule), event);
  },
  async 'the cron runs'(schedule) {
    await shop.reconcileNow(schedule.order, contextOf(schedule));
    await handleMissedEvents(contextOf(schedule), Date.now() - 1_000);
  },
  async 'the customer deletes the account'(schedule) {
    const context = { env: shop.env, db: openDatabase(shop.env), log: () => undefined, clientIp: '' };
    const conclude: typeof refundsOfPerson.conclude = (_context, account) =>
      endUnpaidOrders(contextOf(schedule), account);
    await deleteAccount(context, schedule.customer, [{ ...refundsOfPerson, conclude }, ordersOfPerson]);
  },
} satisfies Record<string, (schedule: Schedule) => Promise<void>>;
type Action = keyof typeof actions;
const names = Object.keys(actions) as Action[];
/**
 * Runs a schedule.
 * @returns its order, and a description for the failure message
 */
async function run(number: number): Promise<{ readonly order: OrderRecord; readonly story: string }> {
  const schedule = await beginSchedule(randomFrom(seed + number));
  const { random, order } = schedule;
  // Most orders start as paid, so that there is money to lose.
  const beginning = pick(random, [...beginningNames, 'is paid', 'is paid'] as const);
  const chosen = Array.from({ length: actionsEach }, () => pick(random, names));
  if (random() < 0.4) chosen.push('the customer pays');
  const story = `SCHEDULE_SEED=${String(seed)} (${String(number)}): ${beginning}; ${chosen.join(', ')}`;
  const arrive = async (name: Action) => {
    for (let pauses = below(random, 10); pauses > 0; pauses -= 1) await schedule.beforeStep();
    await tolerate(actions[name](schedule));
  };
  try {
    await beginnings[beginning](schedule);
    if (random() < 0.2) for (const name of chosen) await tolerate(actions[name](schedule));
    else await Promise.all(chosen.map(arrive));
  } catch (error) {
    throw new Error(story, { cause: error });
  }
  return { order, story };
}

/** The state of an order when actions meet. */
const beginnings = {
  'is new': () => Promise.resolve(),
  'has its page open': openPage,
  'is paid at Stripe': (schedule) => actions['the customer pays and the browser dies'](schedule),
  'is paid': (schedule) => actions['the customer pays'](schedule),
  'is paid by hand': (schedule) => actions['an administrator says that it is paid'](schedule),
} satisfies Record<string, (schedule: Schedule) => Promise<unknown>>;

const beginningNames = Object.keys(beginnings) as (keyof typeof beginnings)[];

interface Meeting {
  readonly beginning: keyof typeof beginnings;
  readonly first: Action;
  readonly second: Action;
}

const meetings: readonly Meeting[] = beginningNames.flatMap((beginning) =>
  names.flatMap((first) => names.map((second) => ({ beginning, first, second }))),
);

/**
 * Lets two actions meet on a new order. The second runs from start to end at the nth step of the first, or alongside
 * it.
 * @returns the order, and the number of steps of the first
 */
async function meet({ beginning, first, second }: Meeting, nth: number | undefined) {
  const begun = await beginSchedule(Math.random, () => Promise.resolve());
  await beginnings[beginning](begun);
  let steps = 0;
  const other = () => tolerate(actions[second](begun));
  const beforeStep = async () => {
    steps += 1;
    if (steps === nth) await other();
  };
  const one = tolerate(actions[first]({ ...begun, beforeStep }));
  await Promise.all(nth === undefined ? [one, other()] : [one]);
  return { order: begun.order, steps };
}

/**
 * Lets two actions meet at every step of the first.
 * @returns the orders, each with a description for the failure message
 */
async function meetEverywhere(meeting: Meeting) {
  const ran: { readonly order: OrderRecord; readonly story: string; readonly steps: number }[] = [];
  const { beginning, first, second } = meeting;
  const tell = (at: string) => `An order that ${beginning}: ${first}, ${at} ${second}`;
  for (let nth = 1, steps = 1; nth <= steps; nth += 1) {
    const met = await meet(meeting, nth);
    ({ steps } = met);
    ran.push({ ...met, story: tell(`at step ${String(nth)}`) });
  }
  ran.push({ ...(await meet(meeting, undefined)), story: tell('beside it') });
  return ran;
}

/** Delivers every event, then checks every order and the books. */
async function expectSound(ran: readonly { readonly order: OrderRecord; readonly story: string }[]) {
  await shop.settleReports();
  await reconcileAll(shop.openPaymentContext());
  const intents = await shop.readIntents(Math.min(...ran.map(({ order }) => timeOfId(order._id))));
  for (const { order, story } of ran) expect(await shop.findFaults(order._id, intents), story).toEqual([]);
  expect(await shop.findBookFaults(), `SCHEDULE_SEED=${String(seed)}`).toEqual([]);
}

test('No money is lost when one action happens at any step of another', async () => {
  const random = randomFrom(seed);
  const chosen = fullSize ? meetings : shuffled(random, meetings).slice(0, 12);
  const ran: Awaited<ReturnType<typeof meetEverywhere>> = [];
  await forEachConcurrent(chosen, async (meeting) => {
    try {
      ran.push(...(await meetEverywhere(meeting)));
    } catch (error) {
      throw new Error(JSON.stringify(meeting), { cause: error });
    }
  });
  await expectSound(ran);
});

test('No money is lost however payment, cancellation, refund, dispute, webhook, administrator, and deletion meet', async () => {
  const ran: Awaited<ReturnType<typeof run>>[] = [];
  await forEachConcurrent([...Array(schedules).keys()], async (number) => void ran.push(await run(number)));
  await expectSound(ran);
  // Schedules without payments and refunds would prove nothing.
  const own = new Set(ran.map(({ order }) => order._id));
  const moved = (await shop.db.select({ orderId: ledger.orderId, kind: ledger.kind }).from(ledger)).filter(
    ({ orderId }) => own.has(orderId),
  );
  const ordersWith = (wanted: string) =>
    new Set(moved.filter(({ kind }) => kind === wanted).map(({ orderId }) => orderId)).size;
  for (const kind of fullSize ? ['payment', 'refund', 'disputeWithdrawn'] : ['payment'])
    expect(ordersWith(kind), kind).toBeGreaterThan(schedules / 10);
});
