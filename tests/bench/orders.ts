/** Measures a sale, and the lists and totals of orders at growing numbers of orders. */
import { eq, sql, type SQL } from 'drizzle-orm';
import { accounts } from '#worker/accounts/schema.ts';
import type { Database } from '#worker/db/client.ts';
import { everybody, orders as ordersTable, orderTotals } from '#worker/orders/schema.ts';
import { ledger, refunds } from '#worker/payments/schema.ts';
import { clientSecretFor, confirmCard, placeOrder } from '../support/orders.ts';
import { registerCustomer, signInAdministrator } from '../support/visitor.ts';
import { openSystemDatabase } from './database.ts';
import {
  atMost,
  median,
  ms,
  perSecond,
  spread,
  timeEach,
  times,
  type Figure,
  type Measure,
} from './figures.ts';
import { startDeployed, type Deployed } from './runtime.ts';

type Tell = (figure: Figure) => void;
type Customer = Awaited<ReturnType<typeof registerCustomer>>;

const sizes = process.env['FULL'] ? [1_000, 100_000, 1_000_000] : [1_000, 100_000];
/** Rows per statement. A statement must finish well before the database's limit for a write transaction. */
const rowsAtOnce = 10_000;

/** Reads the package and orders it. */
async function measurePlacing(customer: Customer, tell: Tell): Promise<number> {
  await timeEach(20, 4, () => placeOrder(customer));
  const startedAt = performance.now();
  const crowd = await timeEach(200, 8, () => placeOrder(customer));
  const rate = (crowd.length * 1_000) / (performance.now() - startedAt);
  tell({ of: 'orders placed, 8 at once', value: `${perSecond(rate)} · ${spread(crowd, 0.5, 0.99)}` });
  const alone = median(await timeEach(50, 1, () => placeOrder(customer)));
  tell({ of: 'orders placed, one after another', value: ms(alone) });
  return alone;
}

/** The time from when Stripe has the money until the order is Paid, by the webhook alone. */
async function measureSettling({ system }: Deployed, customer: Customer, placing: number, tell: Tell) {
  const taken: number[] = [];
  for (let count = 0; count < 50; count += 1) {
    const order = await placeOrder(customer);
    await confirmCard(customer, system.stripe?.url ?? '', await clientSecretFor(customer, order));
    const startedAt = performance.now();
    const isPaid = async () =>
      (await customer.get(`/api/order/${order._id}`)).text.includes('"paymentStatus":"Paid"');
    while (!(await isPaid()));
    taken.push(performance.now() - startedAt);
  }
  tell({
    of: 'paid at Stripe → order Paid, by the webhook',
    value: `${times(median(taken) / placing)} an order placed · ${spread(taken, 0.5, 0.99)}`,
  });
}

/** The statements that refund every twentieth order between two numbers: the refund, and its ledger entry. */
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
 * Adds orders up to a number, directly in the database: ids that sort by time, days over two years, every twentieth
 * refunded in part or in full. Then recalculates the running totals.
 * @param accountOf the owner of order `i`
 */
async function growOrders(db: Database, accountOf: SQL, length: number): Promise<void> {
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

/** What the admin pages request: first pages, pages in the middle, totals. */
const readsOf = (length: number): Readonly<Record<string, string>> => ({
  'first page': '/api/orders?pageSize=10&page=1',
  'first page, Paid and Pending': '/api/orders?pageSize=10&page=1&paymentStatus=Paid&orderStatus=Pending',
  'first page, highest price first': '/api/orders?pageSize=10&page=1&sort=highest',
  'first page of the ledger': '/api/ledger?pageSize=20',
  'totals of all': '/api/order-totals',
  'sales of 30 days': '/api/sales?from=2023-01-01&to=2023-01-30',
  // As far from both ends as a page can be.
  'middle page, Pending by customer': `/api/orders?pageSize=10&page=${Math.floor(length / 30)}&sort=customer&orderStatus=Pending`,
  'middle page, 350 days by price': `/api/orders?pageSize=10&page=${Math.floor(length / 40)}&sort=highest&from=2023-01-01&to=2023-12-16`,
  'search by name': '/api/orders?pageSize=10&page=1&q=Customer%2099',
});

/** With more orders, a page in the middle and a search may take longer, up to this, in ms. */
const mostMs = 50;

async function measureReads({ url, system }: Deployed, customer: Customer, tell: Tell): Promise<void> {
  const administrator = await signInAdministrator(url);
  const { db, close } = openSystemDatabase(system.database);
  const [account] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.email, customer.email));
  const smallest = new Map<string, number>();
  await db.delete(ordersTable);
  for (const length of sizes) {
    // Every tenth order is the customer's.
    await growOrders(db, sql`iif(i % 10, 'other-' || (i % 997), ${account?.id ?? ''})`, length);
    for (const [of, path] of Object.entries(readsOf(length))) {
      const read = async () => {
        const { status, text } = await administrator.get(path);
        if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`);
      };
      await timeEach(3, 1, read);
      const taken = median(await timeEach(30, 1, read));
      const least = smallest.get(of) ?? taken;
      smallest.set(of, least);
      const row = `${length.toLocaleString('en')} orders: ${of}`;
      const told = `${times(taken / least)} (${ms(taken)})`;
      tell(
        /middle|search/.test(of)
          ? atMost(row, taken, mostMs, ms, told)
          : atMost(row, taken / least, 2, times, told),
      );
    }
  }
  close();
}

export const orders: Measure = {
  name: 'orders',
  how: 'through the API, signed in; lists and totals relative to the same with 1,000 orders (FULL=1: a million, too)',
  take: async (tell) => {
    const deployed = await startDeployed();
    try {
      const customer = await registerCustomer(deployed.url);
      const placing = await measurePlacing(customer, tell);
      await measureSettling(deployed, customer, placing, tell);
      await measureReads(deployed, customer, tell);
    } finally {
      await deployed.stop();
    }
  },
};
