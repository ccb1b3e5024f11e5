/**
 * How often each call and page asks the database before it answers, held against the table of docs/performance.md: on
 * Turso each of these costs the network's time. One more than the table says is a red test, and one less too, so that
 * the table stays true.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDataDir } from '#dev/system/settings.ts';
import { projectDir } from '#deploy/worker-config.ts';
import { signPayload } from '#dev/stripe/webhooks.ts';
import { allScreens } from '#contract/all-screens.ts';
import type { CreationOptions, Passkey, RequestOptions } from '#contract/accounts.ts';
import { splitCallName, type CallName } from '#contract/call.ts';
import { allCalls } from '#contract/calls/index.ts';
import { addDays } from '#contract/days.ts';
import { newId } from '#contract/ids.ts';
import type { Order } from '#contract/orders.ts';
import { totalCountHeader } from '#contract/paging.ts';
import { fillPath } from '#contract/route-pattern.ts';
import type { Screen } from '#contract/screens.ts';
import { sectionCalls, type SectionVerb } from '#contract/section-calls.ts';
import { sectionNamed, sectionNames } from '#contract/sections/index.ts';
import { accounts, sessions } from '#worker/accounts/schema.ts';
import type { Database } from '#worker/db/client.ts';
import { mails } from '#worker/mail/schema.ts';
import { payments, refunds } from '#worker/payments/schema.ts';
import { openSystemDatabase } from '../bench/database.ts';
import { Authenticator } from '../support/authenticator.ts';
import { addressOf } from '../support/calls.ts';
import { mailedToken, registerAdministrator, registerVerified, type Member } from '../support/cast.ts';
import { firstRecord } from '../support/content.ts';
import { clientSecretFor, confirmCard, intentIdOf, placeOrder, sendFile } from '../support/orders.ts';
import { addChange, beginRelease, readRelease } from '../support/releases.ts';
import { sampleOf } from '../support/samples.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import {
  newEmail,
  registerCustomer,
  signInAdministrator,
  signUp,
  Visitor,
  type Answer,
} from '../support/visitor.ts';

/**
 * What is asked beside an answer. It is held back for good while a call is counted, so that an answer that waits for
 * one of these never comes.
 */
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

const beforePipeline = (body: string): Promise<void> | void => {
  const text = body.replaceAll('\\"', '"');
  if (!trips) return undefined;
  if (beside.some((pattern) => pattern.test(text))) return new Promise<never>(() => undefined);
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
  expect(status, text).toBeLessThan(400);
  const told = asked.map((body) => body.slice(0, 400)).join('\n');
  expect(asked.length, `${row} asked the database:\n${told}`).toBe(table.get(row));
}

let system: TestSystem;
let table: ReadonlyMap<string, number>;
let visitor: Visitor;
let customer: Member;
let administrator: Visitor;
let stripe: Stripe;
let webhookSecret: string;

/** The rows of the table in the guide: a call or a kind of page, and its round trips. */
async function readTable(): Promise<Map<string, number>> {
  const guide = await readFile(join(projectDir, 'docs/performance.md'), 'utf8');
  const [, chapter = ''] = guide.split('## Round trips to the database');
  const rows = chapter.matchAll(/^\| (?:`([^`|]+)`|([^`|]+?)) +\| (\d+) +\|/gm);
  return new Map(Array.from(rows, ([, call, page, count]) => [call ?? page ?? '', Number(count)]));
}

beforeAll(async () => {
  table = await readTable();
  system = await startTestSystem({ beforePipeline });
  // Deliveries come when a test makes them, and not in between.
  system.stripe?.controls.setWebhookUrl({ url: 'http://127.0.0.1:9/' });
  const { stripeSecretKey, stripeWebhookSecret } = await openDataDir(system.dataDir);
  const { hostname, port } = new URL(system.stripe?.url ?? '');
  stripe = new Stripe(stripeSecretKey, { host: hostname, port, protocol: 'http' });
  webhookSecret = stripeWebhookSecret;
  visitor = new Visitor(system.url);
  customer = await registerVerified(system.url);
  administrator = await signInAdministrator(system.url);
  // The isolate knows the content from its first save on.
  const banner = await firstRecord(visitor, '/banner');
  await administrator.put(`/api/update-banner/${banner._id}`, { bannerHeading: 'Known' });
});
afterAll(() => system.stop());

type Make = () => Promise<Answer>;
/** A call as it is made once, and what is asked beside its own answer; what a call needs is made ready first. */
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
  await confirmCard(customer, system.stripe?.url ?? '', await clientSecretFor(customer, order));
  return order;
}

async function newSettledOrderId(): Promise<string> {
  const { _id } = await newPaidOrder();
  await customer.put(call('PUT /order/:id', _id), { paymentStatus: 'Paid' });
  return _id;
}

/** A step that wants approval, of a paid order. */
async function newStepId(): Promise<string> {
  const { json } = await customer.get(call('GET /order/:id/work', await newSettledOrderId()));
  const { steps } = json as { steps: { _id: string; wantsApproval: boolean }[] };
  return steps.find(({ wantsApproval }) => wantsApproval)?._id ?? '';
}

async function newMessageId(): Promise<string> {
  const message = {
    name: 'Ann',
    email: newEmail(),
    number: '1',
    subject: 'A question',
    message: 'What does it cost?',
  };
  return ((await visitor.post(call('POST /add-message'), message)).json as { _id: string })._id;
}

async function newCustomerId(): Promise<string> {
  await newOrder();
  return (await firstRecord(administrator, '/customers?page=1'))._id;
}

async function newFileId(): Promise<string> {
  const answer = await sendFile(customer, await newOrderId(), 'Our words');
  return (answer.json as { _id: string })._id;
}

async function newSubscriberId(): Promise<string> {
  await visitor.post(call('POST /add-subscriber'), { subemail: newEmail() });
  return (await firstRecord(administrator, '/subscribers?page=1'))._id;
}

async function newMemberId(userRole = 'Admin'): Promise<string> {
  const answer = await administrator.post(call('POST /add-user'), { userEmail: newEmail(), userRole });
  return (answer.json as { _id: string })._id;
}

/** A release with one change. */
async function newReleaseId(): Promise<string> {
  const { _id } = await beginRelease(administrator, 'A release');
  await addChange(administrator, _id, { section, action: 'add', values: sampleOf(sectionNamed(section)) });
  return _id;
}

/** Writes a row that a call looks for and no other call can make. */
async function written(
  write: (db: ReturnType<typeof openSystemDatabase>['db'], _id: string) => PromiseLike<unknown>,
) {
  const { db, close } = openSystemDatabase(system.database);
  const _id = newId();
  await write(db, _id);
  close();
  return _id;
}

/** A section of which every call is made: all sections have the same ones. */
const section = 'faqItem';
const sectionCall = (verb: SectionVerb): CallName => sectionCalls(section)[verb] ?? 'GET /';
const recordId = async () => (await firstRecord(visitor, splitCallName(sectionCall('list'))[1]))._id;
const bannerId = async () => (await firstRecord(visitor, '/banner'))._id;

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

const newCredential = async (owner: Visitor, device = new Authenticator(system.url)) =>
  device.create((await owner.post(call('POST /auth/passkeys/options'))).json as CreationOptions);

/** A customer who has a passkey, the device that holds it, its id and their recovery codes. */
async function withPasskey() {
  const owner = await registerVerified(system.url);
  const device = new Authenticator(system.url);
  const credential = await newCredential(owner, device);
  const { passkey, recoveryCodes } = (await owner.post(call('POST /auth/passkeys'), { credential })).json as {
    readonly passkey: Passkey;
    readonly recoveryCodes: readonly string[];
  };
  return { owner, device, id: passkey._id, codes: recoveryCodes };
}

const callRows: Readonly<Partial<Record<CallName, Prepared>>> = {
  'GET /health': made(asVisitor, 'GET /health'),
  'GET /openapi.json': made(asVisitor, 'GET /openapi.json'),

  'POST /auth/register': made(
    () => new Visitor(system.url),
    'POST /auth/register',
    () => ({
      email: newEmail(),
      password: 'a customer password',
    }),
  ),
  'POST /auth/login': made(
    () => new Visitor(system.url),
    'POST /auth/login',
    () => ({ email: customer.email, password: customer.password }),
  ),
  'POST /auth/logout': async () => {
    const leaving = await registerCustomer(system.url);
    return () => leaving.post(call('POST /auth/logout'));
  },
  'GET /auth/session': made(asCustomer, 'GET /auth/session'),
  'POST /auth/verify': async () => {
    const fresh = await signUp(system.url);
    const token = await mailedToken(system.url, fresh.email);
    return () => fresh.post(call('POST /auth/verify'), { token });
  },
  'POST /auth/verify/resend': async () => {
    const fresh = await registerCustomer(system.url);
    return () => fresh.post(call('POST /auth/verify/resend'));
  },
  'POST /auth/reset': made(asVisitor, 'POST /auth/reset', () => ({ email: customer.email })),
  'POST /auth/reset/confirm': async () => {
    const forgetful = await registerVerified(system.url);
    await visitor.post(call('POST /auth/reset'), { email: forgetful.email });
    const token = await mailedToken(system.url, forgetful.email, '/reset-password');
    return () => visitor.post(call('POST /auth/reset/confirm'), { token, password: 'another password' });
  },
  'POST /auth/invitation': async () => {
    const userEmail = newEmail();
    await administrator.post(call('POST /add-user'), { userEmail });
    const token = await mailedToken(system.url, userEmail, '/invitation');
    const json = { token, password: 'a long enough password' };
    return () => new Visitor(system.url).post(call('POST /auth/invitation'), json);
  },
  'PUT /auth/password': async () => {
    const careful = await registerVerified(system.url);
    const passwords = { currentPassword: careful.password, newPassword: 'another password' };
    return () => careful.put(call('PUT /auth/password'), passwords);
  },
  'POST /auth/confirm': async () => {
    const careful = await registerVerified(system.url);
    return () => careful.post(call('POST /auth/confirm'), { password: careful.password });
  },
  'GET /auth/confirm': async () => {
    const { owner } = await withPasskey();
    return () => owner.get(call('GET /auth/confirm'));
  },
  'GET /auth/passkeys': made(asCustomer, 'GET /auth/passkeys'),
  'POST /auth/passkeys/options': made(asCustomer, 'POST /auth/passkeys/options'),
  'POST /auth/passkeys': async () => {
    const owner = await registerVerified(system.url);
    const credential = await newCredential(owner);
    return () => owner.post(call('POST /auth/passkeys'), { credential });
  },
  'PUT /auth/passkeys/:id': async () => {
    const { owner, id } = await withPasskey();
    return () => owner.put(call('PUT /auth/passkeys/:id', id), { name: 'My phone' });
  },
  'DELETE /auth/passkeys/:id': async () => {
    const { owner, id } = await withPasskey();
    return () => owner.delete(call('DELETE /auth/passkeys/:id', id));
  },
  'POST /auth/recovery-codes': async () => {
    const { owner } = await withPasskey();
    return () => owner.post(call('POST /auth/recovery-codes'));
  },
  'GET /auth/passkey/options': made(asVisitor, 'GET /auth/passkey/options'),
  'POST /auth/passkey': async () => {
    const { device } = await withPasskey();
    const options = (await visitor.get(call('GET /auth/passkey/options'))).json as RequestOptions;
    const assertion = device.show(options);
    return () => new Visitor(system.url).post(call('POST /auth/passkey'), { assertion });
  },
  'POST /auth/recovery': async () => {
    const { owner, codes } = await withPasskey();
    const json = { email: owner.email, code: codes[0] };
    return () => new Visitor(system.url).post(call('POST /auth/recovery'), json);
  },
  'POST /auth/invitation/options': async () => {
    const userEmail = newEmail();
    await administrator.post(call('POST /add-user'), { userEmail });
    const token = await mailedToken(system.url, userEmail, '/invitation');
    return () => new Visitor(system.url).post(call('POST /auth/invitation/options'), { token });
  },
  'GET /auth/profile': made(asCustomer, 'GET /auth/profile'),
  'PUT /auth/profile': made(asCustomer, 'PUT /auth/profile', () => ({ company: 'Lopez Lending' })),
  'PUT /auth/email': async () => {
    const moving = await registerVerified(system.url);
    return () => moving.put(call('PUT /auth/email'), { email: newEmail() });
  },
  'DELETE /auth/sessions/:id': async () => {
    const leaving = await registerVerified(system.url);
    const { email, password } = leaving;
    await new Visitor(system.url).post(call('POST /auth/login'), { email, password });
    const { json } = await leaving.get(call('GET /auth/sessions'));
    const other = (json as { _id: string; isCurrent: boolean }[]).find(({ isCurrent }) => !isCurrent);
    return () => leaving.delete(call('DELETE /auth/sessions/:id', other?._id));
  },
  'GET /auth/google/link': made(asCustomer, 'GET /auth/google/link'),
  'DELETE /auth/google/link': made(asCustomer, 'DELETE /auth/google/link'),
  'GET /auth/sessions': made(asCustomer, 'GET /auth/sessions'),
  'DELETE /auth/sessions': async () => {
    const leaving = await registerCustomer(system.url);
    return () => leaving.delete(call('DELETE /auth/sessions'));
  },
  'GET /auth/account': made(asCustomer, 'GET /auth/account'),
  'DELETE /auth/account': async () => {
    const leaving = await registerVerified(system.url);
    return () => leaving.delete(call('DELETE /auth/account'));
  },
  'GET /users': made(asAdministrator, 'GET /users'),
  'POST /add-user': made(asAdministrator, 'POST /add-user', () => ({ userEmail: newEmail() })),
  'GET /users/:id': withId(asAdministrator, 'GET /users/:id', newMemberId),
  'PUT /upadete-users/:id': withId(asAdministrator, 'PUT /upadete-users/:id', newMemberId, {
    userRole: 'User',
  }),
  'DELETE /users/:id': withId(asAdministrator, 'DELETE /users/:id', newMemberId),
  'PUT /users': async () => {
    const users = (await administrator.get(call('GET /users'))).json as { _id: string }[];
    const order = users.map(({ _id }) => _id).reverse();
    return () => administrator.put(call('PUT /users'), { order });
  },
  'GET /setup': made(asVisitor, 'GET /setup'),

  'POST /new-order': async () => {
    const { _id, packageName, packagePrice } = await newOrder();
    const order = {
      packageName,
      packagePrice,
      customerEmail: customer.email,
      customerName: 'Ada Broker',
      customerAddress: '12 Harbor Street',
      customerCountry: 'United States',
    };
    return () => customer.post(call('POST /new-order'), order, { headers: { 'Idempotency-Key': _id } });
  },
  'POST /add-order': async () => {
    const { packageName, packagePrice } = await newOrder();
    const order = {
      packageName,
      packagePrice,
      customerEmail: newEmail(),
      customerName: 'Ada Broker',
      customerAddress: '12 Harbor Street',
      customerCountry: 'United States',
    };
    return () => administrator.post(call('POST /add-order'), order);
  },
  'GET /orders': made(asAdministrator, 'GET /orders'),
  'GET /order/:id': withId(asCustomer, 'GET /order/:id', newOrderId),
  'GET /order/:id/timeline': withId(asCustomer, 'GET /order/:id/timeline', newOrderId),
  'GET /order/:id/brief': withId(asCustomer, 'GET /order/:id/brief', newOrderId),
  'PUT /order/:id/brief': async () => {
    const id = await newOrderId();
    const { json } = await customer.get(call('GET /order/:id/brief', id));
    const [question] = (json as { questions: { _id: string }[] }).questions;
    return () =>
      customer.put(call('PUT /order/:id/brief', id), { answers: { [question?._id ?? '']: 'Yes' } });
  },
  'GET /order/:id/work': withId(asCustomer, 'GET /order/:id/work', newOrderId),
  'GET /own-work': made(asCustomer, 'GET /own-work'),
  'PUT /order-step/:id': withId(asAdministrator, 'PUT /order-step/:id', newStepId, { state: 'done' }),
  'PUT /order-step/:id/due-day': withId(asAdministrator, 'PUT /order-step/:id/due-day', newStepId, {
    dueDay: addDays(new Date().toISOString().slice(0, 10), 90),
  }),
  'PUT /order-step/:id/answer': async () => {
    const id = await newStepId();
    const { json } = await administrator.put(call('PUT /order-step/:id', id), { state: 'done' });
    const { doneAt } = json as { doneAt: string };
    return () => customer.put(call('PUT /order-step/:id/answer', id), { isApproved: true, doneAt });
  },
  'GET /order/:id/receipt': withId(asCustomer, 'GET /order/:id/receipt', newSettledOrderId),
  'GET /credit-note/:id': withId(asCustomer, 'GET /credit-note/:id', async () => {
    const orderId = await newSettledOrderId();
    return written(async (db, _id) => {
      const [payment] = await db.select().from(payments).where(eq(payments.orderId, orderId));
      await db.insert(refunds).values({
        _id,
        orderId,
        paymentId: payment?._id ?? '',
        amountCents: 1,
        status: 'succeeded',
        accountId: '',
        at: 1,
        changedAt: 1,
      });
    });
  }),
  'PUT /order/:id/billing': withId(asCustomer, 'PUT /order/:id/billing', newOrderId, {
    customerCompany: 'Harbor Loans',
  }),
  'PUT /order-status/:id': withId(asAdministrator, 'PUT /order-status/:id', newOrderId, {
    orderStatus: 'Delivered',
  }),
  'GET /order/:id/messages': withId(asCustomer, 'GET /order/:id/messages', newOrderId),
  'POST /order/:id/messages': withId(asCustomer, 'POST /order/:id/messages', newOrderId, { text: 'Hello' }),
  'PUT /order/:id/messages': withId(asCustomer, 'PUT /order/:id/messages', newOrderId, { readTo: 1 }),
  'GET /unread-messages': made(asAdministrator, 'GET /unread-messages'),
  'POST /order/:id/files': async () => {
    const orderId = await newOrderId();
    return () => sendFile(customer, orderId, 'Our words');
  },
  'GET /order-file/:id': withId(asCustomer, 'GET /order-file/:id', newFileId),
  'DELETE /order-file/:id': withId(asCustomer, 'DELETE /order-file/:id', newFileId),
  'GET /order-totals': made(asCustomer, 'GET /order-totals'),
  'GET /sales': made(asAdministrator, 'GET /sales'),
  'GET /sources': made(asAdministrator, 'GET /sources'),
  'GET /orders.csv': made(asAdministrator, 'GET /orders.csv'),

  'GET /order/:id/refunds': withId(asCustomer, 'GET /order/:id/refunds', newOrderId),
  'POST /order/:id/refunds': withId(
    asAdministrator,
    'POST /order/:id/refunds',
    async () => {
      const { _id } = await newPaidOrder();
      await customer.put(call('PUT /order/:id', _id), { paymentStatus: 'Paid' });
      return _id;
    },
    { amount: '1' },
  ),
  'GET /audit-log': made(asAdministrator, 'GET /audit-log'),
  'GET /audit-log.csv': made(asAdministrator, 'GET /audit-log.csv'),
  'GET /ledger': made(asAdministrator, 'GET /ledger'),
  'GET /ledger.csv': made(asAdministrator, 'GET /ledger.csv'),

  'POST /create-payment-intent': async () => {
    const { _id, packagePrice } = await newOrder();
    const intent = { amount: packagePrice, orderId: _id };
    return () => customer.post(call('POST /create-payment-intent'), intent);
  },
  'PUT /order/:id': withId(asCustomer, 'PUT /order/:id', async () => (await newPaidOrder())._id, {
    paymentStatus: 'Paid',
  }),
  'PUT /order-cancelled/:id': withId(asCustomer, 'PUT /order-cancelled/:id', newOrderId),
  'POST /stripe/webhook': async () => {
    const order = await newOrder();
    const clientSecret = await clientSecretFor(customer, order);
    await confirmCard(customer, system.stripe?.url ?? '', clientSecret);
    const { data } = await stripe.events.list({ limit: 100 });
    const isMeant = (event: Stripe.Event) =>
      event.type === 'payment_intent.succeeded' && event.data.object.id === intentIdOf(clientSecret);
    const body = JSON.stringify(data.find(isMeant));
    const signature = signPayload(body, webhookSecret, Math.floor(Date.now() / 1_000));
    return () =>
      visitor.post(call('POST /stripe/webhook'), body, { headers: { 'Stripe-Signature': signature } });
  },
  'GET /stripe-keys': made(asVisitor, 'GET /stripe-keys'),
  'GET /stripe-key/:id': withId(
    asVisitor,
    'GET /stripe-key/:id',
    async () => (await firstRecord(visitor, '/stripe-keys'))._id,
  ),
  'PUT /stripe-key/:id': withId(
    asAdministrator,
    'PUT /stripe-key/:id',
    async () => (await firstRecord(visitor, '/stripe-keys'))._id,
    { stripeKey: 'pk_test_another' },
  ),
  'GET /needs-attention': made(asAdministrator, 'GET /needs-attention'),
  'GET /open-disputes': made(asAdministrator, 'GET /open-disputes'),
  'PUT /needs-attention/:id': withId(
    asAdministrator,
    'PUT /needs-attention/:id',
    () =>
      written((db, _id) =>
        db.insert(payments).values({
          _id,
          orderId: newId(),
          method: 'Card',
          amountCents: 1,
          currency: 'usd',
          outcome: 'refunded',
          refusal: 'cancelled',
          at: 1,
        }),
      ),
    { seen: true },
  ),
  'POST /unsent-mail/:id': withId(asAdministrator, 'POST /unsent-mail/:id', () =>
    written((db, _id) =>
      db
        .insert(mails)
        .values({ _id, kind: 'alert', recipient: '', subject: '', body: '', createdAt: 1, tries: 1 }),
    ),
  ),

  'GET /turnstile': made(asVisitor, 'GET /turnstile'),
  'POST /add-message': made(asVisitor, 'POST /add-message', () => ({
    name: 'Ann',
    email: newEmail(),
    number: '1',
    subject: 'A question',
    message: 'What does it cost?',
  })),
  'GET /messages': made(asAdministrator, 'GET /messages'),
  'GET /message/:id': withId(asAdministrator, 'GET /message/:id', newMessageId),
  'PUT /message/:id': withId(asAdministrator, 'PUT /message/:id', newMessageId, { messageStatus: 'Read' }),
  'DELETE /message/:id': withId(asAdministrator, 'DELETE /message/:id', newMessageId),
  'DELETE /messages': async () => {
    const ids = [await newMessageId()];
    return () => administrator.delete(call('DELETE /messages'), { ids });
  },
  'GET /messages.csv': made(asAdministrator, 'GET /messages.csv'),
  'POST /add-subscriber': made(asVisitor, 'POST /add-subscriber', () => ({ subemail: newEmail() })),
  'POST /confirm-subscription': async () => {
    const subemail = newEmail();
    await visitor.post(call('POST /add-subscriber'), { subemail });
    const token = await mailedToken(system.url, subemail, '/confirm-subscription');
    return () => visitor.post(call('POST /confirm-subscription'), { token });
  },
  'GET /unsubscribe/:id': withId(asVisitor, 'GET /unsubscribe/:id', newSubscriberId),
  'POST /unsubscribe/:id': withId(asVisitor, 'POST /unsubscribe/:id', newSubscriberId),
  'GET /customers': made(asAdministrator, 'GET /customers'),
  'GET /customer/:id': withId(asAdministrator, 'GET /customer/:id', newCustomerId),
  'GET /customer/:id/notes': withId(asAdministrator, 'GET /customer/:id/notes', newCustomerId),
  'POST /customer/:id/notes': withId(asAdministrator, 'POST /customer/:id/notes', newCustomerId, {
    text: 'Calls back on Friday',
  }),
  'DELETE /customer-note/:id': withId(asAdministrator, 'DELETE /customer-note/:id', async () => {
    const address = call('POST /customer/:id/notes', await newCustomerId());
    return ((await administrator.post(address, { text: 'Old' })).json as { _id: string })._id;
  }),
  'GET /waiting': made(asAdministrator, 'GET /waiting'),
  'GET /search': async () => {
    await newOrder();
    return () => administrator.get(`${call('GET /search')}?q=Ada`);
  },
  'GET /subscribers': made(asAdministrator, 'GET /subscribers'),
  'DELETE /subscriber/:id': withId(asAdministrator, 'DELETE /subscriber/:id', newSubscriberId),
  'GET /subscribers.csv': made(asAdministrator, 'GET /subscribers.csv'),

  'GET /publication': made(asAdministrator, 'GET /publication'),
  'GET /publications': made(asAdministrator, 'GET /publications'),
  'GET /history/:id': withId(asAdministrator, 'GET /history/:id', bannerId),
  'GET /removed-records': made(asAdministrator, 'GET /removed-records'),
  'GET /publications/:revision/go-back': withId(asAdministrator, 'GET /publications/:revision/go-back', () =>
    Promise.resolve('1'),
  ),
  'POST /history/:id/restore': withId(asAdministrator, 'POST /history/:id/restore', bannerId, { version: 1 }),
  'POST /publications/:revision/go-back': withId(
    asAdministrator,
    'POST /publications/:revision/go-back',
    () => Promise.resolve('1'),
  ),

  'GET /content': made(asAdministrator, 'GET /content'),
  'GET /drafts': made(asAdministrator, 'GET /drafts'),
  'GET /drafts/marks': made(asAdministrator, 'GET /drafts/marks'),
  'PUT /drafts': made(asAdministrator, 'PUT /drafts', { section, values: {} }),
  'DELETE /drafts': made(asAdministrator, 'DELETE /drafts', { section }),
  'GET /releases': made(asAdministrator, 'GET /releases'),
  'POST /releases': made(asAdministrator, 'POST /releases', { title: 'A release' }),
  'GET /release/:id': withId(asAdministrator, 'GET /release/:id', newReleaseId),
  'PUT /release/:id': withId(asAdministrator, 'PUT /release/:id', newReleaseId, { title: 'Another title' }),
  'DELETE /release/:id': withId(asAdministrator, 'DELETE /release/:id', newReleaseId),
  'POST /release/:id/changes': withId(asAdministrator, 'POST /release/:id/changes', newReleaseId, () => ({
    section,
    action: 'add',
    values: sampleOf(sectionNamed(section)),
  })),
  'DELETE /release/:id/changes/:change': async () => {
    const id = await newReleaseId();
    const { changes } = await readRelease(administrator, id);
    const address = addressOf('DELETE /release/:id/changes/:change', [id, changes[0]?._id ?? '']);
    return () => administrator.delete(address);
  },
  'POST /release/:id/publish': withId(asAdministrator, 'POST /release/:id/publish', newReleaseId),
  'POST /release/:id/preview-link': withId(asAdministrator, 'POST /release/:id/preview-link', newReleaseId),
  'DELETE /release/:id/preview-link': withId(
    asAdministrator,
    'DELETE /release/:id/preview-link',
    newReleaseId,
  ),
  'PUT /release/:id/schedule': withId(asAdministrator, 'PUT /release/:id/schedule', newReleaseId, {
    at: '2099-01-01T09:00:00Z',
  }),

  'DELETE /stripe-key/:id': withId(
    asAdministrator,
    'DELETE /stripe-key/:id',
    async () => (await firstRecord(visitor, '/stripe-keys'))._id,
  ),
  'POST /add-stripe-key': made(asAdministrator, 'POST /add-stripe-key', { stripeKey: 'pk_test_anew' }),
};

/** What is asked beside the answer of one call alone. */
const alsoBeside: Readonly<Record<string, readonly RegExp[]>> = {
  // Whether there is such an account shows in no answer's time.
  'POST /auth/reset': [/from "accounts"/],
};

/**
 * Google is another service, and what a sign-in by it asks the database depends on whom it meets; a picture waits for
 * the bucket and for its smaller copies, and is then a save.
 */
const unmeasured: readonly CallName[] = ['GET /auth/google', 'GET /auth/google/callback', 'POST /media'];

const verbRows: Readonly<Record<SectionVerb, string>> = {
  list: "a section's records",
  read: 'one record of a section',
  add: 'adding a record',
  update: 'saving a record',
  remove: 'removing a record',
  reorder: 'reordering a section',
};

const isSectionCall = new Set<CallName>(sectionNames.flatMap((name) => Object.values(sectionCalls(name))));

test('The table has every call', () => {
  const names = allCalls.map(({ name }) => name).filter((name) => !isSectionCall.has(name));
  expect(Object.keys(callRows).toSorted(), 'Make the call in this file too.').toEqual(
    names.filter((name) => !unmeasured.includes(name)).toSorted(),
  );
  expect([...table.keys()].filter((row) => row.includes(' /')).toSorted()).toEqual(
    Object.keys(callRows).toSorted(),
  );
});

test.each(Object.entries(verbRows))('A section: %s costs the round trips of the table', async (verb, row) => {
  const make = await sectionRows[verb as SectionVerb]();
  await expectTrips(row, make);
});

test.each(Object.entries(callRows))('%s costs the round trips of the table', async (name, prepare) => {
  const make = (await prepare?.()) ?? (() => Promise.reject(new Error('There is no such call.')));
  await expectTrips(name, make, { alsoBeside: alsoBeside[name] ?? [] });
});

const pageRows: Readonly<Record<Screen['kind'], string>> = {
  content: 'content page',
  frame: 'sign-in page, or another rendered to a request',
  checkout: 'page of an order that is placed or cancelled',
  pay: 'payment page',
  customer: "customer's page",
  admin: "administrator's page",
  preview: 'preview of the editor',
};

test.each(allScreens.map(({ pattern }) => pattern))(
  '%s costs the round trips of its kind',
  async (pattern) => {
    const screen = allScreens.find((one) => one.pattern === pattern);
    const { who = 'anyone', kind = 'content' } = screen ?? {};
    const isAdministrators = kind === 'admin' || kind === 'preview';
    const reader = isAdministrators ? administrator : who === 'anyone' ? visitor : customer;
    const make = () => reader.get(fillPath(pattern, newId()));
    await expectTrips(pageRows[kind], make, { isPage: true });
  },
);

describe('Somebody whom an isolate remembers', () => {
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

  test('Who has signed out elsewhere reads nothing and saves nothing', async () => {
    const member = await remembered((db, id) => db.delete(sessions).where(eq(sessions.accountId, id)));
    expect(await trySaving(member)).toEqual({ status: 401, writes: [] });

    const reader = await remembered((db, id) => db.delete(sessions).where(eq(sessions.accountId, id)));
    const answer = await reader.get(call('GET /messages'));
    expect(answer.status).toBe(401);
    expect(answer.headers.get(totalCountHeader)).toBeNull();
  });

  test('Who is no administrator any more saves nothing, and reads what is their own', async () => {
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
