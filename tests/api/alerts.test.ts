/** Who is told that something needs a person, and what an outside monitor is told. */
import { createClient, type InStatement, type InValue } from '@libsql/client';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { settingsErrors, type Env } from '#worker/env.ts';
import { mails } from '#worker/mail/schema.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { hasCronStopped, noteRun } from '#worker/operations/jobs.ts';
import { alerts, jobRuns } from '#worker/operations/schema.ts';
import { alertMail, queueAlerts, tellOfStoppedCron, watchCron } from '#worker/payments/alerts.ts';
import { readAttention } from '#worker/payments/attention.ts';
import { payments } from '#worker/payments/schema.ts';
import { publications } from '#worker/content/schema.ts';
import { newId } from '#contract/ids.ts';
import { openDatabase } from '#worker/db/client.ts';
import { openApp } from '../support/in-process-app.ts';
import { startTestSystem } from '../support/system.ts';
import { Visitor } from '../support/visitor.ts';
import { openShop, type Shop } from './orders-shop.ts';

const minute = 60_000;
const hour = 60 * minute;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ ALERT_EMAIL: 'duty@site.test' });
});
beforeEach(async () => {
  for (const table of [mails, alerts, jobRuns, payments]) await shop.db.delete(table);
  shop.sent.length = 0;
});
afterAll(() => shop.close());

const silent = () => undefined;
/** A run of the cron, as far as it is about alerts; the mails that it sent. */
async function tick(now = Date.now(), env = shop.env): Promise<typeof shop.sent> {
  shop.sent.length = 0;
  await queueAlerts(env, shop.db, now);
  await deliverMail(env, silent, shop.db);
  return [...shop.sent];
}

/** A payment that no order could take, as reconciliation records it. */
async function addReturnedPayment(): Promise<string> {
  const _id = newId();
  await shop.db.insert(payments).values({
    _id,
    orderId: newId(),
    method: 'Card',
    paymentIntentId: `pi_${_id}`,
    amountCents: 49_900,
    currency: 'usd',
    outcome: 'refunded',
    refusal: 'cancelled',
    at: Date.now(),
  });
  return _id;
}

test('What needs a person is told once, by one mail, to whom the settings name', async () => {
  expect(await tick()).toEqual([]);
  await addReturnedPayment();
  await addReturnedPayment();
  const [mail, ...more] = await tick();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: 'duty@site.test', subject: 'Your site needs you: 2 things to look at' });
  expect(mail?.text).toContain('A card payment of $499 arrived for an order that was cancelled.');
  expect(mail?.text).toContain('http://site.test/needs-attention');
  expect(mail?.text).not.toContain('more.');
  expect(await tick()).toEqual([]);
  await addReturnedPayment();
  expect(await tick()).toMatchObject([{ subject: 'Your site needs you' }]);
});

test('More than the list shows at once is told of once, whatever of it is seen to', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 101; count += 1) ids.push(await addReturnedPayment());
  const [mail, ...others] = await tick();
  expect(others).toEqual([]);
  expect(mail?.text).toContain('And 80 more.');
  const see = (_id = '') => shop.db.update(payments).set({ seenAt: 1 }).where(eq(payments._id, _id));
  // The oldest comes to the list as a newer one leaves it.
  await see(ids[100]);
  expect(await tick()).toHaveLength(1);
  ids.push(await addReturnedPayment());
  expect(await tick()).toHaveLength(1);
  await see(ids[101]);
  expect(await tick()).toEqual([]);
  await see(ids[50]);
  expect(await tick()).toEqual([]);
  expect(await shop.db.$count(alerts)).toBe(99);
});

test('A mail lists twenty things at most, and says how many more there are', () => {
  const things = (length: number) => Array.from({ length }, (_, index) => `Thing ${index}.`);
  const linesOf = (length: number) =>
    alertMail(
      'http://site.test',
      things(length).map((text) => ({ key: text, text })),
    )
      .text.split('\n\n')
      .slice(0, -1);
  const end = [
    'See what needs attention: http://site.test/needs-attention',
    'You get one email about each of these.',
  ];
  expect(linesOf(1)).toEqual([...things(1), ...end]);
  expect(linesOf(20)).toEqual([...things(20), ...end]);
  expect(linesOf(21)).toEqual([...things(20), 'And 1 more.', ...end]);
});

test('What is settled is forgotten also while more of another kind waits than the list shows', async () => {
  const _id = newId();
  const mail = { kind: 'order-placed', recipient: 'ann@customers.example', subject: 'For Ann', body: 'x' };
  await shop.db
    .insert(mails)
    .values({ ...mail, _id, createdAt: Date.now(), dueAt: null, tries: 3, failure: '503' });
  for (let count = 0; count < 100; count += 1) await addReturnedPayment();
  await tick();
  const isIts = eq(alerts.key, `unsentMail:${_id}`);
  expect(await shop.db.$count(alerts, isIts)).toBe(1);
  await shop.db.delete(mails).where(eq(mails._id, _id));
  await tick();
  expect(await shop.db.$count(alerts, isIts)).toBe(0);
});

test('While the cron runs a call tells of nothing: the cron does', async () => {
  await noteRun(shop.db, 'cron', null);
  await addReturnedPayment();
  await tellOfStoppedCron(shop.env, silent, shop.db, Date.now() + 4 * minute);
  expect([await shop.db.$count(alerts), shop.sent]).toEqual([0, []]);
});

test('The list is read a page at a time, the longest waiting first, and says how much waits in all', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push(await addReturnedPayment());
  const asked = vi.spyOn(shop.db.$client, 'batch');
  onTestFinished(() => {
    asked.mockRestore();
  });
  const page = await readAttention(shop.db, shop.env, Date.now(), { page: 2, pageSize: 2 });
  expect(page.total).toBe(5);
  expect(page.rows.map(({ _id }) => _id)).toEqual(ids.slice(2, 4));
  // No more of a kind than the page can show.
  const limits = (asked.mock.calls.flat(2) as InStatement[]).flatMap((statement) =>
    typeof statement === 'object' && 'args' in statement && statement.sql.endsWith('limit ?')
      ? [(statement.args as InValue[]).at(-1)]
      : [],
  );
  expect(limits).toEqual(Array.from({ length: 8 }, () => 4));
});

test('Without an address of its own an alert goes to the one for notifications', async () => {
  await addReturnedPayment();
  expect(await tick(Date.now(), { ...shop.env, ALERT_EMAIL: undefined })).toMatchObject([
    { to: shop.env.NOTIFY_EMAIL },
  ]);
  expect(settingsErrors({ ...shop.env, ALERT_EMAIL: 'nobody' })).toEqual([
    'ALERT_EMAIL must be one email address.',
  ]);
});

test('A mail that does not go out is told of without its reader and its subject', async () => {
  const mail = { kind: 'order-placed', recipient: 'ann@customers.example', subject: 'For Ann', body: 'x' };
  await shop.db
    .insert(mails)
    .values({ ...mail, _id: newId(), createdAt: Date.now(), dueAt: null, tries: 3, failure: '503' });
  const [alert] = await tick();
  expect(alert?.text).toContain('An email (“order-placed”) could not be sent after 3 tries.');
  expect(JSON.stringify(alert)).not.toMatch(/ann/i);
});

test('What was settled and comes back is told again', async () => {
  const _id = await addReturnedPayment();
  expect(await tick()).toHaveLength(1);
  await shop.db.update(payments).set({ seenAt: 1 }).where(eq(payments._id, _id));
  expect(await tick()).toEqual([]);
  expect(await shop.db.select().from(alerts)).toEqual([]);
  await shop.db.update(payments).set({ seenAt: null }).where(eq(payments._id, _id));
  expect(await tick()).toHaveLength(1);
});

test('Several runs at once send one mail', async () => {
  await addReturnedPayment();
  await Promise.all(Array.from({ length: 4 }, () => queueAlerts(shop.env, openDatabase(shop.env))));
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent).toHaveLength(1);
});

test('An alert that cannot be sent is no reason for another', async () => {
  await addReturnedPayment();
  const refuse = () => Promise.reject(Object.assign(new Error('no'), { code: 'E_RECIPIENT_SUPPRESSED' }));
  const env = { ...shop.env, EMAIL: { send: refuse } };
  for (let run = 0; run < 3; run += 1) await tick(Date.now(), env);
  expect(await shop.db.$count(mails)).toBe(1);
  expect(await shop.db.$count(alerts)).toBe(1);
});

test('A backup that failed or is overdue is told of, and so is the next one that fails', async () => {
  await noteRun(shop.db, 'backup', null);
  expect(await tick()).toEqual([]);
  await noteRun(shop.db, 'backup', 'RESPONSE_TOO_LARGE');
  const [mail] = await tick();
  expect(mail?.text).toContain('No backup could be made (RESPONSE_TOO_LARGE).');
  expect(await tick()).toEqual([]);
  await noteRun(shop.db, 'backup', null);
  expect(await tick()).toEqual([]);
  expect(await tick(Date.now() + 27 * hour)).toMatchObject([
    { text: expect.stringContaining('No backup could be made.') as string },
  ]);
});

test('One run of the cron that fails is no news; one that goes on failing is', async () => {
  await noteRun(shop.db, 'cron', null);
  await noteRun(shop.db, 'cron', 'TypeError');
  expect(await tick(Date.now() + minute)).toEqual([]);
  await shop.db.update(jobRuns).set({ succeededAt: Date.now() - hour });
  const [mail] = await tick();
  expect(mail?.text).toContain('The cron trigger runs, but fails (TypeError).');
});

test('A cron that stopped is told of by the calls that people make, once', async () => {
  await noteRun(shop.db, 'cron', null);
  const look = (now: number) => tellOfStoppedCron(shop.env, silent, shop.db, now);
  await look(Date.now() + 4 * minute);
  expect(shop.sent).toEqual([]);
  await look(Date.now() + 6 * minute);
  await look(Date.now() + 7 * minute);
  expect(shop.sent).toMatchObject([
    { to: 'duty@site.test', text: expect.stringContaining('The cron trigger has stopped') as string },
  ]);
});

test('A call looks after the cron once in five minutes, and is answered although that fails', async () => {
  const events: string[] = [];
  const app = openApp((event) => void events.push(event));
  app.get('/at/:time', (c) => {
    watchCron(c, Number(c.req.param('time')));
    return c.text('answered');
  });
  const callAt = async (time: number, settings: Partial<Env> = {}) => {
    const work: Promise<unknown>[] = [];
    const context = {
      waitUntil: (promise: Promise<unknown>) => void work.push(promise),
      passThroughOnException: () => undefined,
      props: {},
    };
    const answer = await app.request(`/at/${time}`, {}, { ...shop.env, ...settings }, context);
    await Promise.all(work);
    return answer.text();
  };
  const start = Date.now() + 24 * hour;
  await noteRun(shop.db, 'cron', null);
  await shop.db.update(jobRuns).set({ ranAt: start });
  await callAt(start);
  await shop.db.update(jobRuns).set({ ranAt: 0 });
  await callAt(start + 5 * minute - 1);
  expect(shop.sent).toEqual([]);
  await callAt(start + 5 * minute);
  await callAt(start + 6 * minute);
  expect(shop.sent).toMatchObject([{ to: 'duty@site.test' }]);
  expect(events).toEqual([]);
  // Nothing listens there.
  expect(await callAt(start + 10 * minute, { TURSO_DATABASE_URL: 'http://127.0.0.1:9' })).toBe('answered');
  expect(events).toEqual(['cron.not-watched']);
});

test('A site that was just deployed has time for its first run of the cron; after half an hour without one somebody is told', async () => {
  const now = Date.now();
  // It was filled by a deployment that failed.
  await shop.db.insert(publications).values({ revision: 1, at: now - hour, by: '', changedPages: [] });
  await noteRun(shop.db, 'deployment', null);
  expect(await hasCronStopped(shop.db, now + 29 * minute)).toBe(false);
  expect(await hasCronStopped(shop.db, now + 31 * minute)).toBe(true);
  const look = (at: number) => tellOfStoppedCron(shop.env, silent, shop.db, at);
  await look(now + 29 * minute);
  expect(shop.sent).toEqual([]);
  await look(now + 31 * minute);
  await look(now + 32 * minute);
  expect(shop.sent).toMatchObject([
    { to: 'duty@site.test', text: expect.stringContaining('The cron trigger has never run.') as string },
  ]);
});

test('A monitor is told when the cron or the database is away, and when all is well again', async () => {
  const system = await startTestSystem();
  try {
    const visitor = new Visitor(system.url);
    const health = () => visitor.get('/api/health');
    expect((await health()).json).toEqual({ status: 'ok' });
    await system.worker.tick();
    const { url, authToken } = system.database;
    const database = createClient({ url, authToken });
    await database.execute(`UPDATE job_runs SET "ranAt" = "ranAt" - ${6 * minute} WHERE name = 'cron'`);
    database.close();
    const stopped = await health();
    expect([stopped.status, stopped.json]).toMatchObject([
      503,
      { detail: 'The cron trigger has stopped: emails wait, and payments are not looked after.' },
    ]);
    expect(stopped.headers.get('Cache-Control')).toBe('no-store');
    // A copy that starts after a pause gets going by itself.
    await system.worker.stop();
    await system.startWorker();
    expect((await health()).json).toEqual({ status: 'ok' });
    await system.database.stop();
    expect((await health()).status).toBe(503);
    await system.database.start();
    await expect.poll(async () => (await health()).status).toBe(200);
  } finally {
    await system.stop();
  }
});
