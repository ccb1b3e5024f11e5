/**
 * Wrong clocks: two isolates whose clocks differ, and a clock that jumps and comes back. Nobody is charged twice,
 * nobody stays signed out or locked out for a long time, and nothing is deleted too early.
 */
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { sessions } from '#worker/accounts/schema.ts';
import { openDatabase, writeBatch } from '#worker/db/client.ts';
import { rateLimitFor, countAttempt } from '#worker/limits/rate-limits.ts';
import { deliverMail, queueMail } from '#worker/mail/outbox.ts';
import { findRun, isClockSkewed } from '#worker/operations/jobs.ts';
import { confirmPayment } from '#worker/payments/pay.ts';
import { openAccountsApp } from '../api/accounts-app.ts';
import { administrator, openShop } from '../api/orders-shop.ts';

/**
 * Everything the Worker imports from outside this repository: its runtime, and the pages that Astro has compiled.
 */
vi.mock('cloudflare:workers', () => ({ WorkerEntrypoint: Object }));
vi.mock('#site-renderer', () => ({
  buildId: 'this-build',
  renderPage: (path: string) => Promise.resolve(path),
}));

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

let rightTime: number;
const shop = await openShop();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  rightTime = Date.now();
});
afterAll(() => shop.close());

/** Does something with a clock that is some ms ahead or behind. Afterward, the clock is right again. */
async function at<T>(aheadMs: number, work: () => Promise<T>): Promise<T> {
  vi.setSystemTime(rightTime + aheadMs);
  try {
    return await work();
  } finally {
    vi.setSystemTime(rightTime);
  }
}
const [ahead, behind] = [10 * minuteMs, -10 * minuteMs];

test('A sale that goes through isolates whose clocks differ is charged, recorded, emailed and refunded once', async () => {
  const key = newId();
  const order = await at(ahead, () => shop.newOrder(key));
  expect((await at(behind, () => shop.newOrder(key)))._id).toBe(order._id);
  const openPage = () => shop.openPage(order);
  const intentId = await at(behind, openPage);
  expect(await at(ahead, openPage)).toBe(intentId);
  expect(await openPage()).toBe(intentId);
  await shop.payByCard(intentId);

  // A delivery is valid for five minutes. An isolate that is ahead considers it old and refuses it, and Stripe sends it
  // again.
  const event = await shop.successOf({ id: intentId });
  const deliver = () => shop.deliver(event, { at: rightTime });
  expect(await at(ahead, deliver)).toBe(400);
  expect(await at(behind, deliver)).toBe(200);
  const confirm = () => confirmPayment(shop.openPaymentContext(), order._id);
  for (const skew of [ahead, behind, 0]) expect((await at(skew, confirm)).paymentStatus).toBe('Paid');

  const refund = () => shop.refund(order, { idempotencyKey: key });
  const refunds = [await at(ahead, refund), await at(behind, refund)];
  expect(new Set(refunds.map(({ _id }) => _id)).size).toBe(1);
  await shop.settleReports();
  expect((await shop.readOrder(order)).refundedCents).toBe(order.priceCents);
  expect(await shop.findFaults(order._id)).toEqual([]);
  await at(ahead, () => deliverMail(shop.env, () => undefined, openDatabase(shop.env)));
  await at(behind, () => deliverMail(shop.env, () => undefined, openDatabase(shop.env)));
  expect(shop.sent.filter(({ subject }) => subject.startsWith('We received your payment'))).toHaveLength(1);
});

test('A rate limit that was used up with a clock one month ahead does not stay used up any longer than usual', async () => {
  const key = newId();
  const limit = rateLimitFor(shop.env, 'signInAccount', key);
  const take = () => countAttempt(shop, 'signInAccount', key);
  const useUp = async () => {
    for (let count = 0; count < limit.max; count += 1) await take();
    await expect(take()).rejects.toMatchObject({ status: 429 });
  };
  await at(30 * dayMs, useUp);
  await useUp();
  // Clocks that differ slightly share the window.
  await expect(at(minuteMs, take)).rejects.toMatchObject({ status: 429 });
  await expect(at(-minuteMs, take)).rejects.toMatchObject({ status: 429 });
  rightTime += limit.windowMs + 1;
  vi.setSystemTime(rightTime);
  await take();
});

test('A person who uses a session while the clock is a year ahead can log in again, both then and after it is corrected', async () => {
  const app = await openAccountsApp();
  onTestFinished(() => app.close());
  const known = { email: 'jump@customers.example', password: 'a long password' };
  const browser = app.openBrowser();
  const post = async (path: string) => (await browser.post(path, known)).status;
  const logIn = () => post('/api/auth/login');
  const whoIs = async () => (await browser.get('/api/auth/session')).json;
  expect(await post('/api/auth/register')).toBe(201);
  expect(await at(365 * dayMs, whoIs)).toMatchObject({ account: null });
  expect(await at(365 * dayMs, logIn)).toBe(200);
  expect(await at(365 * dayMs, whoIs)).toMatchObject({ account: { email: known.email } });
  expect(await logIn()).toBe(200);
  expect(await whoIs()).toMatchObject({ account: { email: known.email } });
});

test('While the clock is wrong, no job runs and nothing is deleted', async () => {
  for (const [skew, isWrong] of [
    [0, false],
    [ahead, false],
    [behind, false],
    [2 * hourMs, true],
    [-365 * dayMs, true],
  ] as const)
    expect(await at(skew, () => isClockSkewed(shop.db)), String(skew)).toBe(isWrong);
});

test('The cron trigger does nothing while the clock is wrong, and does all pending work once it is right', async () => {
  const { default: worker } = await import('#worker/index.ts');
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const run = () =>
    worker.scheduled({ scheduledTime: Date.now(), cron: '* * * * *', noRetry: () => undefined }, shop.env);
  const session = {
    id: newId(),
    _id: newId(),
    accountId: administrator.accountId,
    passwordVersion: 1,
    device: '',
  };
  await shop.db.insert(sessions).values({ ...session, createdAt: rightTime, lastUsedAt: rightTime });
  const content = { subject: 'Waits', paragraphs: ['Hello'] };
  await writeBatch(shop.db, [queueMail(shop.db, shop.env, { to: 'firm@site.test', kind: 'test', content })]);
  const countSent = () => shop.sent.filter(({ subject }) => subject === 'Waits').length;
  await at(365 * dayMs, run);
  expect(printed.mock.calls.join()).toContain('cron.clock-skew');
  expect(await findRun(shop.db, 'cron')).toBeUndefined();
  expect([countSent(), await shop.db.$count(sessions)]).toEqual([0, 1]);
  await run();
  expect((await findRun(shop.db, 'cron'))?.ranAt).toBe(rightTime);
  expect(countSent()).toBe(1);
});
