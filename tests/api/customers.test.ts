/** Customers: who has ordered, what they spent and wrote, notes about them, and finding them from anywhere. */
import { sql } from 'drizzle-orm';
import { beforeAll, expect, inject, test } from 'vitest';
import type { Customer, CustomerNote, CustomerRecord, SearchResult, Waiting } from '#contract/customers.ts';
import { newId } from '#contract/ids.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { writeBatch } from '#worker/db/client.ts';
import { noteCustomer } from '#worker/orders/customers.ts';
import { customers, customerWords } from '#worker/orders/schema.ts';
import * as queries from '#worker/customers/read.ts';
import { totalCountHeader } from '#contract/paging.ts';
import { registerVerified, type Member } from '../support/cast.ts';
import { findPackage, placeOrder } from '../support/orders.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { findWalks } from '../support/walks.ts';
import { newEmail, registerCustomer, signInAdministrator, type Visitor } from '../support/visitor.ts';

const url = inject('systemUrl');
let staff: Visitor;
let customer: Member;
beforeAll(async () => {
  [staff, customer] = await Promise.all([signInAdministrator(url), registerVerified(url)]);
});

const unique = () => newId().slice(-8);
const search = async (q: string) =>
  (await staff.get(`/api/search?q=${encodeURIComponent(q)}`)).json as SearchResult;
const findCustomer = async (email: string): Promise<Customer | undefined> =>
  (await search(email)).customers.find((found) => found.email === email);
const readCustomer = async (id: string) => (await staff.get(`/api/customer/${id}`)).json as CustomerRecord;

const write = (sender: Visitor, email: string, subject: string) =>
  sender.post('/api/add-message', { name: 'Ada', email, number: '1', subject, message: 'Hello' });

test('A customer is listed with what they ordered and spent, and their record has what they wrote', async () => {
  const total = async () => Number((await staff.get('/api/customers')).headers.get(totalCountHeader));
  const before = await total();
  const first = await placeOrder(customer, 'Basic', 'Ada Broker');
  const second = await placeOrder(customer, 'Basic', 'Ada Lending Broker');
  expect(await total()).toBeGreaterThan(before);
  await staff.put(`/api/order/${first._id}`, { paymentStatus: 'Paid' });
  await staff.post(`/api/order/${first._id}/refunds`, { amount: '100' });
  await write(customer, customer.email, 'From the owner');
  const found = await findCustomer(customer.email);
  const { packagePrice } = await findPackage(customer, 'Basic');
  expect(found).toMatchObject({
    name: 'Ada Lending Broker',
    emailVerified: true,
    orders: 2,
    spentCents: Number(packagePrice) * 100 - 10_000,
  });
  const record = await readCustomer(found?._id ?? '');
  expect(record.newestOrders.map(({ _id }) => _id)).toEqual([second._id, first._id]);
  expect(record.messages.map(({ subject }) => subject)).toEqual(['From the owner']);
  const listed = (await staff.get('/api/customers?page=1&pageSize=100')).json as readonly Customer[];
  expect(listed.map(({ _id }) => _id)).toEqual(
    listed
      .map(({ _id }) => _id)
      .toSorted()
      .reverse(),
  );
  expect((await staff.get(`/api/customer/${newId()}`)).status).toBe(404);
});

test('Messages from an address that its account has not verified are not taken for theirs', async () => {
  const stranger = await registerCustomer(url, newEmail('stranger'));
  await placeOrder(stranger);
  await write(customer, stranger.email, 'From somebody');
  const { _id = '' } = (await findCustomer(stranger.email)) ?? {};
  expect(await readCustomer(_id)).toMatchObject({ emailVerified: false, messages: [] });
});

test('A search finds by number, by the beginning of an email and of each word of a name, and who has no account', async () => {
  const mark = unique();
  const buyer = await registerVerified(url, `zoë-${mark}`.normalize('NFKD').replace(/\p{M}/gu, ''));
  const order = await placeOrder(buyer, 'Basic', `Zoë van${mark} O'Hara`);
  const emails = async (q: string) => (await search(q)).customers.map(({ email }) => email);
  for (const q of [
    `van${mark}`,
    `VAN${mark}`,
    `zoe van${mark}`,
    `o'hara van${mark}`,
    buyer.email.slice(0, 12),
  ])
    expect(await emails(q), q).toContain(buyer.email);
  expect(await emails(`van${mark} nobody`)).toEqual([]);
  expect(await emails(mark.slice(2))).toEqual([]);
  expect((await search(`#${String(order.number)}`)).orders).toEqual([
    { _id: order._id, number: order.number, packageName: 'Basic', customerName: `Zoë van${mark} O'Hara` },
  ]);
  const { packagePrice } = await findPackage(staff, 'Basic');
  const phoned = await staff.post('/api/add-order', {
    packageName: 'Basic',
    packagePrice,
    customerEmail: newEmail(`phone-${mark}`),
    customerName: `Ruth 100% Caller${mark}`,
    customerAddress: '1 Street',
    customerCountry: 'Canada',
  });
  expect(phoned.status, phoned.text).toBe(201);
  const phonedId = (phoned.json as { _id: string })._id;
  for (const q of [`caller${mark}`, `phone-${mark}`, '100% caller'])
    expect(
      (await search(q)).orders.map(({ _id }) => _id),
      q,
    ).toContain(phonedId);
  expect((await search(`%caller${mark}_`)).orders).toEqual([]);
  expect(await search('a')).toEqual({ customers: [], orders: [] });
});

test('Notes are for the staff alone, and go with the account', async () => {
  const leaving = await registerVerified(url);
  await placeOrder(leaving);
  const { _id = '' } = (await findCustomer(leaving.email)) ?? {};
  expect((await staff.post(`/api/customer/${_id}/notes`, { text: '  ' })).status).toBe(422);
  const note = (await staff.post(`/api/customer/${_id}/notes`, { text: 'Calls on Friday' }))
    .json as CustomerNote;
  const notes = async (page = 1) => staff.get(`/api/customer/${_id}/notes?page=${page}&pageSize=2`);
  expect((await notes()).json).toEqual([expect.objectContaining({ text: 'Calls on Friday' })]);
  for (const text of ['Has two offices', 'Wants no calls'])
    expect((await staff.post(`/api/customer/${_id}/notes`, { text })).status).toBe(201);
  const pages = [await notes(1), await notes(2)];
  expect(pages.map(({ json }) => (json as CustomerNote[]).map(({ text }) => text))).toEqual([
    ['Wants no calls', 'Has two offices'],
    ['Calls on Friday'],
  ]);
  expect(pages.map(({ headers }) => headers.get(totalCountHeader))).toEqual(['3', '3']);
  expect((await leaving.get('/api/auth/account')).text).not.toContain('Calls on Friday');
  expect((await staff.delete(`/api/customer-note/${note._id}`)).status).toBe(204);
  expect((await staff.delete(`/api/customer-note/${note._id}`)).status).toBe(404);
  await staff.post(`/api/customer/${_id}/notes`, { text: 'Left us' });
  expect((await leaving.delete('/api/auth/account')).status).toBe(204);
  expect((await staff.get(`/api/customer/${_id}`)).status).toBe(404);
  expect((await staff.post(`/api/customer/${_id}/notes`, { text: 'Gone' })).status).toBe(404);
  expect(await search(leaving.email)).toEqual({ customers: [], orders: [] });
});

test('A note that is sent again, because its answer was lost, stands once', async () => {
  const [one, other] = await Promise.all([registerVerified(url), registerVerified(url)]);
  await Promise.all([placeOrder(one), placeOrder(other)]);
  const [first, second] = await Promise.all(
    [one, other].map(async ({ email }) => (await findCustomer(email))?._id ?? ''),
  );
  const add = async (id = '', key = '', text = 'Calls back') =>
    staff.post(`/api/customer/${id}/notes`, { text }, { headers: { 'Idempotency-Key': key } });
  const key = newId();
  const answers = await Promise.all([add(first, key), add(first, key), add(first, key)]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ text }) => text))).toHaveLength(1);
  expect((await add(first, newId())).status).toBe(201);
  const notes = async (id = '') =>
    ((await staff.get(`/api/customer/${id}/notes`)).json as CustomerNote[]).map(({ text }) => text);
  expect(await notes(first)).toEqual(['Calls back', 'Calls back']);
  // A key is of one note about one customer.
  expect((await add(second, key)).status).toBe(422);
  expect(await notes(second)).toEqual([]);
});

test('No list, record or search of customers walks through all orders, accounts or messages', async () => {
  const { db, close } = await openTestDatabase();
  const walks = await findWalks(db, async (read) => {
    await queries.listCustomers(read, { page: 1, pageSize: 20 });
    await queries.readCustomer(read, newId()).catch(() => undefined);
    for (const q of ['#1042', 'ma', 'ma lo', 'maria@']) await queries.search(read, q);
  });
  await close();
  // Those end with the page, at the end of a few words or of a few of each, and among the orders of nobody's account.
  expect(walks.toSorted()).toEqual([
    'SCAN customer_counts',
    'SCAN customers USING COVERING INDEX sqlite_autoindex_customers_1',
    'SCAN newest',
    'SCAN oldest',
    'SCAN orders USING COVERING INDEX orders_unclaimed',
    'SCAN sampled',
    'SCAN walked',
  ]);
});

test('Of many people whose names begin alike the newest are found, whichever of their words it is', async () => {
  const { db, close } = await openTestDatabase();
  const people = Array.from({ length: 600 }, (_, index) => ({
    id: newId(index + 1),
    // Words that few share and that many share, and people with two words that begin so.
    name: `${[`mar${index % 7}`, `mar${index % 97}x`, `lee${index}`, 'maria'][index % 4] ?? ''}${index % 10 ? '' : ' marlo'}`,
  }));
  await db
    .insert(accounts)
    .values(
      people.map(({ id }) => ({ id, email: `p${id}@people.example`, emailVerifiedAt: 1, createdAt: 1 })),
    );
  await db.insert(customers).values(people.map(({ id, name }) => ({ accountId: id, name })));
  await db
    .insert(customerWords)
    .values(people.flatMap(({ id, name }) => name.split(' ').map((word) => ({ word, accountId: id }))));
  for (const q of ['mar', 'mar1', 'maria', 'marlo', 'lee5', 'm']) {
    const expected = people.filter(({ name }) => name.split(' ').some((word) => word.startsWith(q)));
    const found = await queries.listCustomers(db, { page: 1, pageSize: 100, q });
    expect(
      found.rows.map(({ _id }) => _id),
      q,
    ).toEqual(
      expected
        .map(({ id }) => id)
        .toSorted()
        .reverse()
        .slice(0, 100),
    );
    if (q.length > 1) expect((await queries.search(db, q)).customers, q).toEqual(found.rows.slice(0, 8));
  }
  await close();
});

test('A customer with two common names is found by both, however many customers are newer', async () => {
  const { db, close } = await openTestDatabase();
  const count = 21_000;
  const id = sql.raw("printf('01900000-0000-7000-8000-%012x', i)");
  for (const [table, columns, values] of [
    ['accounts', '"id", "email", "createdAt"', "i || '@people.example', 1"],
    ['customers', '"accountId", "name"', "'Somebody Else'"],
    // Half of them have the one name, half the other.
    ['customer_words', '"accountId", "word"', "iif(i % 2, 'maria', 'lopez')"],
  ] as const)
    await db.run(
      sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        INSERT INTO ${sql.raw(`${table} (${columns})`)} SELECT ${id}, ${sql.raw(values)} FROM n`,
    );
  const oldest = newId(1);
  await db.insert(accounts).values({ id: oldest, email: 'old@people.example', createdAt: 1 });
  await writeBatch(db, noteCustomer(db, { accountId: oldest, customerName: 'María  López-Ruiz' }));
  for (const q of ['maria lopez', 'María Lop', 'maria lopez ruiz'])
    expect(
      (await queries.search(db, q)).customers.map(({ _id }) => _id),
      q,
    ).toEqual([oldest]);
  await close();
});

test('What waits for the staff is counted, and answered anew only when it has changed', async () => {
  const read = (etag = '') => staff.get('/api/waiting', { headers: { 'If-None-Match': etag } });
  const first = await read();
  const etag = first.headers.get('ETag') ?? '';
  const again = await read(etag);
  // Other tests may have placed an order meanwhile.
  if (again.status === 304) expect(again.text).toBe('');
  else expect(again.headers.get('ETag')).not.toBe(etag);
  const { _id } = await placeOrder(customer);
  await staff.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });
  await write(customer, customer.email, 'Counted');
  const later = await read(etag);
  expect(later.status).toBe(200);
  expect((later.json as Waiting).orders).toBeGreaterThan((first.json as Waiting).orders);
  expect(later.json).toEqual({
    attention: expect.any(Number) as number,
    messages: expect.any(Number) as number,
    conversations: expect.any(Number) as number,
    toDeliver: expect.any(Number) as number,
    unpaid: expect.any(Number) as number,
    orders: expect.any(Number) as number,
  });
});
