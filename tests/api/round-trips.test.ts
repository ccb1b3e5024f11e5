/**
 * How often the calls and pages that people use most ask the database before they answer, compared with the table of
 * docs/performance.md. On Turso each of these round trips costs the network's time.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectDir } from '#deploy/worker-config.ts';
import { splitCallName, type CallName } from '#contract/call.ts';
import { newId } from '#contract/ids.ts';
import type { Order } from '#contract/orders.ts';
import { totalCountHeader } from '#contract/paging.ts';
import { sectionCalls, type SectionVerb } from '#contract/section-calls.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { accounts, sessions } from '#worker/accounts/schema.ts';
import type { Database } from '#worker/db/client.ts';
import { openSystemDatabase } from '../bench/database.ts';
import { addressOf } from '../support/calls.ts';
import { registerAdministrator, registerVerified, type Member } from '../support/cast.ts';
import { firstRecord } from '../support/content.ts';
import { clientSecretFor, confirmCard, placeOrder } from '../support/orders.ts';
import { sampleOf } from '../support/samples.ts';
import { openSystem, type InProcessSystem } from '../support/in-process-system.ts';
import { newEmail, signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

/** Queries that no answer waits for. They are held back while a call is counted, so an answer that waits for one never comes. */
const besideAnswers = [
  // Mails are sent, and a session's use and the time that a write took are noted, after the answer.
  /update "mails" set "dueAt" = \?, ("tries" = ("mails"\.)?"tries" \+|"failure" = \? where)/,
  /delete from "mails" where "mails"."_id"/,
  /update "sessions" set "lastUsedAt"/,
  // The audit log is written beside the answer, but where an entry is part of the change that it tells of.
  /^(?!.*"type":"batch").*insert into "audit_events"/s,
  /update "publications" set "writeMs"/,
];
/** The look-up of what is live: at most once a second in an isolate, for all visitors together. */
const isLookUp = (body: string) => /^[^;]*from "page_sets"/.test(body) && !/insert into/.test(body);

let trips: string[] | undefined;
let beside: readonly RegExp[] = [];
/** Lets a query go on that was held back. */
const held: (() => void)[] = [];

const beforePipeline = (body: string): Promise<void> | void => {
  const text = body.replaceAll('\\"', '"');
  if (!trips) return undefined;
  if (beside.some((pattern) => pattern.test(text))) return new Promise((resolve) => held.push(resolve));
  trips.push(text);
  return undefined;
};

/** Makes a call, or asks for a page, and compares what the database was asked before the answer with a row of the table. */
async function expectTrips(
  row: string,
  make: Make,
  { isPage = false, alsoBeside = [] }: { isPage?: boolean; alsoBeside?: readonly RegExp[] } = {},
): Promise<void> {
  trips = [];
  beside = [...besideAnswers, ...alsoBeside];
  const { status, text } = await make();
  const asked = trips.filter((body) => !isPage || !isLookUp(body));
  trips = undefined;
  for (const release of held.splice(0)) release();
  await system.worker.settle();
  expect(status, text).toBeLessThan(400);
  const told = asked.map((body) => body.slice(0, 400)).join('\n');
  expect(asked.length, `${row} asked the database:\n${told}`).toBe(table.get(row));
}

let system: InProcessSystem;
let table: ReadonlyMap<string, number>;
let visitor: Visitor;
let customer: Member;
let administrator: Visitor;

/** The rows of the table in the guide: a call or a kind of page, and its round trips. */
async function readTable(): Promise<Map<string, number>> {
  const guide = await readFile(join(projectDir, 'docs/performance.md'), 'utf8');
  const [, chapter = ''] = guide.split('## Round trips to the database');
  const rows = chapter.matchAll(/^\| (?:`([^`|]+)`|([^`|]+?)) +\| (\d+) +\|/gm);
  return new Map(Array.from(rows, ([, call, page, count]) => [call ?? page ?? '', Number(count)]));
}

beforeAll(async () => {
  table = await readTable();
  system = await openSystem({ beforePipeline });
  // Deliveries come when a test makes them, and not in between.
  system.stripe.controls.setWebhookUrl({ url: 'http://127.0.0.1:9/' });
  visitor = new Visitor(system.url);
  customer = await registerVerified(system.url);
  administrator = await signInAdministrator(system.url);
  // The isolate knows the content from its first save on.
  const banner = await firstRecord(visitor, '/banner');
  await administrator.put(`/api/update-banner/${banner._id}`, { bannerHeading: 'Known' });
});
afterAll(() => system.stop());

type Make = () => Promise<Answer>;
/** Prepares what a call needs, so that only the call itself is counted. */
type Prepared = () => Promise<Make>;

const call = (name: CallName, id?: string) => addressOf(name, id);
const made = (caller: () => Visitor, name: CallName, body?: unknown): Prepared =>
  withId(caller, name, () => Promise.resolve(undefined), body);

function withId(
  caller: () => Visitor,
  name: CallName,
  idOf: () => Promise<string | undefined>,
  body?: unknown,
): Prepared {
  return async () => {
    const [method] = splitCallName(name);
    const address = call(name, await idOf());
    const sent = typeof body === 'function' ? (body as () => unknown)() : body;
    return () => caller().send(method, address, method === 'GET' ? undefined : (sent ?? {}));
  };
}

const asVisitor = () => visitor;
const asCustomer = () => customer;
const asAdministrator = () => administrator;

const newOrder = () => placeOrder(customer);
const newOrderId = async () => (await newOrder())._id;

/** An order whose payment has succeeded at Stripe, which nobody has told us. */
async function newPaidOrder(): Promise<Order> {
  const order = await newOrder();
  await confirmCard(customer, system.stripe.url, await clientSecretFor(customer, order));
  return order;
}

/** A section of which every call is made: all sections have the same ones. */
const section = 'faqItem';
const sectionCall = (verb: SectionVerb): CallName => sectionCalls(section)[verb] ?? 'GET /';
const recordId = async () => (await firstRecord(visitor, splitCallName(sectionCall('list'))[1]))._id;

const sectionRows: Readonly<Record<SectionVerb, Prepared>> = {
  list: made(asVisitor, sectionCall('list')),
  read: withId(asVisitor, sectionCall('read'), recordId),
  add: made(asAdministrator, sectionCall('add'), () => sampleOf(sectionNamed(section))),
  update: withId(asAdministrator, sectionCall('update'), recordId, () => ({ accodingTitle: 'Anew?' })),
  remove: withId(asAdministrator, sectionCall('remove'), recordId),
  reorder: async () => {
    const records = (await visitor.get(call(sectionCall('list')))).json as { _id: string }[];
    const order = records.map(({ _id }) => _id).reverse();
    return () => administrator.put(call(sectionCall('reorder')), { order });
  },
};

const ann = () => ({
  name: 'Ann',
  email: newEmail(),
  number: '1',
  subject: 'A question',
  message: 'How much?',
});

/** The reads of screens that need no id. */
const readsOf = (caller: () => Visitor, ...names: readonly CallName[]) =>
  Object.fromEntries(names.map((name) => [name, made(caller, name)]));

const callRows: Readonly<Partial<Record<CallName, Prepared>>> = {
  ...readsOf(asVisitor, 'GET /health', 'GET /stripe-keys', 'GET /turnstile'),
  ...readsOf(asCustomer, 'GET /auth/session', 'GET /auth/profile', 'GET /auth/sessions', 'GET /auth/account'),
  ...readsOf(asCustomer, 'GET /own-work', 'GET /order-totals'),
  ...readsOf(asAdministrator, 'GET /orders', 'GET /orders.csv', 'GET /unread-messages', 'GET /sales'),
  ...readsOf(
    asAdministrator,
    'GET /messages',
    'GET /customers',
    'GET /subscribers',
    'GET /users',
    'GET /waiting',
  ),
  ...readsOf(asAdministrator, 'GET /needs-attention', 'GET /ledger', 'GET /audit-log', 'GET /publications'),
  ...readsOf(asAdministrator, 'GET /content', 'GET /drafts', 'GET /releases'),

  'POST /auth/register': made(
    () => new Visitor(system.url),
    'POST /auth/register',
    () => ({ email: newEmail(), password: 'a customer password' }),
  ),
  'POST /auth/login': made(
    () => new Visitor(system.url),
    'POST /auth/login',
    () => ({ email: customer.email, password: customer.password }),
  ),
  'POST /auth/reset': made(asVisitor, 'POST /auth/reset', () => ({ email: customer.email })),
  'PUT /auth/password': async () => {
    const careful = await registerVerified(system.url);
    const passwords = { currentPassword: careful.password, newPassword: 'another password' };
    return () => careful.put(call('PUT /auth/password'), passwords);
  },
  'DELETE /auth/account': async () => {
    const leaving = await registerVerified(system.url);
    return () => leaving.delete(call('DELETE /auth/account'));
  },

  'POST /new-order': async () => {
    const { _id, packageName, packagePrice } = await newOrder();
    const order = {
      ...{ packageName, packagePrice, customerEmail: customer.email, customerName: 'Ada Broker' },
      ...{ customerAddress: '12 Harbor Street', customerCountry: 'United States' },
    };
    return () => customer.post(call('POST /new-order'), order, { headers: { 'Idempotency-Key': _id } });
  },
  'POST /create-payment-intent': async () => {
    const { _id, packagePrice } = await newOrder();
    const intent = { amount: packagePrice, orderId: _id };
    return () => customer.post(call('POST /create-payment-intent'), intent);
  },
  'PUT /order/:id': withId(asCustomer, 'PUT /order/:id', async () => (await newPaidOrder())._id, {
    paymentStatus: 'Paid',
  }),
  'PUT /order-cancelled/:id': withId(asCustomer, 'PUT /order-cancelled/:id', newOrderId),
  'GET /order/:id': withId(asCustomer, 'GET /order/:id', newOrderId),
  'GET /order/:id/timeline': withId(asCustomer, 'GET /order/:id/timeline', newOrderId),
  'GET /order/:id/brief': withId(asCustomer, 'GET /order/:id/brief', newOrderId),
  'GET /order/:id/messages': withId(asCustomer, 'GET /order/:id/messages', newOrderId),
  'POST /order/:id/messages': withId(asCustomer, 'POST /order/:id/messages', newOrderId, { text: 'Hello' }),
  'GET /order/:id/work': withId(asCustomer, 'GET /order/:id/work', newOrderId),
  'PUT /order-status/:id': withId(asAdministrator, 'PUT /order-status/:id', newOrderId, {
    orderStatus: 'Delivered',
  }),

  'POST /add-message': made(asVisitor, 'POST /add-message', ann),
  'POST /add-subscriber': made(asVisitor, 'POST /add-subscriber', () => ({ subemail: newEmail() })),
  'GET /search': async () => {
    await newOrder();
    return () => administrator.get(`${call('GET /search')}?q=Ada`);
  },
  'PUT /drafts': made(asAdministrator, 'PUT /drafts', { section, values: {} }),
};

/** What is asked beside the answer of one call alone. */
const alsoBeside: Readonly<Record<string, readonly RegExp[]>> = {
  // The time of the answer does not tell whether there is such an account.
  'POST /auth/reset': [/from "accounts"/],
};

const verbRows: Readonly<Record<SectionVerb, string>> = {
  list: "a section's records",
  read: 'one record of a section',
  add: 'adding a record',
  update: 'saving a record',
  remove: 'removing a record',
  reorder: 'reordering a section',
};

test('Sections cost the round trips of the table', async () => {
  for (const [verb, row] of Object.entries(verbRows))
    await expectTrips(row, await sectionRows[verb as SectionVerb]());
});

test('Calls cost the round trips of the table, which has no others', async () => {
  expect([...table.keys()].filter((row) => row.includes(' /')).toSorted()).toEqual(
    Object.keys(callRows).toSorted(),
  );
  for (const [name, prepare] of Object.entries(callRows) as [CallName, Prepared][])
    await expectTrips(name, await prepare(), { alsoBeside: alsoBeside[name] ?? [] });
});

const pageRows: Readonly<Record<string, readonly [path: string, reader: () => Visitor]>> = {
  'content page': ['/', asVisitor],
  'sign-in page, or another rendered to a request': ['/login', asVisitor],
  'page of an order that is placed or cancelled': [`/order-now/${newId()}`, asCustomer],
  'payment page': [`/pay-now/${newId()}`, asVisitor],
  "customer's page": ['/my-order', asCustomer],
  "administrator's page": ['/admin', asAdministrator],
  'preview of the editor': ['/preview', asAdministrator],
};

test('A page of each kind costs the round trips of the table', async () => {
  for (const [row, [path, reader]] of Object.entries(pageRows))
    await expectTrips(row, () => reader().get(path), { isPage: true });
});

describe('When an isolate still remembers a session', () => {
  /** An administrator who has just been here, and what the database is told at once. */
  async function remembered(change: (db: Database, accountId: string) => Promise<unknown>) {
    const member = await registerAdministrator(system.url, administrator);
    expect((await member.get(call('GET /orders'))).status).toBe(200);
    const { db, close } = openSystemDatabase(system.database);
    const [account] = await db.select().from(accounts).where(eq(accounts.email, member.email));
    await change(db, account?.id ?? '');
    close();
    return member;
  }

  /** What they came to when they save, and what was written meanwhile. */
  async function trySaving(member: Visitor) {
    const path = call(sectionCall('update'), await recordId());
    trips = [];
    beside = besideAnswers;
    const { status } = await member.put(path, { accodingTitle: 'Saved all the same' });
    const writes = trips.filter((body) => /insert into|update "|delete from/.test(body));
    trips = undefined;
    return { status, writes };
  }

  test('Somebody who signed out elsewhere reads nothing and saves nothing', async () => {
    const member = await remembered((db, id) => db.delete(sessions).where(eq(sessions.accountId, id)));
    expect(await trySaving(member)).toEqual({ status: 401, writes: [] });

    const reader = await remembered((db, id) => db.delete(sessions).where(eq(sessions.accountId, id)));
    const answer = await reader.get(call('GET /messages'));
    expect(answer.status).toBe(401);
    expect(answer.headers.get(totalCountHeader)).toBeNull();
  });

  test('Somebody who is no longer an administrator saves nothing, and reads only what is their own', async () => {
    const demote = (db: Database, accountId: string) =>
      db.run(
        sql`UPDATE users SET "userRole" = 'User' WHERE "userEmail" = (SELECT email FROM accounts WHERE id = ${accountId})`,
      );
    expect(await trySaving(await remembered(demote))).toEqual({ status: 403, writes: [] });
    const reader = await remembered(demote);
    expect((await reader.get(call('GET /orders'))).json).toEqual([]);
    expect((await (await remembered(demote)).get(call('GET /messages'))).status).toBe(403);
  });
});
