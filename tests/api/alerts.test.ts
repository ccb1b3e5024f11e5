/** Who learns that something needs attention, and what an external monitor reads. */
import type { InStatement, InValue } from '@libsql/client';
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Env } from '#worker/env.ts';
import { mails } from '#worker/mail/schema.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { findRun, recordRun } from '#worker/operations/jobs.ts';
import { alerts, jobRuns } from '#worker/operations/schema.ts';
import { queueAlerts, alertIfCronStopped, watchCron } from '#worker/attention/alerts.ts';
import { readInboxCounts } from '#worker/customers/inbox-counts.ts';
import { attentionFor, readAttention } from '#worker/attention/attention.ts';
import { payments, stripeKeys } from '#worker/payments/schema.ts';
import { publications } from '#worker/content/schema.ts';
import { attentionKindNames } from '#contract/attention.ts';
import type { Role } from '#contract/audience.ts';
import { newId } from '#contract/ids.ts';
import { displayTimeIn } from '#contract/zoned-time.ts';
import { openDatabase } from '#worker/db/client.ts';
import { openApp, callerOf } from '../support/in-process-app.ts';
import { openSystem } from '../support/in-process-system.ts';
import { Visitor } from '../support/visitor.ts';
import { openShop, staff } from './orders-shop.ts';

const minute = 60_000;
const hour = 60 * minute;

const shop = await openShop({ ALERT_EMAIL: 'duty@site.test' });
beforeEach(async () => {
  for (const table of [mails, alerts, jobRuns, payments]) await shop.db.delete(table);
  shop.sent.length = 0;
});
afterAll(() => shop.close());

const silent = () => undefined;
/**
 * Runs the part of the cron job that handles alerts.
 * @returns the emails that it sent
 */
async function tick(now = Date.now(), env = shop.env): Promise<typeof shop.sent> {
  shop.sent.length = 0;
  await queueAlerts(env, shop.db, now);
  await deliverMail(env, silent, shop.db);
  return [...shop.sent];
}

/**
 * Adds payments that no order could accept, as reconciliation records them, one second apart.
 * @returns their ids
 */
async function addReturnedPayments(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  const rows = ids.map((_id, index) => ({
    ...({ _id, orderId: newId(), method: 'Card', paymentIntentId: `pi_${_id}`, currency: 'usd' } as const),
    ...({ amountCents: 49_900, outcome: 'refunded', refusal: 'cancelled', at: index * 1_000 } as const),
  }));
  await shop.db.insert(payments).values(rows);
  return ids;
}
const addReturnedPayment = async () => (await addReturnedPayments(1))[0] ?? '';
const see = (_id = '', seenAt: number | null = 1) =>
  shop.db.update(payments).set({ seenAt }).where(eq(payments._id, _id));

/** Adds an email that the service refuses. */
async function addUnsentMail(): Promise<string> {
  const _id = newId();
  const mail = { kind: 'order-placed', recipient: 'ann@customers.example', subject: 'For Ann', body: 'x' };
  const state = { createdAt: 500, dueAt: null, tries: 3, failure: '503' };
  await shop.db.insert(mails).values({ ...mail, ...state, _id });
  return _id;
}

test('What needs attention is reported once, in one email to the address in the settings', async () => {
  expect(await tick()).toEqual([]);
  await addReturnedPayment();
  await addReturnedPayment();
  const [mail, ...more] = await tick();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({
    to: 'duty@site.test',
    subject: 'Your site needs attention: 2 items',
  });
  expect(mail?.text).toContain('A card payment of $499 arrived after the order was cancelled.');
  expect(mail?.text).toContain('http://site.test/needs-attention');
  expect(mail?.text).not.toContain('more.');
  expect(await tick()).toEqual([]);
  await addReturnedPayment();
  expect(await tick()).toMatchObject([{ subject: 'Your site needs attention' }]);
});

test('If there are more entries than the list shows, each is still reported once, whichever of them is handled', async () => {
  const ids = await addReturnedPayments(101);
  const [mail, ...others] = await tick();
  expect(others).toEqual([]);
  expect(mail?.text.match(/A card payment/g)).toHaveLength(20);
  expect(mail?.text).toContain('And 80 more.');
  // The oldest enters the list as a newer one leaves it.
  await see(ids[100]);
  expect(await tick()).toHaveLength(1);
  for (const seen of [ids[99], ids[50]]) {
    await see(seen);
    expect(await tick()).toEqual([]);
  }
  expect(await shop.db.$count(alerts)).toBe(98);
});

test('An entry that no longer needs attention disappears, even if another kind has more entries than the list shows', async () => {
  const _id = await addUnsentMail();
  await addReturnedPayments(100);
  await tick();
  const isIts = eq(alerts.key, `unsentMail:${_id}`);
  expect(await shop.db.$count(alerts, isIts)).toBe(1);
  await shop.db.delete(mails).where(eq(mails._id, _id));
  await tick();
  expect(await shop.db.$count(alerts, isIts)).toBe(0);
});

test('The list is paged, starts with the entry that has waited longest, and includes the total', async () => {
  const ids = await addReturnedPayments(5);
  const unsent = await addUnsentMail();
  const asked = vi.spyOn(shop.db.$client, 'batch');
  const page = await readAttention(shop.db, shop.env, Date.now(), { page: 2, pageSize: 2 });
  expect(page.total).toBe(6);
  expect(page.rows.map(({ _id }) => _id)).toEqual(ids.slice(1, 3));
  // Each kind is read only as far as the page can show it.
  const limits = (asked.mock.calls.flat(2) as InStatement[]).flatMap((statement) =>
    typeof statement === 'object' && 'args' in statement && statement.sql.endsWith('limit ?')
      ? [(statement.args as InValue[]).at(-1)]
      : [],
  );
  expect(limits).toEqual(attentionKindNames.map(() => 4));
  const [first] = (await readAttention(shop.db, shop.env)).rows;
  expect(first?._id).toBe(ids[0]);
  expect((await readAttention(shop.db, shop.env)).rows[1]?._id).toBe(unsent);
  expect((await readInboxCounts(shop.db, shop.env, staff)).attention).toBe(6);
});

test('An Editor reads entries about content, Support reads entries about orders, and an Admin reads everything', () => {
  const kindsFor = (role: Role) => {
    const reader = { id: newId(), role, lacks: null };
    return attentionFor(shop.db, shop.env, Date.now(), { reader }).map(({ kind }) => kind);
  };
  expect(kindsFor('Admin')).toEqual(attentionKindNames);
  expect(kindsFor('Editor')).toEqual(['release']);
  expect(kindsFor('Support')).toEqual(attentionKindNames.filter((kind) => kind !== 'release'));
  expect(kindsFor('User')).toEqual([]);
});

test('A payment key of another mode than the secret key is reported, because it stops all card payments', async () => {
  await shop.db.insert(stripeKeys).values({ _id: newId(), stripeKey: 'pk_live_shop' });
  onTestFinished(async () => {
    await shop.db.delete(stripeKeys);
  });
  expect((await tick()).map(({ text }) => text)).toEqual([
    expect.stringContaining('Customers cannot pay by card. This is a live key') as string,
  ]);
});

test('An email that is not sent is reported without its recipient and its subject', async () => {
  await addUnsentMail();
  const [alert] = await tick();
  expect(alert?.text).toContain('An email (“order-placed”) could not be sent after 3 attempts.');
  expect(JSON.stringify(alert)).not.toMatch(/ann/i);
});

test('An item that needs attention again is reported again', async () => {
  const _id = await addReturnedPayment();
  expect(await tick()).toHaveLength(1);
  await see(_id);
  expect(await tick()).toEqual([]);
  expect(await shop.db.$count(alerts)).toBe(0);
  await see(_id, null);
  expect(await tick()).toHaveLength(1);
});

test('Concurrent runs send one email', async () => {
  await addReturnedPayment();
  await Promise.all(Array.from({ length: 4 }, () => queueAlerts(shop.env, openDatabase(shop.env))));
  await deliverMail(shop.env, silent, shop.db);
  expect(shop.sent).toHaveLength(1);
});

test('An alert that cannot be sent does not cause another alert', async () => {
  await addReturnedPayment();
  const refuse = () => Promise.reject(Object.assign(new Error('no'), { code: 'E_RECIPIENT_SUPPRESSED' }));
  const env = { ...shop.env, EMAIL: { send: refuse } };
  for (let run = 0; run < 3; run += 1) await tick(Date.now(), env);
  expect(await shop.db.$count(mails)).toBe(1);
  expect(await shop.db.$count(alerts)).toBe(1);
});

test('A failed backup is reported, and so is an overdue one', async () => {
  await recordRun(shop.db, 'backup', null);
  expect(await tick()).toEqual([]);
  await recordRun(shop.db, 'backup', 'RESPONSE_TOO_LARGE');
  const [mail] = await tick();
  expect(mail?.text).toContain('No backup could be made (RESPONSE_TOO_LARGE).');
  expect(await tick()).toEqual([]);
  await recordRun(shop.db, 'backup', null);
  expect(await tick()).toEqual([]);
  expect(await tick(Date.now() + 27 * hour)).toMatchObject([
    { text: expect.stringContaining('No backup could be made.') as string },
  ]);
});

test('One failed run of the cron is not reported, but repeated failures are', async () => {
  await recordRun(shop.db, 'cron', null);
  await recordRun(shop.db, 'cron', 'TypeError');
  expect(await tick(Date.now() + minute)).toEqual([]);
  await shop.db.update(jobRuns).set({ succeededAt: Date.now() - hour });
  const [mail] = await tick();
  expect(mail?.text).toContain('The cron trigger runs, but fails (TypeError).');
});

test('The calls that people make report a stopped cron once, and report nothing while it runs', async () => {
  await recordRun(shop.db, 'cron', null);
  const look = (minutes: number) =>
    alertIfCronStopped(shop.env, silent, shop.db, Date.now() + minutes * minute);
  await addReturnedPayment();
  await look(4);
  expect([await shop.db.$count(alerts), shop.sent]).toEqual([0, []]);
  await look(6);
  await look(7);
  expect(shop.sent).toMatchObject([
    { to: 'duty@site.test', text: expect.stringContaining('The cron trigger has stopped') as string },
  ]);
  const ranAt = (await findRun(shop.db, 'cron'))?.ranAt ?? 0;
  expect(shop.sent[0]?.text).toContain(`it last ran ${displayTimeIn(ranAt, shop.env.SITE_TIMEZONE)}.`);
});

test('A call checks the cron once in five minutes, and is answered even if the check fails', async () => {
  const events: string[] = [];
  const app = openApp((event) => void events.push(event));
  app.get('/at/:time', (c) => {
    watchCron(c, Number(c.req.param('time')));
    return c.text('answered');
  });
  const callAt = async (time: number, settings: Partial<Env> = {}) =>
    (await callerOf(app, { ...shop.env, ...settings }).get(`/at/${time}`)).text;
  const start = Date.now() + 24 * hour;
  await recordRun(shop.db, 'cron', null);
  await shop.db.update(jobRuns).set({ ranAt: start });
  await callAt(start);
  await shop.db.update(jobRuns).set({ ranAt: 0 });
  await callAt(start + 5 * minute - 1);
  expect(shop.sent).toEqual([]);
  await callAt(start + 5 * minute);
  await callAt(start + 6 * minute);
  expect(shop.sent).toMatchObject([{ to: 'duty@site.test' }]);
  expect(events).toEqual([]);
  // Nothing listens at this address.
  expect(await callAt(start + 10 * minute, { TURSO_DATABASE_URL: 'http://127.0.0.1:9' })).toBe('answered');
  expect(events).toEqual(['cron.check-failed']);
});

test('A new deployment has half an hour for its first cron run before somebody is alerted', async () => {
  const now = Date.now();
  // An earlier deployment, which failed, filled the database.
  await shop.db.insert(publications).values({ revision: 1, at: now - hour, by: '', changedPages: [] });
  await recordRun(shop.db, 'deployment', null);
  const look = (at: number) => alertIfCronStopped(shop.env, silent, shop.db, at);
  await look(now + 29 * minute);
  expect(shop.sent).toEqual([]);
  await look(now + 31 * minute);
  await look(now + 32 * minute);
  expect(shop.sent).toMatchObject([
    { to: 'duty@site.test', text: expect.stringContaining('The cron trigger has never run.') as string },
  ]);
});

test('A monitor learns when the cron or the database is down, and when everything works again', async () => {
  const system = await openSystem();
  onTestFinished(() => system.stop());
  const visitor = new Visitor(system.url);
  const health = () => visitor.get('/api/health');
  expect((await health()).json).toEqual({ status: 'ok' });
  await system.worker.tick();
  const ranAt = Date.now() - 6 * minute;
  await system.db.update(jobRuns).set({ ranAt }).where(eq(jobRuns.name, 'cron'));
  const stopped = await health();
  expect([stopped.status, stopped.json]).toMatchObject([
    503,
    { detail: 'The cron trigger has stopped: emails wait, and payments are not checked.' },
  ]);
  expect(stopped.headers.get('Cache-Control')).toBe('no-store');
  await system.worker.tick();
  expect((await health()).json).toEqual({ status: 'ok' });
  await system.database.stop();
  expect((await health()).status).toBe(503);
  await system.database.start();
  await expect.poll(async () => (await health()).status).toBe(200);
});
