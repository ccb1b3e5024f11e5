/** The ledger as administrators read it: what Stripe keeps, by month and customer, with sums. */
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import type { LedgerEntry, LedgerTotals } from '#contract/refunds.calls.ts';
import { chargeFee } from '#dev/stripe/balance.ts';
import { setPaymentByHand } from '#worker/payments/cancel.ts';
import { readLedger } from '#worker/payments/ledger.ts';
import { ledger } from '#worker/payments/schema.ts';
import { settlePayment } from '#worker/payments/settle.ts';
import { findIntent } from '#worker/payments/stripe.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import { administrator, openShop, staff } from './orders-shop.ts';

const priceCents = 49_950;
const feeCents = chargeFee(priceCents);

const shop = await openShop({ SITE_TIMEZONE: 'America/Chicago' });
afterAll(() => shop.close());

const read = (path: string) => shop.callAs(staff, 'GET', path);
const entriesOf = async ({ number }: OrderRecord, filter = ''): Promise<LedgerEntry[]> =>
  (await read(`/ledger?q=%23${number}${filter}`)).json as LedgerEntry[];
const totalsOf = async ({ number }: OrderRecord, filter = ''): Promise<LedgerTotals> =>
  (await read(`/ledger-totals?q=%23${number}${filter}`)).json as LedgerTotals;

/** A new paid order, with Stripe's response about it. */
async function newPaid() {
  const { order, intent } = await shop.newPayment();
  const answered = await findIntent(shop.stripe, intent.id);
  if (!answered) throw new Error('Stripe has no such intent.');
  return { order, told: answered, untold: intent };
}

test('A payment has its Stripe fee, which is a separate ledger entry', async () => {
  const { order, told } = await newPaid();
  await settlePayment(shop.openPaymentContext(), told);
  expect(await entriesOf(order)).toMatchObject([
    { kind: 'fee', amountCents: -feeCents, feeCents: null, stripeId: told.id },
    { kind: 'payment', amountCents: priceCents, feeCents, customerName: 'Ann', stripeId: told.id },
  ]);
  expect((await entriesOf(order)).map(({ orderNumber }) => orderNumber)).toEqual([
    order.number,
    order.number,
  ]);
  expect(await totalsOf(order)).toEqual({
    entries: 2,
    inCents: priceCents,
    outCents: -feeCents,
    feeCents: -feeCents,
  });
});

test('A fee that Stripe reports later is added once, and the payment’s entry does not change', async () => {
  const { order, told, untold } = await newPaid();
  await settlePayment(shop.openPaymentContext(), untold);
  const before = await entriesOf(order);
  expect(before).toMatchObject([{ kind: 'payment', feeCents: null }]);
  await Promise.all([1, 2, 3].map(() => settlePayment(shop.openPaymentContext(), told)));
  await settlePayment(shop.openPaymentContext(), told);
  expect((await entriesOf(order)).map(({ kind }) => kind)).toEqual(['fee', 'payment']);
  const written = await shop.db.select().from(ledger).where(eq(ledger.orderId, order._id));
  expect(written[0]?.sequence).toBe(before[0]?.sequence);
  // The intent makes them unique.
  expect(written.map(({ key }) => key)).toEqual([`payment:${told.id}`, `fee:${told.id}`]);
});

test('A payment outside Stripe has no fee', async () => {
  const order = await shop.newOrder();
  await setPaymentByHand(shop.openPaymentContext(), order._id, 'Paid', administrator);
  expect(await entriesOf(order)).toMatchObject([{ kind: 'outsidePayment', feeCents: null }]);
});

test('The ledger is paged, and the ledger and its export can be filtered by month and customer, with sums', async () => {
  const { order, told } = await newPaid();
  await settlePayment(shop.openPaymentContext(), told);
  await shop.refund(order, { amountCents: 950 });
  const month = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/Chicago',
    year: 'numeric',
    month: '2-digit',
  })
    .format(Date.now())
    .slice(0, 7);
  expect(await entriesOf(order, `&month=${month}`)).toHaveLength(3);
  expect(await entriesOf(order, '&month=2020-01')).toEqual([]);
  const sums = { entries: 3, inCents: priceCents, outCents: -feeCents - 950, feeCents: -feeCents };
  expect(await totalsOf(order, `&month=${month}`)).toEqual(sums);
  expect(await totalsOf(order, '&month=2020-01')).toEqual({
    entries: 0,
    inCents: 0,
    outCents: 0,
    feeCents: 0,
  });
  const second = await read(`/ledger?q=%23${order.number}&page=2&pageSize=2`);
  expect(second.headers.get('X-Total-Count')).toBe('3');
  expect(second.json).toMatchObject([{ kind: 'payment' }]);
  const unfiltered = await readLedger(shop.db, shop.env, { page: 2, pageSize: 2 });
  expect(unfiltered.rows[0]?.sequence).toBe(unfiltered.total - 2);
  expect((await read('/ledger?q=nobody-by-that-name')).json).toEqual([]);
  expect((await read('/ledger?q=ANN&pageSize=1')).json).toHaveLength(1);
  const csv = (await read(`/ledger.csv?q=%23${order.number}&month=${month}`)).text.trim().split('\r\n');
  expect(csv).toHaveLength(4);
  expect(csv[0]).toContain(
    'No.,Date,Order,Kind,Amount (USD),Stripe id,Balance (USD),Customer,Email,Fee (USD),Net (USD)',
  );
  expect(csv[1]).toMatch(/,499\.50,pi_\w+,[\d.]+,Ann,[^,]+@[^,]+,14\.79,484\.71$/);
  expect(csv.at(-1)).toMatch(new RegExp(`^\\d+,.*#${order.number},.*,-9\\.50,re_\\w+,[\\d.]+,.*,,$`));
  for (const bad of ['month=2026-13', 'month=May', 'from=2026-01'])
    expect((await read(`/ledger?${bad}`)).status, bad).toBe(422);
});
