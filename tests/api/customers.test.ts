/** Customers: who has ordered, what they spent and wrote, notes about them, and finding them from anywhere. */
import { expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import type { Customer, CustomerRecord, SearchResult, InboxCounts } from '#contract/customers.calls.ts';
import type { StaffNote } from '#contract/notes.calls.ts';
import { newId } from '#contract/ids.ts';
import { totalCountHeader } from '#contract/paging.ts';
import { mailedToken, registerVerified } from '../support/cast.ts';
import { sendMessage } from '../support/messages.ts';
import { findPackage, orderBody, placeOrder } from '../support/orders.ts';
import { newEmail, registerCustomer, signInAdministrator, signUp } from '../support/visitor.ts';

const url = sharedSystem.url;
const [staff, customer] = await Promise.all([signInAdministrator(url), registerVerified(url)]);

const unique = () => newId().slice(-8);
const keyed = () => ({ headers: { 'Idempotency-Key': newId() } });
const search = async (q: string) =>
  (await staff.get(`/api/search?q=${encodeURIComponent(q)}`)).json as SearchResult;
const findCustomer = async (email: string): Promise<Customer | undefined> =>
  (await search(email)).customers.find((found) => found.email === email);
const readCustomer = async (id: string) => (await staff.get(`/api/customer/${id}`)).json as CustomerRecord;

test('A customer is listed with what they ordered and spent, and their record has what they wrote', async () => {
  const total = async () => Number((await staff.get('/api/customers')).headers.get(totalCountHeader));
  const before = await total();
  const first = await placeOrder(customer, 'Basic', 'Ada Broker');
  const second = await placeOrder(customer, 'Basic', 'Ada Lending Broker');
  expect(await total()).toBeGreaterThan(before);
  await staff.put(`/api/order/${first._id}`, { paymentStatus: 'Paid' });
  await staff.post(`/api/order/${first._id}/refunds`, { amount: '100' });
  await sendMessage(customer, { email: customer.email, subject: 'From the owner' });
  const profile = { company: 'Lopez LLC', phone: '(312) 555-0199', website: 'https://lopez.example/' };
  await customer.put('/api/auth/profile', profile);
  const found = await findCustomer(customer.email);
  const { packagePrice } = await findPackage(customer, 'Basic');
  expect(found).toMatchObject({
    name: 'Ada Lending Broker',
    emailVerified: true,
    orders: 2,
    spentCents: Number(packagePrice) * 100 - 10_000,
  });
  const record = await readCustomer(found?._id ?? '');
  expect(record).toMatchObject(profile);
  expect(record.newestOrders.map(({ _id }) => _id)).toEqual([second._id, first._id]);
  expect(record.messages.map(({ subject }) => subject)).toEqual(['From the owner']);
  const listed = (await staff.get('/api/customers?page=1&pageSize=100')).json as readonly Customer[];
  const times = listed.map(({ since }) => since);
  expect(times).toEqual(times.toSorted().reverse());
  expect((await staff.get(`/api/customer/${newId()}`)).status).toBe(404);
});

test('What the staff delete or refund is in the audit log, with its kind and amount', async () => {
  const order = await placeOrder(customer);
  await staff.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' });
  const refund = [`/api/order/${order._id}/refunds`, { amount: '95' }, keyed()] as const;
  const ids = [(await sendMessage(customer))._id];
  for (let times = 0; times < 2; times += 1) {
    expect((await staff.post(...refund)).status).toBe(201);
    expect((await staff.send('DELETE', '/api/messages', { ids })).status).toBe(200);
  }
  const id = (await findCustomer(customer.email))?._id ?? '';
  const { json: note } = await staff.post(`/api/customer/${id}/notes`, { text: 'Call back' });
  await staff.delete(`/api/customer-note/${(note as StaffNote)._id}`);
  const { json: release } = await staff.post('/api/releases', { title: 'Spring' });
  await staff.delete(`/api/release/${(release as { readonly _id: string })._id}`);
  await sharedSystem.worker.settle();
  const log = (await staff.get('/api/audit-log?page=1&pageSize=100')).json as readonly {
    readonly details: string;
  }[];
  const returned = `Refunded $95 of order #${String(order.number)}`;
  expect(log.filter(({ details }) => details === returned)).toHaveLength(1);
  for (const details of [
    'Deleted 1 message',
    'Deleted a note about a customer',
    'Deleted the release “Spring” with 0 changes',
  ])
    expect(log.map((entry) => entry.details)).toContain(details);
  expect(log.map((entry) => entry.details)).not.toContain('Deleted 0 messages');
});

test('A customer’s record shows no message from an address that they have not verified', async () => {
  const stranger = await registerCustomer(url, newEmail('stranger'));
  await placeOrder(stranger);
  await sendMessage(customer, { email: stranger.email });
  const { _id = '' } = (await findCustomer(stranger.email)) ?? {};
  expect(await readCustomer(_id)).toMatchObject({ emailVerified: false, messages: [] });
});

test('A search finds orders by number, and people by the beginning of their email or of each word of their name', async () => {
  const mark = unique();
  const buyer = await registerVerified(url, `zoe-${mark}`);
  const order = await placeOrder(buyer, 'Basic', `Zoë van${mark} O'Hara`);
  const emails = async (q: string) => (await search(q)).customers.map(({ email }) => email);
  for (const q of [`VAN${mark}`, `zoe van${mark}`, `o'hara van${mark}`, buyer.email.slice(0, 12)])
    expect(await emails(q), q).toContain(buyer.email);
  for (const q of [`van${mark} nobody`, mark.slice(2)]) expect(await emails(q), q).toEqual([]);
  expect((await search(`#${String(order.number)}`)).orders).toEqual([
    {
      _id: order._id,
      number: order.number,
      packageName: 'Basic',
      displayName: 'Basic',
      customerName: `Zoë van${mark} O'Hara`,
      priceCents: Number(order.packagePrice) * 100,
      paymentStatus: 'UnPaid',
      orderStatus: 'Pending',
    },
  ]);
  expect(await search('a')).toEqual({ customers: [], orders: [], messages: [] });
});

test('A search finds customers by company and phone, orders by price, and messages by sender, phone or subject', async () => {
  const mark = unique();
  const buyer = await registerVerified(url, `finder-${mark}`);
  const order = await placeOrder(buyer, 'Basic', 'Ada Broker');
  const found = async (q: string) => (await search(q)).customers.map(({ email }) => email);
  const phone = `312555${String(order.number).padStart(4, '0').slice(-4)}`;
  const typed = `(${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`;
  await buyer.put('/api/auth/profile', { company: `Harbor${mark} Loans`, phone: typed });
  for (const q of [`harbor${mark}`, phone, typed, `+1 ${typed}`])
    expect(await found(q), q).toContain(buyer.email);
  await buyer.put('/api/auth/profile', { company: '', phone: '' });
  expect(await found(`harbor${mark}`)).toEqual([]);

  const price = Number(order.packagePrice);
  for (const q of [`$${String(price)}`, price.toFixed(2)])
    expect(
      (await search(q)).orders.map(({ _id }) => _id),
      q,
    ).toContain(order._id);

  const { _id: message } = await sendMessage(buyer, {
    name: `Mia ${mark}`,
    email: buyer.email,
    number: typed,
    subject: `Offer ${mark}`,
  });
  for (const q of [`mia ${mark}`, `offer ${mark}`, phone])
    expect(
      (await search(q)).messages.map(({ _id }) => _id),
      q,
    ).toContain(message);
});

test.each([0, 1])(
  'A person without an account is a customer like any other, until they verify their email and have %i orders of their own',
  async (ownOrders) => {
    const mark = unique();
    const email = newEmail(`phone-${mark}`);
    const body = await orderBody(staff, email, { customerName: `Ruth 100% Caller${mark}` });
    const phone = async () => {
      const placed = await staff.post('/api/add-order', body);
      expect(placed.status, placed.text).toBe(201);
      return (placed.json as { _id: string })._id;
    };
    const [_id, second] = [await phone(), await phone()];
    await staff.put(`/api/order/${second}`, { paymentStatus: 'Paid' });
    const themselves = {
      _id,
      email,
      hasAccount: false,
      orders: 2,
      spentCents: Number(body.packagePrice) * 100,
    };
    for (const q of [`caller${mark}`, `phone-${mark}@`, `100% "caller${mark}`, `caller${mark}* -- \0`])
      expect((await search(q)).customers, q).toMatchObject([themselves]);
    const all: Customer[] = [];
    for (let page = 1, size = 0; all.length === size; page += 1, size += 3)
      all.push(...((await staff.get(`/api/customers?page=${page}&pageSize=3`)).json as readonly Customer[]));
    expect(new Set(all.map((one) => one._id)).size).toBe(all.length);
    expect(all.find((one) => one._id === _id)).toMatchObject(themselves);
    expect((await readCustomer(_id)).newestOrders).toMatchObject([{ _id: second }, { _id }]);
    expect((await staff.post(`/api/customer/${_id}/notes`, { text: 'Calls on Monday' })).status).toBe(201);

    const owner = await signUp(url, email);
    for (let count = 0; count < ownOrders; count += 1) await placeOrder(owner);
    const token = await mailedToken(url, email);
    await owner.post('/api/auth/verify', { token, password: owner.password });
    expect((await staff.get(`/api/customer/${_id}`)).status).toBe(404);
    const { customers } = await search(email);
    expect(customers).toMatchObject([{ email, hasAccount: true, orders: 2 + ownOrders }]);
    const notes = await staff.get(`/api/customer/${customers[0]?._id ?? ''}/notes`);
    expect(notes.json).toMatchObject([{ text: 'Calls on Monday' }]);
  },
);

test('Notes about a customer are listed in pages, newest first, until they are deleted', async () => {
  const noted = await registerVerified(url);
  await placeOrder(noted);
  const { _id = '' } = (await findCustomer(noted.email)) ?? {};
  expect((await staff.post(`/api/customer/${_id}/notes`, { text: '  ' })).status).toBe(422);
  const note = (await staff.post(`/api/customer/${_id}/notes`, { text: 'Calls on Friday' }))
    .json as StaffNote;
  const notes = async (page = 1) => staff.get(`/api/customer/${_id}/notes?page=${page}&pageSize=2`);
  for (const text of ['Has two offices', 'Wants no calls'])
    expect((await staff.post(`/api/customer/${_id}/notes`, { text })).status).toBe(201);
  const pages = [await notes(1), await notes(2)];
  expect(pages.map(({ json }) => (json as StaffNote[]).map(({ text }) => text))).toEqual([
    ['Wants no calls', 'Has two offices'],
    ['Calls on Friday'],
  ]);
  expect(pages.map(({ headers }) => headers.get(totalCountHeader))).toEqual(['3', '3']);
  expect((await staff.delete(`/api/customer-note/${note._id}`)).status).toBe(204);
  expect((await staff.delete(`/api/customer-note/${note._id}`)).status).toBe(404);
  expect((await staff.post(`/api/customer/${newId()}/notes`, { text: 'Unknown' })).status).toBe(404);
});

test('A note that is sent again because the response was lost is stored once', async () => {
  const people = await Promise.all([registerVerified(url), registerVerified(url)]);
  await Promise.all(people.map((person) => placeOrder(person)));
  const [first = '', second = ''] = await Promise.all(
    people.map(async ({ email }) => (await findCustomer(email))?._id ?? ''),
  );
  const add = (id: string, key: string) =>
    staff.post(`/api/customer/${id}/notes`, { text: 'Calls back' }, { headers: { 'Idempotency-Key': key } });
  const key = newId();
  const answers = await Promise.all([1, 2, 3].map(() => add(first, key)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ text }) => text))).toHaveLength(1);
  expect((await add(first, newId())).status).toBe(201);
  // A key belongs to one note about one customer.
  expect((await add(second, key)).status).toBe(422);
  const counts = [first, second].map(async (id) =>
    Number((await staff.get(`/api/customer/${id}/notes`)).headers.get(totalCountHeader)),
  );
  expect(await Promise.all(counts)).toEqual([2, 0]);
});

test('What waits for the staff is counted, and the counts are sent again only if they have changed', async () => {
  const read = (etag = '') => staff.get('/api/waiting', { headers: { 'If-None-Match': etag } });
  const first = await read();
  const etag = first.headers.get('ETag') ?? '';
  const again = await read(etag);
  // Other tests may have placed an order in the meantime.
  if (again.status === 304) expect(again.text).toBe('');
  else expect(again.headers.get('ETag')).not.toBe(etag);
  const { _id } = await placeOrder(customer);
  await staff.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });
  const later = await read(etag);
  expect(later.status).toBe(200);
  expect((later.json as InboxCounts).orders).toBeGreaterThan((first.json as InboxCounts).orders);
});
