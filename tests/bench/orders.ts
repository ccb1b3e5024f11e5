/** Orders: how many a second, how fast a payment is known, and lists and totals however many orders there are. */
import { eq, sql, type SQL } from 'drizzle-orm';
import Stripe from 'stripe';
import { openDataDir } from '#dev/system/settings.ts';
import { accounts } from '#worker/accounts/schema.ts';
import type { Database } from '#worker/db/client.ts';
import { everybody, orders as ordersTable, orderTotals } from '#worker/orders/schema.ts';
import { ledger, refunds } from '#worker/payments/schema.ts';
import { registerCustomer, signInAdministrator, type Visitor } from '../support/visitor.ts';
import { openSystemDatabase } from './database.ts';
import { below, median, ms, perSecond, spread, timeEach, type Figure, type Measure } from './figures.ts';
import { networkMs, openNetwork } from './network.ts';
import { startDeployed, type Deployed } from './runtime.ts';

type Tell = (figure: Figure) => void;
type Customer = Awaited<ReturnType<typeof registerCustomer>>;

const sizes = process.env['FULL'] ? [1_000, 100_000, 1_000_000] : [1_000, 100_000];
/** Rows a statement; one must end well before the database's limit for a write transaction. */
const rowsAtOnce = 10_000;

const textOf = (json: unknown, name: string): string => {
  const value: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined;
  if (typeof value !== 'string') throw new Error(`The answer has no ${name}.`);
  return value;
};

async function placeOrder(customer: Customer, price: string): Promise<string> {
  const { status, json, text } = await customer.post('/api/new-order', {
    packageName: 'Basic',
    packagePrice: price,
    customerEmail: customer.email,
    customerName: 'Ann Example',
    customerAddress: '1 Example Street',
    customerCountry: 'France',
  });
  if (status !== 201) throw new Error(`An order answered ${status}: ${text}`);
  return textOf(json, '_id');
}

async function readPrice(customer: Visitor): Promise<string> {
  const { json } = await customer.get('/api/pricings');
  const packages: unknown[] = Array.isArray(json) ? json : [];
  return textOf(
    packages.find((one) => textOf(one, 'packageName') === 'Basic'),
    'packagePrice',
  );
}

async function measurePlacing(customer: Customer, price: string, tell: Tell): Promise<void> {
  await timeEach(20, 4, () => placeOrder(customer, price));
  for (const [count, atOnce] of [
    [100, 1],
    [400, 8],
  ] as const) {
    const startedAt = performance.now();
    const times = await timeEach(count, atOnce, () => placeOrder(customer, price));
    const rate = (count * 1_000) / (performance.now() - startedAt);
    tell({
      of: `orders placed, ${atOnce} at once`,
      value: `${perSecond(rate)} · ${spread(times, 0.5, 0.99)}`,
    });
  }
}

/** What a customer waits for where the database is not beside the Worker. */
async function measureFarAway(customer: Customer, price: string, tell: Tell): Promise<void> {
  const orderId = await placeOrder(customer, price);
  for (const [of, work] of [
    ['order placed', () => placeOrder(customer, price)],
    ['order read', () => customer.get(`/api/order/${orderId}`)],
    ["customer's first page", () => customer.get('/api/orders?page=1&pageSize=5')],
  ] as const) {
    await timeEach(3, 1, work);
    tell({
      of: `${of}, ${networkMs} ms of network each round trip`,
      value: spread(await timeEach(30, 1, work), 0.5, 0.95),
    });
  }
}

/** From the moment Stripe has taken the money until the order says Paid, told by the webhook alone. */
async function measureSettling({ system }: Deployed, customer: Customer, price: string, tell: Tell) {
  if (!system.stripe) throw new Error('This measure needs the local Stripe.');
  const { hostname, port } = new URL(system.stripe.url);
  const { stripeSecretKey } = await openDataDir(system.dataDir);
  const stripe = new Stripe(stripeSecretKey, { host: hostname, port, protocol: 'http' });
  const times: number[] = [];
  for (let count = 0; count < 50; count += 1) {
    const orderId = await placeOrder(customer, price);
    const { json } = await customer.post('/api/create-payment-intent', { amount: price, orderId });
    const [intent = ''] = textOf(json, 'clientSecret').split('_secret_');
    await stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    const startedAt = performance.now();
    while (textOf((await customer.get(`/api/order/${orderId}`)).json, 'paymentStatus') !== 'Paid');
    times.push(performance.now() - startedAt);
  }
  tell({ of: 'paid at Stripe → order Paid, by the webhook', value: spread(times, 0.5, 0.99) });
}

/** The statements that return every twentieth order between two numbers: its refund, and the movement in the ledger. */
const returns = (from: number, to: number): SQL[] => {
  const rows = sql`
    WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})`;
  const order = sql`printf('01900000-%04x-7000-8000-%012x', i / 65536, i)`;
  const cents = sql`iif(i % 40 = 2, (100 + i % 900) * 100, 5000)`;
  return [
    sql`${rows} INSERT INTO ${refunds} ("_id", "orderId", "paymentId", "refundId", "amountCents", "status", "accountId", "at", "changedAt")
      SELECT ${order}, ${order}, ${order}, 're_' || i, ${cents}, 'succeeded', '', i, i FROM n WHERE i % 20 = 2`,
    sql`${rows} INSERT INTO ${ledger} ("key", "at", "orderId", "kind", "amountCents", "stripeId", "balanceCents")
      SELECT 'refund:re_' || i, i, ${order}, 'refund', -${cents}, 're_' || i, 0 FROM n WHERE i % 20 = 2`,
  ];
};

/**
 * Makes orders up to a number, straight in the database: ids that sort by time, over two years of days, every twentieth
 * returned, whole or in part. The running totals are then counted anew.
 * @param accountOf whose order `i` is
 */
export async function growOrders(db: Database, accountOf: SQL, length: number): Promise<void> {
  const [row] = await db.select({ there: sql<number>`count(*)` }).from(ordersTable);
  const insert = (from: number, to: number): SQL => sql`
    WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})
    INSERT INTO ${ordersTable} ("_id", "accountId", "packageName", "packagePrice", "priceCents", "packagePoints",
      "customerEmail", "customerName", "customerAddress", "customerCountry", "paymentStatus", "refundedCents",
      "orderStatus", "orderDay")
    SELECT printf('01900000-%04x-7000-8000-%012x', i / 65536, i), ${accountOf},
      'Basic', printf('%d.00', 100 + i % 900), (100 + i % 900) * 100, '[]', 'c' || i || '@customers.example',
      'Customer ' || (i * 7919 % 100003), '1 Example Street', 'France',
      CASE WHEN i % 40 = 2 THEN 'Refunded' WHEN i % 4 = 0 THEN 'UnPaid' WHEN i % 4 = 3 THEN 'Cancelled' ELSE 'Paid' END,
      CASE i % 40 WHEN 2 THEN (100 + i % 900) * 100 WHEN 22 THEN 5000 ELSE 0 END, iif(i % 3, 'Pending', 'Delivered'),
      date('2023-01-01', '+' || (i * 700 / 1000000) || ' days')
    FROM n`;
  for (let from = row?.there ?? 0; from < length; from += rowsAtOnce) {
    const to = Math.min(from + rowsAtOnce, length);
    await db.run(insert(from, to));
    for (const statement of returns(from, to)) await db.run(statement);
  }
  await db.delete(orderTotals);
  for (const [scope, day] of [
    [sql`${everybody}`, sql`''`],
    [sql`${everybody}`, ordersTable.orderDay],
    [ordersTable.accountId, sql`''`],
  ] as const)
    await db.run(sql`
      INSERT INTO ${orderTotals} ("scope", "day", "paymentStatus", "orderStatus", "orders", "cents", "refundedCents")
      SELECT ${scope}, ${day}, "paymentStatus", "orderStatus", count(*), sum("priceCents"), sum("refundedCents")
      FROM ${ordersTable} WHERE ${scope} <> '' GROUP BY 1, 2, 3, 4`);
}

/** Longest that a page beyond the hundredth may take, in ms. */
const deepPageMs = 50;

export interface Read {
  readonly of: string;
  readonly who: 'administrator' | 'customer';
  readonly path: string;
  /** Instead of twice the time of the smallest size, in ms. */
  readonly goalMs?: number;
}

/** Times a read, and tells it beside its goal. @param smallest what the smallest size took, in ms, by what was read */
export async function measureRead(
  visitor: Visitor,
  { of, path, goalMs }: Read,
  {
    size,
    smallest,
    tell,
  }: { readonly size: string; readonly smallest: Map<string, number>; readonly tell: Tell },
): Promise<void> {
  const read = async () => {
    const { status, text } = await visitor.get(path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  };
  await timeEach(3, 1, read);
  const times = await timeEach(30, 1, read);
  const row = `${size}: ${of}`;
  const told = spread(times, 0.5, 0.95);
  const least = smallest.get(of);
  if (goalMs !== undefined) tell(below(row, median(times), goalMs, ms, told));
  else if (least === undefined) {
    if (!of.startsWith('search')) smallest.set(of, median(times));
    tell({ of: row, value: told });
  } else tell(below(row, median(times), least * 2, ms, told));
}

/** What the screens ask for: the first pages, the hundredth, and some in the depth. */
const reads = (length: number): readonly Read[] => {
  const deep = Math.min(5_000, length / 20);
  const list = (of: string, query: string): Read => ({
    of,
    who: 'administrator',
    path: `/api/orders?pageSize=10&${query}`,
  });
  return [
    list('first page of all', 'page=1'),
    list('page 100 of all', 'page=100'),
    { ...list(`page ${deep} of all`, `page=${deep}`), goalMs: deepPageMs },
    list('first page, Paid and Pending', 'page=1&paymentStatus=Paid&orderStatus=Pending'),
    list('first page, highest price first', 'page=1&sort=highest'),
    list('first page, by customer', 'page=1&sort=customer'),
    list('the order of a number', `page=1&q=%23${String(1000 + Math.floor(length / 2))}`),
    list('search by name', 'page=1&q=Customer%2099'),
    // The middle of what matches, as far from both ends as a page can be.
    {
      ...list(
        'middle page, Pending by customer',
        `page=${Math.floor(length / 30)}&sort=customer&orderStatus=Pending`,
      ),
      goalMs: deepPageMs,
    },
    {
      ...list(
        'middle page, 350 days by price',
        `page=${Math.floor(length / 40)}&sort=highest&from=2023-01-01&to=2023-12-16`,
      ),
      goalMs: deepPageMs,
    },
    { of: "a customer's first page", who: 'customer', path: '/api/orders?page=1&pageSize=5' },
    list('first page, Refunded', 'page=1&paymentStatus=Refunded'),
    { of: 'first page of the ledger', who: 'administrator', path: '/api/ledger?pageSize=20' },
    {
      of: 'middle page of the ledger',
      who: 'administrator',
      path: `/api/ledger?pageSize=20&page=${Math.ceil(length / 400)}`,
    },
    { of: 'totals of all', who: 'administrator', path: '/api/order-totals' },
    { of: "a customer's totals", who: 'customer', path: '/api/order-totals' },
    { of: 'sales of 30 days', who: 'administrator', path: '/api/sales?from=2023-01-01&to=2023-01-30' },
  ];
};

async function measureReads(deployed: Deployed, customer: Customer, tell: Tell): Promise<void> {
  const administrator = await signInAdministrator(deployed.url);
  const { db, close } = openSystemDatabase(deployed.system.database);
  const [account] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.email, customer.email));
  const smallest = new Map<string, number>();
  try {
    await db.delete(ordersTable);
    for (const length of sizes) {
      // Every tenth is the customer's.
      await growOrders(db, sql`iif(i % 10, 'other-' || (i % 997), ${account?.id ?? ''})`, length);
      const size = `${length.toLocaleString('en')} orders`;
      for (const read of reads(length))
        await measureRead(read.who === 'customer' ? customer : administrator, read, { size, smallest, tell });
    }
  } finally {
    close();
  }
}

export const orders: Measure = {
  name: 'orders',
  how: 'through the API, signed in; goal of the larger sizes: at most twice the time of the smallest, deep pages under 50 ms',
  take: async (tell) => {
    const network = openNetwork();
    const deployed = await startDeployed({ beforePipeline: network.beforePipeline });
    try {
      const customer = await registerCustomer(deployed.url);
      const price = await readPrice(customer);
      await measurePlacing(customer, price, tell);
      await network.during(() => measureFarAway(customer, price, tell));
      await measureSettling(deployed, customer, price, tell);
      await measureReads(deployed, customer, tell);
    } finally {
      await deployed.stop();
    }
  },
};
