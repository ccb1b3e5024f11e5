/**
 * Several isolates at once over one database, as Cloudflare runs them: four processes of the Worker that know nothing of
 * one another. What people do at all of them in the same moment is done once, in one order, and is seen at each.
 */
import { createClient, type Client } from '@libsql/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { Order } from '#contract/orders.ts';
import { freePort, type WorkerProcess } from '#dev/system/worker-process.ts';
import { registerVerified, type Member } from '../support/cast.ts';
import { firstRecord, revisionOf } from '../support/content.ts';
import { fullSize, untilMs } from '../support/limits.ts';
import { clientSecretFor, confirmCard, findPackage, intentIdOf, placeOrder } from '../support/orders.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

const isolates = 4;
const rounds = fullSize ? 50 : 2;
const guessesAllowed = 10;

let system: TestSystem;
let workers: readonly WorkerProcess[];
let folders: readonly string[];
let database: Client;
let administrator: Visitor;
let customer: Member;

beforeAll(async () => {
  system = await startTestSystem({ vars: { LIMIT_SIGN_IN_ACCOUNT: String(guessesAllowed) } });
  folders = await Promise.all(
    Array.from({ length: isolates - 1 }, () => mkdtemp(join(tmpdir(), 'storefront-isolate-'))),
  );
  const others = await Promise.all(
    folders.map(async (dataDir) => system.startWorker({ port: await freePort(), dataDir })),
  );
  workers = [system.worker, ...others];
  database = createClient({ url: system.database.url, authToken: system.database.authToken });
  administrator = await signInAdministrator(system.url);
  customer = await registerVerified(system.url);
});
afterAll(async () => {
  database.close();
  await system.stop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** The same person at every isolate: a session is known wherever the database is. */
const everywhere = (person: Visitor): Visitor[] =>
  workers.map(({ url }) => {
    const visitor = new Visitor(url);
    for (const [name, value] of person.cookies) visitor.cookies.set(name, value);
    return visitor;
  });

/** Does something at every isolate in the same moment. */
const atOnce = (person: Visitor, act: (visitor: Visitor, index: number) => Promise<Answer>) =>
  Promise.all(everywhere(person).map(act));

const countOf = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

const one = async (query: string, ...args: string[]): Promise<number> =>
  Number((await database.execute({ sql: query, args })).rows[0]?.['n']);

test('Saves at every isolate at once are each a revision, none is lost, and every isolate shows the last', async () => {
  const { _id } = await firstRecord(administrator, '/service-items');
  const first = await one('SELECT max(revision) AS n FROM publications');
  const answers: Answer[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const saved = await atOnce(administrator, (visitor, index) =>
      visitor.put(
        `/api/service-item/${_id}`,
        index % 2
          ? { serviceTitle: `Title ${String(round)}.${String(index)}` }
          : { serviceDetails: `Details ${String(round)}.${String(index)}` },
      ),
    );
    for (const answer of saved) expect(answer.status, answer.text).toBe(200);
    answers.push(...saved);
  }
  const revisions = answers.map(revisionOf).toSorted((a, b) => a - b);
  expect(revisions).toEqual(answers.map((_, index) => first + 1 + index));
  const last = answers.reduce((a, b) => (revisionOf(a) > revisionOf(b) ? a : b)).json as Record<
    string,
    string
  >;
  for (const visitor of everywhere(new Visitor(system.url)))
    await vi.waitFor(
      async () => {
        const page = (await visitor.get('/')).text;
        expect([
          page.includes(last['serviceTitle'] ?? ''),
          page.includes(last['serviceDetails'] ?? ''),
        ]).toEqual([true, true]);
      },
      { timeout: untilMs, interval: 50 },
    );
});

/** The subjects of what its customer was mailed about an order, by whichever isolate. */
async function mailsAbout({ number }: Order): Promise<string[]> {
  const boxes = await Promise.all(workers.map(({ url }) => new Visitor(url).get('/dev/mailbox')));
  return boxes
    .flatMap(({ json }) => json as readonly Readonly<Record<'to' | 'subject' | 'text', string>>[])
    .filter(({ to, text }) => to === customer.email && text.includes(`#${String(number)}`))
    .map(({ subject }) => subject);
}

test('One order is placed, paid, recorded, mailed and planned once, whichever isolates hear of it', async () => {
  const { packagePrice } = await findPackage(customer, 'Basic');
  for (let round = 0; round < rounds; round += 1) {
    const key = newId();
    const placed = await atOnce(customer, (visitor) =>
      visitor.send(
        'POST',
        '/api/new-order',
        {
          packageName: 'Basic',
          packagePrice,
          customerEmail: customer.email,
          customerName: 'Ada Broker',
          customerAddress: '12 Harbor Street',
          customerCountry: 'United States',
        },
        { headers: { 'Idempotency-Key': key } },
      ),
    );
    expect(placed.map(({ status }) => status)).toEqual(placed.map(() => 201));
    const order = placed[0]?.json as Order;
    expect(new Set(placed.map(({ json }) => (json as Order)._id)).size).toBe(1);

    const secrets = await Promise.all(everywhere(customer).map((visitor) => clientSecretFor(visitor, order)));
    expect(new Set(secrets.map(intentIdOf)).size).toBe(1);
    await confirmCard(customer, system.stripe?.url ?? '', secrets[0] ?? '');
    // The webhook comes to the first isolate meanwhile.
    const paid = await atOnce(customer, (visitor) =>
      visitor.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' }),
    );
    expect(paid.map(({ status }) => status)).toEqual(paid.map(() => 200));
    await Promise.all(workers.map(({ tick }) => tick()));
    expect([
      await one('SELECT count(*) AS n FROM payments WHERE "orderId" = ?', order._id),
      await one('SELECT count(*) AS n FROM ledger WHERE "orderId" = ?', order._id),
      await one(`SELECT count(*) AS n FROM order_events WHERE "orderId" = ? AND kind = 'paid'`, order._id),
      await one(
        'SELECT count(*) - count(DISTINCT position) AS n FROM order_steps WHERE "orderId" = ?',
        order._id,
      ),
    ]).toEqual([1, 1, 1, 0]);
    // A mail that a request has begun to send is left alone by the cron.
    await expect.poll(async () => (await mailsAbout(order)).length).toBeGreaterThan(1);
    const told = await mailsAbout(order);
    expect(told).toHaveLength(new Set(told).size);
  }
});

test('Whole refunds at every isolate at once return the money once', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const order = await placeOrder(customer);
    const secret = await clientSecretFor(customer, order);
    await confirmCard(customer, system.stripe?.url ?? '', secret);
    expect((await customer.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' })).status).toBe(200);
    const refunds = await atOnce(administrator, (visitor) =>
      visitor.send(
        'POST',
        `/api/order/${order._id}/refunds`,
        {},
        { headers: { 'Idempotency-Key': newId() } },
      ),
    );
    expect([countOf(refunds, 201), countOf(refunds, 409)]).toEqual([1, isolates - 1]);
    expect(
      await one(
        `SELECT sum("amountCents") - (SELECT "priceCents" FROM orders WHERE "_id" = "orderId") AS n FROM refunds
         WHERE "orderId" = ? AND status IN ('pending', 'succeeded')`,
        order._id,
      ),
    ).toBe(0);
  }
});

test('Guesses that are spread over isolates share one allowance', async () => {
  const guessesEach = 8;
  const guesses = await Promise.all(
    workers.flatMap(({ url }) =>
      Array.from({ length: guessesEach }, (_, index) =>
        new Visitor(url).post('/api/auth/login', {
          email: customer.email,
          password: `wrong guess ${String(index)}`,
        }),
      ),
    ),
  );
  expect(countOf(guesses, 401)).toBe(guessesAllowed);
  expect(countOf(guesses, 429)).toBe(isolates * guessesEach - guessesAllowed);
});
