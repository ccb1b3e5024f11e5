/**
 * How often the busiest calls and pages query the database before they respond. On Turso, each round trip takes network
 * time, so an additional one fails a test. `docs/performance.md` has the same numbers.
 */
import { sql } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import { readWorkerConfig } from '#deploy/worker-config.ts';
import type { CallName } from '#contract/call.ts';
import { newId } from '#contract/ids.ts';
import { openBatchingDatabase } from '#worker/db/client.ts';
import { cronTriggers } from '#worker/operations/jobs.ts';
import { addressOf } from '../support/calls.ts';
import { registerVerified } from '../support/cast.ts';
import { firstRecord } from '../support/content.ts';
import { openSystem } from '../support/in-process-system.ts';
import { newMessage } from '../support/messages.ts';
import { clientSecretFor, placeOrder } from '../support/orders.ts';
import { signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

/**
 * Queries that no response waits for. They are held back while a call is counted, so a response that waits for one
 * never comes.
 */
const besideAnswers = [
  /update "mails" set "dueAt" = \?, ("tries" = ("mails"\.)?"tries" \+|"failure" = \? where)/,
  /delete from "mails" where "mails"."_id"/,
  /update "sessions" set "lastUsedAt"/,
  // The audit log is written in the background, unless the entry is part of the change's own batch.
  /^(?!.*"type":"batch").*insert into "audit_events"/s,
  /update "publications" set "writeMs"/,
];
/** The lookup of the live revision: at most once a second in an isolate, for all visitors together. */
const isLookUp = (body: string) => /^[^;]*from "page_sets"/.test(body) && !/insert into/.test(body);

let trips: string[] | undefined;
const bucketCalls: string[] = [];
const held: (() => void)[] = [];
const beforePipeline = (body: string): Promise<void> | void => {
  const text = body.replaceAll('\\"', '"');
  if (!trips) return undefined;
  if (besideAnswers.some((pattern) => pattern.test(text)))
    return new Promise((resolve) => held.push(resolve));
  trips.push(text);
  return undefined;
};

const system = await openSystem({ beforePipeline, onBucketCall: (method) => bucketCalls.push(method) });
// No webhook arrives while a call is counted.
system.stripe.controls.setWebhookUrl({ url: 'http://127.0.0.1:9/' });
const visitor = new Visitor(system.url);
const customer = await registerVerified(system.url);
const administrator = await signInAdministrator(system.url);
// The first save of an isolate also reads the content.
const banner = await firstRecord(visitor, '/banner');
await administrator.put(`/api/update-banner/${banner._id}`, { bannerHeading: 'Known' });
afterAll(() => system.stop());

async function expectTrips(count: number, make: () => Promise<Answer>): Promise<void> {
  trips = [];
  const { status, text } = await make();
  const asked = trips.filter((body) => !isLookUp(body)).map((body) => body.slice(0, 400));
  trips = undefined;
  for (const release of held.splice(0)) release();
  await system.worker.settle();
  expect(status, text).toBeLessThan(400);
  expect(asked.length, asked.join('\n')).toBe(count);
}

const call = (name: CallName, id?: string) => addressOf(name, id);

test('A visitor’s page makes no query; a signed-in page looks up the session', async () => {
  await expectTrips(0, () => visitor.get('/'));
  await expectTrips(0, () => visitor.get('/login'));
  await expectTrips(0, () => visitor.get(`/pay-now/${newId()}`));
  await expectTrips(1, () => customer.get('/my-order'));
  await expectTrips(1, () => administrator.get('/admin'));
});

test('A signed-in read takes two round trips: the session, then its own batch', async () => {
  const { _id } = await placeOrder(customer);
  await expectTrips(1, () => visitor.get(call('GET /stripe-keys')));
  await expectTrips(1, () => visitor.get(call('GET /seller')));
  await expectTrips(1, () => visitor.get(call('GET /order/:id', _id)));
  await expectTrips(2, () => customer.get(call('GET /orders')));
  await expectTrips(2, () => customer.get(call('GET /order/:id', _id)));
  await expectTrips(2, () => customer.get(call('GET /order/:id/work', _id)));
  await expectTrips(2, () => administrator.get(call('GET /needs-attention')));
});

test('A payment takes four round trips, a change of an order three, a message by a visitor two', async () => {
  await clientSecretFor(customer, await placeOrder(customer));
  const { _id, packagePrice } = await placeOrder(customer);
  await expectTrips(4, () =>
    customer.post(call('POST /create-payment-intent'), { amount: packagePrice, orderId: _id }),
  );
  await expectTrips(3, () =>
    administrator.put(call('PUT /order-status/:id', _id), { orderStatus: 'Delivered' }),
  );
  await expectTrips(2, () => visitor.post(call('POST /add-message'), newMessage()));
});

test('A save takes two round trips: the session, then the batch that publishes', async () => {
  const { _id } = await firstRecord(visitor, '/faq-items');
  await expectTrips(2, () => administrator.put(`/api/faq-item/${_id}`, { accodingTitle: 'Counted' }));
});

test('A cron run without work queries the database at most five times and calls no other service', async () => {
  const asked: string[] = [];
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    asked.push(input instanceof Request ? input.url : String(input));
    return fetch(input, init);
  });
  const stripeCalls = () => asked.filter((url) => url.startsWith(system.stripe.url));
  // First do all pending work: the copy of the pages, emails, and Stripe's events.
  for (let run = 0; run < 3; run += 1) await system.worker.tick();
  expect(stripeCalls().length).toBeGreaterThan(0);
  expect(bucketCalls.length).toBeGreaterThan(0);
  asked.length = 0;
  bucketCalls.length = 0;
  const idle = await system.startWorker();
  trips = [];
  await idle.tick();
  const told = trips.map((body) => body.slice(0, 1_000));
  trips = undefined;
  for (const release of held.splice(0)) release();
  expect(told.length, told.join('\n')).toBeLessThanOrEqual(5);
  expect({ bucket: bucketCalls, stripe: stripeCalls() }).toEqual({ bucket: [], stripe: [] });
});

test('A job whose read fails does not stop the jobs that read at the same time', async () => {
  const { url, authToken } = system.database;
  const db = openBatchingDatabase({ TURSO_DATABASE_URL: url, TURSO_AUTH_TOKEN: authToken });
  const reads = [sql`SELECT 1 AS one`, sql`SELECT 1 FROM nowhere`, sql`SELECT 2 AS one`];
  const ends = await Promise.allSettled(reads.map((read) => db.all(read)));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('The Worker handles exactly the cron triggers of wrangler.toml', async () => {
  expect((await readWorkerConfig()).triggers.crons).toEqual(Object.values(cronTriggers));
});
