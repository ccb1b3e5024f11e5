/** Orders that staff place for customers: what is filled in, the note, the discount, and the link to pay. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AuditEntry } from '#worker/audit/read.ts';
import type { KnownCustomer, Order, OrderEvent } from '#contract/orders.calls.ts';
import type { Receipt } from '#contract/receipts.calls.ts';
import { administrator } from '../support/system.ts';
import { registerVerified } from '../support/cast.ts';
import { mailsTo, readMailbox } from '../support/mailbox.ts';
import { findPackage, orderBody, placeOrder } from '../support/orders.ts';
import { sharedSystem } from '../support/shared-system.ts';
import { newEmail, registerCustomer, signInAdministrator, Visitor } from '../support/visitor.ts';

const url = sharedSystem.url;
const staff = await signInAdministrator(url);

const addOrder = async (email: string, changes: Record<string, unknown> = {}) =>
  staff.post('/api/add-order', await orderBody(staff, email, changes), {
    headers: { 'Idempotency-Key': randomUUID() },
  });
const readKnown = async (email: string) =>
  (await staff.get(`/api/known-customer?email=${encodeURIComponent(email)}`)).json as KnownCustomer;

test('A new order is filled in from the customer’s last order, then from their profile', async () => {
  const customer = await registerVerified(url);
  const nothing = {
    customerName: '',
    customerAddress: '',
    customerCountry: '',
    customerCompany: '',
    customerTaxNumber: '',
    customerPhone: '',
  };
  expect(await readKnown(newEmail('stranger'))).toEqual(nothing);
  await customer.put('/api/auth/profile', { company: 'Lopez LLC', phone: '(312) 555-0199' });
  await placeOrder(customer, 'Basic', 'An Earlier Name');
  await placeOrder(customer, 'Basic', 'Maria Lopez');
  expect(await readKnown(customer.email.toUpperCase())).toMatchObject({
    customerName: 'Maria Lopez',
    customerCompany: 'Lopez LLC',
    customerPhone: '(312) 555-0199',
  });

  // Somebody without an account is known by the order that staff placed.
  const email = newEmail('by-telephone');
  const details = { customerCompany: 'Ann & Sons', customerTaxNumber: 'FR 1', customerPhone: '+33 1' };
  expect((await addOrder(email, details)).json).toMatchObject(details);
  expect(await readKnown(email)).toEqual({
    customerName: 'Ada Broker',
    customerAddress: '12 Harbor Street',
    customerCountry: 'United States',
    ...details,
  });
  expect((await staff.get('/api/known-customer?email=nobody')).status).toBe(422);
});

test('A note entered with a new order is stored once, as a note on the order', async () => {
  const body = await orderBody(staff, newEmail('noted'), { note: 'Ordered by phone.' });
  const headers = { 'Idempotency-Key': randomUUID() };
  const placed = (await staff.post('/api/add-order', body, { headers })).json as Order;
  expect((await staff.post('/api/add-order', body, { headers })).json).toEqual(placed);
  const { json } = await staff.get(`/api/order/${placed._id}/notes`);
  expect(json).toMatchObject([{ text: 'Ordered by phone.', by: administrator.email }]);
  // Another note with the same key is refused, not silently dropped.
  const other = await staff.post('/api/add-order', { ...body, note: 'Call on Monday.' }, { headers });
  expect(other.status).toBe(422);
});

test('A discount by staff is shown on the order, the receipt and in the audit log', async () => {
  const { packagePrice } = await findPackage(staff, 'Basic');
  const listCents = Number(packagePrice) * 100;
  const email = newEmail('discount');
  const placed = (await addOrder(email, { amountOff: '$49.50' })).json as Order;
  expect(placed).toMatchObject({ couponCode: '', discount: '49.50' });
  expect(Number(placed.packagePrice) * 100).toBe(listCents - 4_950);
  await mailsTo(url, email, ({ text }) => text.includes(`$49.50 off the price of $${packagePrice}`));

  await staff.put(`/api/order/${placed._id}`, { paymentStatus: 'Paid' });
  const receipt = (await staff.get(`/api/order/${placed._id}/receipt`)).json as Receipt;
  expect(receipt).toMatchObject({
    lines: [{ amountCents: listCents }, { title: 'Discount', amountCents: -4_950 }],
    totalCents: listCents - 4_950,
  });
  const log = (await staff.get('/api/audit-log?page=1&pageSize=100')).json as readonly AuditEntry[];
  expect(log.find(({ recordId }) => recordId === placed._id)).toMatchObject({
    action: 'discount',
    details: 'Took $49.50 off an order',
    email: administrator.email,
  });
});

test('A discounted order costs at least $0.50, and has either a discount or a coupon', async () => {
  const { packagePrice } = await findPackage(staff, 'Basic');
  const email = newEmail('too-much');
  const refusalOf = async (changes: Record<string, unknown>) => {
    const { status, json } = await addOrder(email, changes);
    expect(status).toBe(422);
    return (json as { errors: { amountOff: string } }).errors.amountOff;
  };
  expect(await refusalOf({ amountOff: packagePrice })).toContain('At least $0.50');
  expect(await refusalOf({ amountOff: String(Number(packagePrice) - 0.49) })).toContain('At least $0.50');
  expect(await refusalOf({ amountOff: 'half' })).toContain('such as 100 or 49.50');
  expect(await refusalOf({ amountOff: '10', couponCode: 'SPRING' })).toContain('not both');
  const least = (await addOrder(email, { amountOff: String(Number(packagePrice) - 0.5) })).json as Order;
  expect(least.packagePrice).toBe('0.50');
  // A customer cannot give a discount.
  const customer = await registerCustomer(url);
  const body = await orderBody(customer, customer.email, { amountOff: '10' });
  const own = await customer.post('/api/new-order', body);
  expect(own.status).toBe(422);
});

test('Staff can resend the payment link of an unpaid order a few times an hour', async () => {
  const email = newEmail('again');
  const { _id } = (await addOrder(email)).json as Order;
  const sendAgain = () => staff.post(`/api/order/${_id}/pay-link`);
  const countMails = async () =>
    (await readMailbox(url)).filter(({ text }) => text.includes(`/pay-now/${_id}`)).length;
  const before = await countMails();
  expect((await sendAgain()).status).toBe(202);
  await expect.poll(countMails).toBeGreaterThan(before);
  // The email links to the sign-up page, which says whose account shows the order.
  const signUp = await new Visitor(url).get(`/register?next=%2Forder%2F${_id}`);
  expect(signUp.text).toContain('To see the order, use the email address that it was placed for.');
  const events = (await staff.get(`/api/order/${_id}/timeline`)).json as readonly OrderEvent[];
  expect(events.at(-1)).toMatchObject({ kind: 'reminded', by: administrator.email });

  for (let sent = 1; sent < 5; sent += 1) expect((await sendAgain()).status).toBe(202);
  const refused = await sendAgain();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('Retry-After')).not.toBeNull();

  const paid = (await addOrder(email)).json as Order;
  await staff.put(`/api/order/${paid._id}`, { paymentStatus: 'Paid' });
  expect((await staff.post(`/api/order/${paid._id}/pay-link`)).status).toBe(409);
  expect((await staff.post(`/api/order/${randomUUID()}/pay-link`)).status).toBe(404);
});
