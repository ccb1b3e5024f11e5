/**
 * Whatever can happen to an order, by its customer, an administrator, Stripe's dashboard, a bank, the webhook, the cron and
 * the deletion of the account: any two of them at each step, and random schedules of several at once, held up at their steps. Afterwards the order,
 * the ledger and Stripe's books agree to the cent. `SCHEDULE_SEED` chooses the same troubles again; how they meet differs.
 */
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { newId, timeOfId } from '#contract/ids.ts';
import { deleteAccount } from '#worker/accounts/personal-data.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { openDatabase } from '#worker/db/client.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { forEachAtOnce } from '#worker/operations/at-once.ts';
import { ordersOfPerson } from '#worker/orders/personal-data.ts';
import { placeOrder } from '#worker/orders/place.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import { cancelOrder, endUnpaidOrders, setPaymentByHand } from '#worker/payments/cancel.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { webhookEvents } from '#worker/payments/stripe.ts';
import { refundsOfPerson } from '#worker/payments/personal-data.ts';
import { reconcileAll } from '#worker/payments/reconcile.ts';
import { takeMissedEvents, takeReport } from '#worker/payments/reported.ts';
import { ledger } from '#worker/payments/schema.ts';
import { fullSize } from '../support/limits.ts';
import { below, pick, randomFrom, shuffled, type Random } from '../support/random.ts';
import { administrator, customer, input, openShop, type Shop } from './orders-shop.ts';
import { tolerate } from './payment-steps.ts';

const seed = Number(process.env['SCHEDULE_SEED'] ?? Date.now() % 1_000_000);
const schedules = fullSize ? 1_000 : 16;
/** Troubles of a schedule. */
const troublesEach = 5;
const [eventCount, copies] = fullSize ? [200, 25] : [20, 4];

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ LIMIT_INTENTS_ORDER: '100000' });
});
afterAll(() => shop.close());

/** Of Stripe's newest objects, as many as belong to the orders that something happens to just now. */
const newest = { limit: 30 };
const newestEvents = async () => (await shop.stripe.events.list(newest)).data;

interface Schedule {
  readonly random: Random;
  readonly customer: Account;
  readonly order: OrderRecord;
  /** What holds its troubles up at each of their steps. */
  readonly beforeStep: () => Promise<void>;
}

/** Waits, shorter or longer. */
const pauseOf = (random: Random) => () =>
  new Promise<void>((resolve) => setTimeout(resolve, below(random, 15)));

async function beginSchedule(random: Random, beforeStep = pauseOf(random)): Promise<Schedule> {
  const id = newId();
  const email = `${id}@customers.example`;
  const customer: Account = {
    id,
    email,
    emailVerified: true,
    role: 'User',
    lacks: null,
    hasPasskey: false,
    confirmedAt: Date.now(),
    shown: 'nothing',
    sessionId: '',
  };
  await shop.db.insert(accounts).values({ id, email, emailVerifiedAt: 1, createdAt: 1 });
  const context = { db: openDatabase(shop.env), env: shop.env, account: customer };
  const order = await placeOrder(context, { ...input, customerEmail: email }, undefined);
  return { random, customer, order, beforeStep };
}

const contextOf = ({ beforeStep }: Schedule) => shop.openPaymentContext(beforeStep);

const openPage = (schedule: Schedule) => shop.openPage(schedule.order, contextOf(schedule));

const actorOf = ({ customer }: Schedule) => ({ role: 'customer', accountId: customer.id }) as const;

/** The payment of an order that Stripe has taken, if there is one. */
async function paidIntent({ order }: Schedule): Promise<Stripe.PaymentIntent | undefined> {
  const { data } = await shop.stripe.paymentIntents.list(newest);
  return data.find(({ metadata, status }) => metadata['orderId'] === order._id && status === 'succeeded');
}

/** What Stripe or its stand-in refuses is a race that somebody else has won. */
const unlessRefused = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .catch(() => undefined);

const troubles = {
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
  async 'what Stripe tells is taken up'(schedule) {
    const known = await newestEvents();
    for (const event of known.slice(0, 4)) await takeReport(contextOf(schedule), event);
  },
  async 'the cron runs'(schedule) {
    await shop.reconcileNow(schedule.order, contextOf(schedule));
    await takeMissedEvents(contextOf(schedule), Date.now() - 1_000);
  },
  async 'the customer deletes the account'(schedule) {
    const context = { env: shop.env, db: openDatabase(shop.env), log: () => undefined, network: '' };
    const conclude: typeof refundsOfPerson.conclude = (_context, account) =>
      endUnpaidOrders(contextOf(schedule), account);
    await deleteAccount(context, schedule.customer, [{ ...refundsOfPerson, conclude }, ordersOfPerson]);
  },
} satisfies Record<string, (schedule: Schedule) => Promise<void>>;
type Trouble = keyof typeof troubles;
const names = Object.keys(troubles) as Trouble[];
/** What is done at Stripe in one piece, or by a delivery, whose steps are those of what Stripe tells when that is taken up. */
const withoutSteps: readonly Trouble[] = [
  'money is returned in the dashboard',
  'the bank disputes',
  'Stripe delivers',
];

/** Runs one. @returns what it was, for who reads of a fault */
async function run(number: number): Promise<{ readonly order: OrderRecord; readonly story: string }> {
  const schedule = await beginSchedule(randomFrom(seed + number));
  const { random, order } = schedule;
  // Most orders are paid before or meanwhile, so that there is something to lose, and to return.
  const beginning = pick(random, [...beginningNames, 'is paid', 'is paid'] as const);
  const chosen = Array.from({ length: troublesEach }, () => pick(random, names));
  if (random() < 0.4) chosen.push('the customer pays');
  const story = `SCHEDULE_SEED=${String(seed)} (${String(number)}): ${beginning}; ${chosen.join(', ')}`;
  const arrive = async (name: Trouble) => {
    for (let pauses = below(random, 10); pauses > 0; pauses -= 1) await schedule.beforeStep();
    await tolerate(troubles[name](schedule));
  };
  try {
    await beginnings[beginning](schedule);
    if (random() < 0.2) for (const name of chosen) await tolerate(troubles[name](schedule));
    else await Promise.all(chosen.map(arrive));
  } catch (error) {
    throw new Error(story, { cause: error });
  }
  return { order, story };
}

/** How far an order is when two troubles meet. */
const beginnings = {
  'is new': () => Promise.resolve(),
  'has its page open': openPage,
  'is paid at Stripe': (schedule) => troubles['the customer pays and the browser dies'](schedule),
  'is paid': (schedule) => troubles['the customer pays'](schedule),
  'is paid by hand': (schedule) => troubles['an administrator says that it is paid'](schedule),
} satisfies Record<string, (schedule: Schedule) => Promise<unknown>>;

const beginningNames = Object.keys(beginnings) as (keyof typeof beginnings)[];

interface Meeting {
  readonly beginning: keyof typeof beginnings;
  readonly first: Trouble;
  readonly second: Trouble;
}

const meetings: readonly Meeting[] = beginningNames.flatMap((beginning) =>
  names.flatMap((first) => names.map((second) => ({ beginning, first, second }))),
);

/**
 * Lets two meet on an order of their own: the second runs whole when the first comes to its nth step, or beside it where
 * that is none. @returns the order and how many steps the first made
 */
async function meet({ beginning, first, second }: Meeting, nth: number | undefined) {
  const begun = await beginSchedule(Math.random, () => Promise.resolve());
  await beginnings[beginning](begun);
  let steps = 0;
  const other = () => tolerate(troubles[second](begun));
  const beforeStep = async () => {
    steps += 1;
    if (steps === nth) await other();
  };
  const one = tolerate(troubles[first]({ ...begun, beforeStep }));
  await Promise.all(nth === undefined ? [one, other()] : [one]);
  return { order: begun.order, steps };
}

/** Does it at every step of the first. @returns the orders, and what each was, for who reads of a fault */
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

/** Once all that Stripe tells has come, every order is sound and the books agree. */
async function expectSound(ran: readonly { readonly order: OrderRecord; readonly story: string }[]) {
  await shop.settleReports();
  await reconcileAll(shop.openPaymentContext());
  const intents = await shop.readIntents(Math.min(...ran.map(({ order }) => timeOfId(order._id))));
  for (const { order, story } of ran) expect(await shop.findFaults(order._id, intents), story).toEqual([]);
  expect(await shop.findBookFaults(), `SCHEDULE_SEED=${String(seed)}`).toEqual([]);
}

test('At each step of each trouble every other may come between', async () => {
  const random = randomFrom(seed);
  const chosen = fullSize ? meetings : shuffled(random, meetings).slice(0, 12);
  const ran: Awaited<ReturnType<typeof meetEverywhere>> = [];
  const stepped = new Set<Trouble>();
  await forEachAtOnce(chosen, async (meeting) => {
    try {
      const met = await meetEverywhere(meeting);
      if (met.some(({ steps }) => steps > 0)) stepped.add(meeting.first);
      ran.push(...met);
    } catch (error) {
      throw new Error(JSON.stringify(meeting), { cause: error });
    }
  });
  await expectSound(ran);
  const met = new Set(chosen.map(({ first }) => first));
  if (fullSize) expect(names.filter((name) => met.has(name) && !stepped.has(name))).toEqual(withoutSteps);
});

test('However payment, cancellation, refund, dispute, webhook, administrator and deletion meet, nothing is lost', async () => {
  const ran: Awaited<ReturnType<typeof run>>[] = [];
  await forEachAtOnce([...Array(schedules).keys()], async (number) => void ran.push(await run(number)));
  await expectSound(ran);
  // Schedules in which nothing was paid or returned would prove nothing.
  const own = new Set(ran.map(({ order }) => order._id));
  const moved = (await shop.db.select({ orderId: ledger.orderId, kind: ledger.kind }).from(ledger)).filter(
    ({ orderId }) => own.has(orderId),
  );
  const ordersWith = (wanted: string) =>
    new Set(moved.filter(({ kind }) => kind === wanted).map(({ orderId }) => orderId)).size;
  expect(ordersWith('payment')).toBeGreaterThan(schedules / 3);
  if (fullSize)
    for (const kind of ['refund', 'disputeWithdrawn'])
      expect(ordersWith(kind), kind).toBeGreaterThan(schedules / 10);
});

/** What becomes of an order at Stripe of which the site has heard nothing yet, and the movements that this makes. */
const unheard: readonly (readonly [
  act: (intent: Stripe.PaymentIntent) => unknown,
  movements: (readonly [kind: string, amountCents: number])[],
])[] = [
  [() => undefined, [['payment', 49_950]]],
  [
    ({ id }) => shop.stripe.refunds.create({ payment_intent: id, amount: 1_000 }),
    [
      ['payment', 49_950],
      ['refund', -1_000],
    ],
  ],
  [
    ({ id }) => shop.emulator.controls.dispute({ paymentIntent: id, outcome: undefined }),
    [
      ['payment', 49_950],
      ['disputeWithdrawn', -49_950],
    ],
  ],
];

/** The mails that tell of an order's payment. */
const paymentMails = ({ _id }: OrderRecord) =>
  shop.sent
    .filter(({ text, subject }) => text.includes(_id) && /payment|paid/.test(subject))
    .map(({ to }) => to);

test('Events that are delivered many times, in any order and several at once, count once each', async () => {
  const random = randomFrom(seed);
  const placed: { readonly order: OrderRecord; readonly movements: unknown[] }[] = [];
  const events: Stripe.Event[] = [];
  for (let index = 0; events.length < eventCount; index += 1) {
    const { order, intent } = await shop.newPayment();
    const [act, movements] = unheard[index % unheard.length] ?? [() => undefined, []];
    await act(intent);
    placed.push({ order, movements });
    const told = await shop.eventsOf(intent);
    events.push(...told.filter(({ type }) => (webhookEvents as readonly string[]).includes(type)));
  }
  const deliveries = shuffled(
    random,
    events.flatMap((event) => Array.from({ length: copies }, () => event)),
  );
  expect(deliveries.length).toBeGreaterThanOrEqual(eventCount * copies);
  for (let start = 0; start < deliveries.length; start += 8) {
    const statuses = await Promise.all(
      deliveries.slice(start, start + 8).map((event) => shop.deliver(event)),
    );
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  }
  await deliverMail(shop.env, () => undefined, shop.db);
  for (const { order, movements } of placed) {
    expect(await shop.movementsOf(order)).toEqual(movements);
    expect((await shop.readOrder(order)).paymentStatus).toBe('Paid');
    expect(paymentMails(order).toSorted()).toEqual([customer.email, shop.env.NOTIFY_EMAIL]);
  }
  expect(await shop.findBookFaults()).toEqual([]);
});
