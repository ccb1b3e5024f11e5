/** Customers: their list, one of them, and finding somebody by number, name or email, however many there are. */
import { sql, type SQL } from 'drizzle-orm';
import { accounts } from '#worker/accounts/schema.ts';
import type { Database } from '#worker/db/client.ts';
import { listCustomers, readCustomer, search } from '#worker/customers/read.ts';
import { customerCounts, customers as customersTable, customerWords, orders } from '#worker/orders/schema.ts';
import { signInAdministrator } from '../support/visitor.ts';
import { findWalks } from '../support/walks.ts';
import { openSystemDatabase } from './database.ts';
import type { Measure } from './figures.ts';
import { growOrders, measureRead, type Read } from './orders.ts';
import { startDeployed } from './runtime.ts';

/** Ten orders a customer. */
const sizes = process.env['FULL'] ? [100, 10_000, 100_000] : [100, 10_000];
const ordersOfEach = 10;
/** Rows a statement. */
const rowsAtOnce = 10_000;

/** So many first and last names, some of which many people have. */
const syllables = [
  'ma',
  'jo',
  'an',
  'lo',
  'ri',
  'be',
  'ca',
  'du',
  'el',
  'go',
  'ha',
  'ni',
  'pe',
  'sa',
  'to',
  'vi',
];
const syllable = (number: SQL) =>
  sql`substr(${syllables.join('')}, 1 + 2 * ((${number}) % ${sql.raw(String(syllables.length))}), 2)`;
const firstName = sql`(${syllable(sql`i`)} || ${syllable(sql`i / 16`)} || 'a')`;
const lastName = sql`(${syllable(sql`i / 7`)} || ${syllable(sql`i / 112`)} || ${syllable(sql`i / 1792`)} || 'ez')`;
const idOf = (number: SQL) => sql`printf('01900000-0000-7000-8000-%012x', ${number})`;

/** Makes customers up to a number, with their orders; one order of a hundred is of somebody without an account. */
async function growCustomers(db: Database, length: number): Promise<void> {
  const [row] = await db.select({ there: sql<number>`count(*)` }).from(customersTable);
  for (let from = row?.there ?? 0; from < length; from += rowsAtOnce) {
    const rows = sql`WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${Math.min(from + rowsAtOnce, length)})`;
    const id = idOf(sql`i`);
    for (const statement of [
      sql`INSERT INTO ${accounts} ("id", "email", "emailVerifiedAt", "createdAt")
        SELECT ${id}, ${firstName} || '.' || ${lastName} || i || '@customers.example', 1, 1 FROM n`,
      sql`INSERT INTO ${customersTable} ("accountId", "name") SELECT ${id}, ${firstName} || ' ' || ${lastName} FROM n`,
      sql`INSERT OR IGNORE INTO ${customerWords} ("word", "accountId") SELECT ${firstName}, ${id} FROM n`,
      sql`INSERT OR IGNORE INTO ${customerWords} ("word", "accountId") SELECT ${lastName}, ${id} FROM n`,
      sql`INSERT OR IGNORE INTO ${customerWords} ("word", "accountId") SELECT ' ' || ${firstName} || ' ' || ${lastName}, ${id} FROM n`,
    ])
      await db.run(sql`${rows} ${statement}`);
  }
  await db.delete(customerCounts);
  await db.insert(customerCounts).values({ scope: 'all', count: length });
  await growOrders(db, sql`iif(i % 100 = 7, '', ${idOf(sql`i * 7919 % ${length}`)})`, length * ordersOfEach);
}

const reads = (length: number): readonly Read[] => {
  const read = (of: string, path: string): Read => ({ of, who: 'administrator', path });
  const find = (of: string, q: string) => read(`found by ${of}`, `/api/search?q=${encodeURIComponent(q)}`);
  return [
    read('first page', '/api/customers?page=1&pageSize=20'),
    { ...read('middle page', `/api/customers?pageSize=20&page=${Math.ceil(length / 40)}`), goalMs: 50 },
    read('list of a last name', '/api/customers?page=1&pageSize=20&q=malomaez'),
    read('list of a first name’s beginning', '/api/customers?page=1&pageSize=20&q=ma'),
    read('one customer', '/api/customer/01900000-0000-7000-8000-000000000007'),
    find('number', `#${1000 + length}`),
    find('an email', 'jomaa.'),
    find('the beginning of an email', 'jo'),
    find('a first name', 'maria'),
    find('first and last name', 'maria maloriez'),
    find('the beginnings of both', 'ma lo'),
    find('the name of nobody', 'zzyzx'),
    find('somebody without an account', 'c107@'),
  ];
};

const readAll = async (db: Database) => {
  await listCustomers(db, { page: 1, pageSize: 20 });
  await readCustomer(db, '01900000-0000-7000-8000-000000000007');
  for (const q of ['#1007', 'jo', 'ma lo', 'c107@']) await search(db, q);
};

export const customers: Measure = {
  name: 'customers',
  how: `through the API, signed in, ${ordersOfEach} orders each; goal: at most twice the time of the smallest size, deep pages under 50 ms`,
  take: async (tell) => {
    const deployed = await startDeployed();
    const { db, close } = openSystemDatabase(deployed.system.database);
    try {
      const administrator = await signInAdministrator(deployed.url);
      await db.delete(orders);
      const smallest = new Map<string, number>();
      for (const length of sizes) {
        await growCustomers(db, length);
        const size = `${length.toLocaleString('en')} customers`;
        for (const read of reads(length)) await measureRead(administrator, read, { size, smallest, tell });
      }
      for (const walk of await findWalks(db, readAll)) tell({ of: 'walked', value: walk });
    } finally {
      close();
      await deployed.stop();
    }
  },
};
