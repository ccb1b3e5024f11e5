import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import * as z from 'zod';
import type { Customer as CustomerSummary } from '#contract/customers.calls.ts';
import { newId } from '#contract/ids.ts';
import { parsePriceCents } from '#contract/money.ts';
import type { Order, OrderEvent, OrderTotals } from '#contract/orders.calls.ts';
import { findBookFaults } from '../support/books.ts';
import { mailedToken, type Member } from '../support/cast.ts';
import { mailsTo } from '../support/mailbox.ts';
import { findPackage, orderBody, placeOrder } from '../support/orders.ts';
import {
  newEmail,
  registerCustomer,
  signInAdministrator,
  signUp,
  Visitor,
  type Answer,
} from '../support/visitor.ts';

const url = sharedSystem.url;

afterAll(async () => {
  expect(await findBookFaults(sharedSystem.db)).toEqual([]);
});

const idOf = (answer: Answer) => z.object({ _id: z.string() }).parse(answer.json)._id;
const orderOf = (answer: Answer) => answer.json as Order;
const ordersOf = (answer: Answer) => answer.json as Order[];
const today = () => new Date().toISOString().slice(0, 10);
/** The day on which an order was placed, YYYY-MM-DD, from the response. */
const dayOf = (order: Order | undefined) =>
  order?.orderDate.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2') ?? '';
const totalOf = (answer: Answer) => Number(answer.headers.get('X-Total-Count'));

/** What a dishonest browser might add. */
const added = { paymentStatus: 'UnPaid', orderStatus: 'Pending', orderDate: '01/01/2001' };

const place = async (customer: Member, changes: Record<string, unknown> = {}, headers = {}) =>
  customer.post('/api/new-order', await orderBody(customer, customer.email, { ...added, ...changes }), {
    headers,
  });

test('An order records what was bought, and the server sets its status and date', async () => {
  const customer = await registerCustomer(url);
  const { packagePrice } = await findPackage(customer, 'Basic');
  const before = today();
  const answer = await place(customer, { paymentStatus: 'Paid', orderStatus: 'Delivered' });
  const after = today();
  expect(answer.status).toBe(201);
  const order = orderOf(answer);
  expect([before, after]).toContain(dayOf(order));
  expect(order).toMatchObject({
    packageName: 'Basic',
    packagePrice,
    customerEmail: customer.email,
    paymentStatus: 'UnPaid',
    orderStatus: 'Pending',
    paymentMethod: '',
    transactionId: '',
  });
  expect(order.packagePoints.length).toBeGreaterThan(0);
  expect(orderOf(await customer.get(`/api/order/${order._id}`))).toEqual(order);
});

test('An outdated price is a conflict that names the current price, and another price is refused however it is spelled', async () => {
  const customer = await registerCustomer(url);
  const { packagePrice } = await findPackage(customer, 'Basic');
  const answer = await place(customer, { packagePrice: '0.01' });
  expect(answer.status).toBe(409);
  expect(answer.json).toMatchObject({ currentPrice: packagePrice });
  for (const other of ['1e3', ' 499', 499, null])
    expect([409, 422], String(other)).toContain((await place(customer, { packagePrice: other })).status);
  expect(ordersOf(await customer.get('/api/orders'))).toEqual([]);
});

test('An order that an administrator places for an email belongs to the account that verifies the email', async () => {
  const administrator = await signInAdministrator(url);
  const email = newEmail('by-telephone');
  const body = await orderBody(administrator, email);
  const placed = orderOf(await administrator.post('/api/add-order', body));
  const customer = await signUp(url, email);
  expect(ordersOf(await customer.get('/api/orders'))).toEqual([]);
  expect((await customer.get(`/api/order/${placed._id}`)).json).not.toHaveProperty('customerName');

  // People who work on the order find its customer from the order, with or without an account.
  const customerOf = async () => {
    const { json } = await administrator.get(`/api/order/${placed._id}/work`);
    const { customerId } = z.object({ customerId: z.string() }).parse(json);
    return (await administrator.get(`/api/customer/${customerId}`)).json;
  };
  expect(await customerOf()).toMatchObject({ email, hasAccount: false });

  const token = await mailedToken(url, email);
  // The link continues to the order, however the customer signed up.
  const next = encodeURIComponent(`/order/${placed._id}`);
  await mailsTo(url, email, ({ text }) => text.includes(`${token}&next=${next}`));
  await customer.post('/api/auth/verify', { token, password: customer.password });
  expect(ordersOf(await customer.get('/api/orders'))).toEqual([placed]);
  expect(await customerOf()).toMatchObject({ email, hasAccount: true });
  expect((await customer.get('/api/order-totals')).json).toMatchObject({ orders: 1 });
});

test('All spellings of a domain are one customer, who signs up once and whom staff find', async () => {
  const administrator = await signInAdministrator(url);
  const name = `jo-${randomUUID().slice(0, 8)}`;
  const [typed, stored] = [`${name}@Bücher.example`, `${name}@xn--bcher-kva.example`];
  const body = await orderBody(administrator, typed);
  const placed = orderOf(await administrator.post('/api/add-order', body));
  expect(placed.customerEmail).toBe(stored);
  for (const spelled of [typed, stored]) {
    const q = encodeURIComponent(spelled);
    expect(ordersOf(await administrator.get(`/api/orders?q=${q}`))).toEqual([placed]);
    expect((await administrator.get(`/api/customers?q=${q}`)).json).toMatchObject([{ email: stored }]);
  }
  const customer = await signUp(url, typed);
  await expect(signUp(url, stored)).rejects.toThrow('409');
  const { password } = customer;
  expect((await new Visitor(url).post('/api/auth/login', { email: stored, password })).status).toBe(200);
});

test('The link that verifies an email leads to the order that was placed since it was emailed', async () => {
  const email = newEmail('on-the-way');
  const customer = await signUp(url, email);
  const link = `/verify-email?token=${await mailedToken(url, email)}&next=/order-now/${newId()}`;
  expect((await customer.get(link)).text).toMatch(/value="\/order-now\/[\w-]+\?verified"/);
  const placed = await placeOrder(customer);
  expect((await customer.get(link)).text).toContain(`value="/order/${placed._id}?verified"`);
});

test('An idempotency key belongs to one account and one order', async () => {
  const [ann, ben] = [await registerCustomer(url), await registerCustomer(url)];
  const headers = { 'Idempotency-Key': randomUUID() };
  const first = await place(ann, {}, headers);
  for (const changes of [
    { customerName: 'Somebody else' },
    { customerTaxNumber: 'DE1' },
    { packageName: 'Premium' },
  ])
    expect((await place(ann, changes, headers)).status, JSON.stringify(changes)).toBe(422);
  expect(idOf(await place(ben, {}, headers))).not.toBe(idOf(first));
  expect((await place(ann, {}, { 'Idempotency-Key': 'x' })).status).toBe(400);
});

test('A customer lists orders newest first, in pages with a total, filtered by status', async () => {
  const customer = await registerCustomer(url);
  const placed: string[] = [];
  for (let count = 0; count < 7; count += 1) placed.unshift(idOf(await place(customer)));
  await customer.put(`/api/order-cancelled/${placed[2] ?? ''}`, {});

  const pages = await Promise.all(
    [1, 2, 3].map((page) => customer.get(`/api/orders?page=${page}&pageSize=3`)),
  );
  expect(pages.flatMap(ordersOf).map(({ _id }) => _id)).toEqual(placed);
  expect(pages.map(totalOf)).toEqual([7, 7, 7]);
  expect(ordersOf(await customer.get('/api/orders?page=4&pageSize=3'))).toEqual([]);

  const cancelled = await customer.get('/api/orders?paymentStatus=Cancelled');
  expect(ordersOf(cancelled).map(({ _id }) => _id)).toEqual([placed[2]]);
  expect(totalOf(cancelled)).toBe(1);
  expect(totalOf(await customer.get('/api/orders?paymentStatus=UnPaid&orderStatus=Pending'))).toBe(6);

  const administrator = await signInAdministrator(url);
  const set = (path: string, at: number, status: object) =>
    administrator.put(`/api/${path}/${placed[at] ?? ''}`, status);
  // Of the others, one is delivered and paid, one is only paid, and one is only delivered.
  for (const at of [3, 4]) await set('order', at, { paymentStatus: 'Paid' });
  for (const at of [3, 5]) await set('order-status', at, { orderStatus: 'Delivered' });
  const open = await customer.get('/api/orders?own=open&pageSize=3');
  expect(ordersOf(open).map(({ _id }) => _id)).toEqual([placed[0], placed[1], placed[4]]);
  expect(totalOf(open)).toBe(5);
  expect(ordersOf(await administrator.get('/api/orders?own=open'))).toEqual([]);

  for (const query of [
    'own=all',
    'pageSize=101',
    'page=0',
    'paymentStatus=paid',
    'q=x',
    'accountId=1',
    'sort=highest',
  ])
    expect([query, (await customer.get(`/api/orders?${query}`)).status]).toEqual([query, 422]);
});

test('An administrator searches, filters by day and sorts', async () => {
  const [customer, administrator] = [await registerCustomer(url), await signInAdministrator(url)];
  const tag = randomUUID().slice(0, 8);
  const names = [`Zoe ${tag}`, `adam ${tag}`, `Mia 100%_ ${tag}`];
  const placed: Order[] = [];
  for (const customerName of names) placed.push(orderOf(await place(customer, { customerName })));
  placed.push(await placeOrder(customer, 'Premium', `Bob ${tag}`));
  const find = async (query: string) => administrator.get(`/api/orders?${query}`);
  const namesOf = (answer: Answer) =>
    ordersOf(answer).map(({ customerName }) => customerName.replace(` ${tag}`, ''));

  const found = await find(`q=${tag}`);
  expect(namesOf(found)).toEqual(['Bob', 'Mia 100%_', 'adam', 'Zoe']);
  expect(totalOf(found)).toBe(4);
  expect(namesOf(await find(`q=${tag}&sort=oldest`))).toEqual(['Zoe', 'adam', 'Mia 100%_', 'Bob']);
  // Each order is on one page, even if neighbors have the same price.
  const query = `q=${tag}&sort=lowest&paymentStatus=UnPaid&pageSize=2`;
  const pages = await Promise.all([1, 2].map((page) => find(`${query}&page=${page}`)));
  expect(pages.flatMap(namesOf)).toEqual(['Zoe', 'adam', 'Mia 100%_', 'Bob']);
  expect(namesOf(await find(`q=${encodeURIComponent(`0%_ ${tag}`)}`))).toEqual(['Mia 100%_']);
  await place(await registerCustomer(url), { customerName: 'Élodie Müller-Öz' });
  expect(totalOf(await find(`q=${encodeURIComponent('ÉLODIE müller')}`))).toBeGreaterThan(0);
  expect(namesOf(await find(`q=${encodeURIComponent(`_ia 100 ${tag}`)}`))).toEqual([]);
  expect(namesOf(await find(`q=${placed[1]?._id ?? ''}`))).toEqual(['adam']);
  const number = String(placed[1]?.number);
  for (const typed of [number, `%20%23${number}`])
    expect(namesOf(await find(`q=${typed}`))).toEqual(['adam']);
  expect(totalOf(await find('q=%230'))).toBe(0);
  expect(totalOf(await find(`q=${customer.email.toUpperCase()}`))).toBe(4);
  // One customer's orders exclude those of a customer whose email contains theirs.
  await place(await registerCustomer(url, `a${customer.email}`));
  expect(totalOf(await find(`q=${customer.email}`))).toBe(5);
  const { json } = await administrator.get(`/api/customers?q=${customer.email}`);
  const { _id } = (json as CustomerSummary[]).find(({ email }) => email === customer.email) ?? {};
  expect(namesOf(await find(`accountId=${_id}&sort=customer`))).toEqual(['adam', 'Bob', 'Mia 100%_', 'Zoe']);
  expect(totalOf(await find(`accountId=${_id}`))).toBe(4);
  const { text } = await administrator.get(`/api/orders.csv?accountId=${_id}`);
  expect(text.trim().split('\r\n')).toHaveLength(5);

  const days = `from=${dayOf(placed[0])}&to=${dayOf(placed[3])}`;
  expect(totalOf(await find(`q=${tag}&${days}`))).toBe(4);
  expect(totalOf(await find(`q=${tag}&from=2100-01-01`))).toBe(0);
  expect(totalOf(await find(`q=${tag}&to=2020-01-01`))).toBe(0);
  expect((await find('from=21-11-2026')).status).toBe(422);
});

test('Totals follow each change of an order, and revenue counts only paid ones', async () => {
  const [customer, administrator] = [await registerCustomer(url), await signInAdministrator(url)];
  const first = orderOf(await place(customer));
  await place(customer);
  const cents = parsePriceCents(first.packagePrice);
  const totals = async () => (await customer.get('/api/order-totals')).json as OrderTotals;
  expect(await totals()).toMatchObject({ orders: 2, paidCents: 0, byPaymentStatus: { UnPaid: 2, Paid: 0 } });
  expect(await totals()).toMatchObject({ unpaidCents: 2 * (cents ?? 0) });

  expect((await administrator.put(`/api/order/${first._id}`, { paymentStatus: 'Paid' })).status).toBe(200);
  expect(await totals()).toMatchObject({
    paidCents: cents,
    unpaidCents: cents,
    awaitingDelivery: 1,
    byPaymentStatus: { UnPaid: 1, Paid: 1 },
  });
  await administrator.put(`/api/order-status/${first._id}`, { orderStatus: 'Delivered' });
  expect(await totals()).toMatchObject({ awaitingDelivery: 0, byOrderStatus: { Pending: 1, Delivered: 1 } });
  await administrator.put(`/api/order/${first._id}`, { paymentStatus: 'UnPaid' });
  expect(await totals()).toMatchObject({ paidCents: 0, byPaymentStatus: { UnPaid: 2, Paid: 0 } });
});

test('The timeline shows who changed what, and the previous value', async () => {
  const [customer, administrator] = [await registerCustomer(url), await signInAdministrator(url)];
  const { _id } = orderOf(await place(customer));
  await administrator.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });
  await administrator.put(`/api/order-status/${_id}`, { orderStatus: 'Delivered' });
  await administrator.put(`/api/order-status/${_id}`, { orderStatus: 'Delivered' });
  const theirs = (await customer.get(`/api/order/${_id}/timeline`)).json as OrderEvent[];
  expect(theirs.map(({ kind, by }) => [kind, by])).toEqual([
    ['placed', 'Customer'],
    ['paidByHand', 'Administrator'],
    ['delivered', 'Administrator'],
  ]);
  expect(theirs[1]).toMatchObject({ before: { paymentStatus: 'UnPaid' }, after: { paymentStatus: 'Paid' } });
  const ours = (await administrator.get(`/api/order/${_id}/timeline`)).json as OrderEvent[];
  expect(ours[0]?.by).toBe(customer.email);
});

test('A customer adds a company and a tax number, with the order or later', async () => {
  const customer = await registerCustomer(url);
  const answer = await place(customer, { customerCompany: ' Lopez Lending LLC ' });
  expect(orderOf(answer)).toMatchObject({ customerCompany: 'Lopez Lending LLC', customerTaxNumber: '' });
  const { _id } = orderOf(answer);

  const customerTaxNumber = 'EIN 12-3456789';
  const wanted = { customerCompany: 'Lopez Lending LLC', customerTaxNumber };
  expect(orderOf(await customer.put(`/api/order/${_id}/billing`, { customerTaxNumber }))).toMatchObject(
    wanted,
  );
  expect(orderOf(await customer.get(`/api/order/${_id}`))).toMatchObject(wanted);

  const kinds = (await customer.get(`/api/order/${_id}/timeline`)).json as OrderEvent[];
  expect(kinds.map(({ kind }) => kind)).toEqual(['placed', 'billingChanged']);
});

test('An administrator downloads all matching orders as CSV', async () => {
  const [customer, administrator] = [await registerCustomer(url), await signInAdministrator(url)];
  const tag = randomUUID().slice(0, 8);
  for (const name of ['Ann', 'Ben']) await place(customer, { customerName: `${name} ${tag}` });
  const answer = await administrator.get(`/api/orders.csv?q=${tag}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('Content-Disposition')).toMatch(
    /^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const lines = answer.text.trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('Order Status,Progress,');
  expect(lines[1]).toContain(',UnPaid,,,0,Pending,Awaiting payment,');
  const [newest] = ordersOf(await administrator.get(`/api/orders?q=${tag}`));
  expect(lines[1]).toMatch(new RegExp(`^#${String(newest?.number)},\\d{4}-\\d\\d-\\d\\d,`));
  expect(lines[2]).toContain(`,Ann ${tag},`);
});

test('An administrator reads sales by day', async () => {
  const [customer, administrator] = [await registerCustomer(url), await signInAdministrator(url)];
  const day = z.array(
    z.object({ day: z.string(), orders: z.number(), paidOrders: z.number(), paidCents: z.number() }),
  );
  const paidOn = async (placedOn: string) =>
    day.parse((await administrator.get('/api/sales')).json).find((entry) => entry.day === placedOn)
      ?.paidCents ?? 0;
  // Refunds in other tests can lower the day's sum in between, so the test polls.
  const sell = async () => {
    const order = orderOf(await place(customer));
    const before = await paidOn(dayOf(order));
    await administrator.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' });
    return (await paidOn(dayOf(order))) - before - (parsePriceCents(order.packagePrice) ?? NaN);
  };
  await expect.poll(sell).toBeGreaterThanOrEqual(0);
  expect((await administrator.get('/api/sales?from=2001-01-01&to=2001-12-31')).json).toEqual([]);
});
