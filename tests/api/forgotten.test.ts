/** Personal data: the export of all of it, and its deletion with the account. */
import { desc, eq, inArray, isNotNull } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { startStripeEmulator } from '#dev/stripe/server.ts';
import { newId } from '#contract/ids.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { accounts, accountTokens, users } from '#worker/accounts/schema.ts';
import { auditEvents } from '#worker/audit/schema.ts';
import { sweepAccounts } from '#worker/accounts/sweep.ts';
import { mountFulfillment } from '#worker/fulfillment/routes.ts';
import { mountNotes } from '#worker/customers/note-routes.ts';
import { mountCustomers } from '#worker/customers/routes.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { mountEditing } from '#worker/editing/routes.ts';
import { drafts } from '#worker/editing/schema.ts';
import { mountPublishing } from '#worker/publishing/routes.ts';
import { hashSecret } from '#worker/http/secrets.ts';
import { mountInbox } from '#worker/inbox/routes.ts';
import { messages } from '#worker/inbox/schema.ts';
import { mails } from '#worker/mail/schema.ts';
import { claimUnclaimedOrders } from '#worker/orders/personal-data.ts';
import { mountOrders } from '#worker/orders/routes.ts';
import { customers, orders } from '#worker/orders/schema.ts';
import { queueAlerts } from '#worker/attention/alerts.ts';
import { readAttention } from '#worker/attention/attention.ts';
import { openPaymentContext } from '#worker/payments/context.ts';
import { mountRefunds } from '#worker/payments/refund-routes.ts';
import { mountPayments } from '#worker/payments/routes.ts';
import { customerPassword } from '../support/accounts.ts';
import { openBucket } from '../support/bucket.ts';
import { fullSize } from '../support/limits.ts';
import { expectExported } from '../support/own-data.ts';
import { overtake } from '../support/overtake.ts';
import { sampleOf } from '../support/samples.ts';
import { findTraces } from '../support/traces.ts';
import type { Answer, Visitor } from '../support/visitor.ts';
import { openAccountsApp, signInNew } from './accounts-app.ts';

vi.mock('#site-renderer', () => ({
  buildId: 'this-build',
  unsafeLinkIn: () => Promise.resolve(undefined),
  renderPage: (path: string) => Promise.resolve(path),
}));

/** A word that is part of everything that she enters. */
const marker = 'zephyrine';

let isMailAway = false;
const questionId = newId();
const stripe = await startStripeEmulator({
  secretKey: 'sk_test_leaving',
  publishableKey: 'pk_test_leaving',
  webhookSecret: 'whsec_leaving',
  processingMs: null,
});
const app = await openAccountsApp(
  {
    FILES: await openBucket(),
    LIMIT_UNPAID_ORDERS: '100',
    LIMIT_ORDERS_ACCOUNT: '100',
    STRIPE_SECRET_KEY: 'sk_test_leaving',
    STRIPE_WEBHOOK_SECRET: 'whsec_leaving',
    STRIPE_API_URL: `http://127.0.0.1:${stripe.port}`,
    EMAIL: {
      send: () => (isMailAway ? Promise.reject(new Error('The service is down.')) : Promise.resolve()),
    },
  },
  (api) => {
    mountOrders(api);
    mountPayments(api);
    mountRefunds(api);
    mountFulfillment(api);
    mountCustomers(api);
    mountNotes(api);
    mountEditing(api);
    mountPublishing(api);
    mountInbox(api, () => Promise.resolve(new Response('')));
  },
);
await app.db
  .insert(contentTables.pricingPackage)
  .values({ _id: newId(), packageName: 'Basic', packagePrice: '499' });
await app.db.insert(contentTables.briefQuestion).values({
  _id: questionId,
  question: 'Who are your clients?',
  kind: 'text',
  required: 'no',
});
await app.db
  .insert(contentTables.planStep)
  .values({ _id: newId(), title: 'Audit', details: 'We read your site.', dueDays: '7', approval: 'yes' });
afterAll(async () => {
  await app.close();
  await stripe.close();
});
beforeEach(() => {
  isMailAway = false;
});

const withId = z.object({ _id: z.string() });
async function send(browser: Visitor, method: string, path: string, json?: unknown, status?: number) {
  const answer = await browser.send(method, `/api${path}`, json);
  if (status === undefined) expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
  else expect(answer.status, `${method} ${path}`).toBe(status);
  return answer;
}
const idOf = async (answer: Promise<Answer>) => withId.parse((await answer).json)._id;

const signUp = (email: string): Promise<Visitor> => signInNew(app, email);

async function signUpAs(email: string, userRole: 'Admin' | 'Editor' | 'Support'): Promise<Visitor> {
  const browser = await signUp(email);
  await app.db.insert(users).values({ _id: newId(), userEmail: email, userRole });
  return browser;
}

const typedFor = (customerEmail: string) => ({
  packageName: 'Basic',
  packagePrice: '499',
  customerEmail,
  customerName: `${marker} Quill`,
  customerAddress: `1 ${marker} Street`,
  customerCountry: 'France',
  customerCompany: `${marker} & Sons`,
});
const placeOrder = (browser: Visitor, email: string) =>
  idOf(
    send(browser, 'POST', '/new-order', {
      ...typedFor(email),
      source: { page: '/', referrer: '', utm_campaign: marker },
    }),
  );

const messageFrom = (email: string) => ({
  name: marker,
  email: email.toUpperCase(),
  number: '1',
  subject: `From ${marker}`,
  message: `Do you know ${marker}?`,
});

/**
 * Emails a person a link to change their email.
 * @returns a function that opens it
 */
async function linkTo(newEmail: string, browser: Visitor, email: string) {
  const account = await app.accountOf(email);
  const token = `a-link-to-${newEmail}`;
  const row = { id: hashSecret(token), purpose: 'email', newEmail, accountId: account.id } as const;
  await app.db.insert(accountTokens).values({ ...row, expiresAt: Date.now() + 60_000 });
  return () => send(browser, 'POST', '/auth/verify', { token }, 200);
}

/**
 * Opens the payment of an order.
 * @returns the id of its PaymentIntent
 */
async function openPayment(browser: Visitor, orderId: string): Promise<string> {
  const answer = await send(browser, 'POST', '/create-payment-intent', { amount: '499', orderId });
  const { clientSecret } = z.object({ clientSecret: z.string() }).parse(answer.json);
  return clientSecret.split('_secret')[0] ?? '';
}
const ask = (browser: Visitor, path: string, json: object) => browser.post(`/api${path}`, json);
const logIn = (email: string) => ask(app.openBrowser(), '/auth/login', { email, password: customerPassword });
const atStripe = () => openPaymentContext(app.env, () => undefined, app.db).stripe.paymentIntents;
const confirm = (intent: string, payment_method = 'pm_card_visa') =>
  atStripe().confirm(intent, { payment_method });

test('An export contains everything about a person, and nothing is left after they delete their account', async () => {
  const email = `${marker}@customers.example`;
  const staff = await signUpAs('staff@site.test', 'Admin');
  const ann = await signUp(email);
  // From here on, emails stay queued, including those to the business.
  isMailAway = true;
  await send(ann, 'PUT', '/auth/profile', {
    name: `${marker} Quill`,
    company: `${marker} & Sons`,
    phone: `+1 ${marker}`,
    website: `https://${marker}.example`,
  });
  const paid = await placeOrder(ann, email);
  await confirm(await openPayment(ann, paid));
  await send(ann, 'PUT', `/order/${paid}`, { paymentStatus: 'Paid' });
  await send(ann, 'PUT', `/order/${paid}/billing`, {
    customerTaxNumber: `${marker}-1`,
    receiptCopyEmail: `${marker}@books.example`,
  });
  await send(ann, 'PUT', `/order/${paid}/brief`, { answers: { [questionId]: `${marker}’s friends` } });
  const upload = (name: string) =>
    idOf(
      ann.post(`/api/order/${paid}/files?name=${name}`, `${marker} wrote this`, {
        headers: { 'Content-Type': 'application/octet-stream' },
      }),
    );
  const files = [await upload(`${marker}.txt`)];
  await send(ann, 'POST', `/order/${paid}/messages`, { kind: 'message', text: `Yours, ${marker}`, files });
  await upload(`${marker}-unsent.txt`);
  await send(staff, 'POST', `/order/${paid}/messages`, {
    kind: 'message',
    text: `Dear ${marker}`,
    files: [],
  });
  const account = await app.accountOf(email);
  await send(staff, 'POST', `/customer/${account.id}/notes`, { text: `${marker} calls on Fridays` });
  await send(staff, 'POST', `/order/${paid}/refunds`, { amount: '1', note: `Sorry, ${marker}` });
  await openPayment(ann, await placeOrder(ann, email));
  const details = { customerPhone: `+1 ${marker}`, note: `${marker} calls us` };
  await send(staff, 'POST', '/add-order', { ...typedFor(email), ...details });
  await send(ann, 'POST', '/add-message', messageFrom(email));
  await send(ann, 'POST', '/add-subscriber', { subemail: email });
  await send(staff, 'POST', '/add-user', { userEmail: email, userRole: 'Support' });
  await app.db.insert(drafts).values({
    accountId: account.id,
    section: 'banner',
    recordId: '',
    version: 1,
    values: { bannerHeading: marker },
    at: 1,
  });
  await send(ann, 'PUT', '/auth/email', { email: `${marker}@new.example` });
  await send(app.openBrowser(), 'POST', '/auth/reset', { email });
  await send(app.openBrowser(), 'POST', '/add-subscriber', { subemail: email });
  await app.settle();
  expect(await app.db.$count(mails)).toBeGreaterThan(2);
  // The business should learn that they are not sent, and that email is also queued.
  await app.db.update(mails).set({ tries: 3 });
  await queueAlerts(app.env, app.db);
  expect(await app.db.$count(mails, eq(mails.kind, 'alert'))).toBe(1);

  const exported = await send(ann, 'GET', '/auth/account');
  const told: unknown = exported.json;
  // `expectExported` finds every other value, wherever it is in the export.
  expect(told).toMatchObject({
    account: { signsInWithGoogle: false },
    staffNotes: expect.stringContaining('http://site.test/contact') as string,
    timelines: [{}, { events: [{ kind: 'placed', by: 'Customer' }, { kind: 'paymentStarted' }] }, {}],
    payments: [{ paidWith: 'Visa ending in 4242' }],
    refunds: [{ amount: '1' }],
    planSteps: [{ wantsApproval: true, files: [] }],
    briefs: [{ answers: [{ question: 'Who are your clients?', answer: `${marker}’s friends` }] }],
    subscription: 'Waiting',
    drafts: [{ values: { bannerHeading: marker } }],
    conversations: [{ files: [{ name: `${marker}.txt` }] }, { files: [] }],
    unsentFiles: [{ orderId: paid, name: `${marker}-unsent.txt` }],
  });
  await expectExported(app.db, JSON.stringify(told), { id: account.id, email });
  for (const note of ['calls on Fridays', 'calls us']) expect(JSON.stringify(told)).not.toContain(note);
  // The search covers the tables and the bucket.
  const before = await findTraces(app.db, app.env, [marker]);
  expect(before).toEqual(
    expect.arrayContaining([
      ...['accounts', 'orders', 'messages', 'mails', 'sealed mails', 'users', 'customer_search_data'],
    ]),
  );
  const toBusiness = isNotNull(mails.about);
  const kinds = (await app.db.select().from(mails).where(toBusiness)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['new-message', 'order-message-notice', 'order-paid-notice']);
  expect(before.some((place) => place.startsWith('orders/'))).toBe(true);

  await send(ann, 'DELETE', '/auth/account', undefined, 204);
  await app.settle();
  // The farewell email is queued. Everything else is gone, including the email to the business about her.
  expect(await app.db.$count(mails, toBusiness)).toBe(0);
  expect(
    (await app.db.select().from(mails)).filter(({ recipient }) => recipient.includes(marker)),
  ).toMatchObject([{ kind: 'account-deleted' }]);
  isMailAway = false;
  await app.db.delete(mails).where(eq(mails.kind, 'account-deleted'));
  expect(await findTraces(app.db, app.env, [marker, 'Quill'])).toEqual([]);

  const kept = await app.db.select().from(orders).orderBy(orders._id);
  expect(kept.map(({ packagePrice }) => packagePrice)).toEqual(['499', '499', '499']);
  const [{ number } = {}] = kept;
  expect((await readAttention(app.db, app.env)).rows).toMatchObject([
    {
      kind: 'customerDeleted',
      orderId: paid,
      text: expect.stringContaining(`#${number} (Basic, $498 paid) deleted their account`) as string,
    },
  ]);
  await send(staff, 'PUT', `/order-status/${paid}`, { orderStatus: 'Delivered' });
  expect((await readAttention(app.db, app.env)).rows).toEqual([]);
});

test('Nobody adds billing details to an order whose customer deleted their account', async () => {
  const staff = await signUpAs('billing@site.test', 'Admin');
  const email = 'billed@customers.example';
  const person = await signUp(email);
  const order = await placeOrder(person, email);
  await send(person, 'DELETE', '/auth/account', undefined, 204);
  await app.settle();
  const details = { receiptCopyEmail: 'books@billed.example' };
  await send(staff, 'PUT', `/order/${order}/billing`, details, 409);
  expect(await findTraces(app.db, app.env, ['billed'])).toEqual([]);
});

test('Notes about a customer without an account are deleted with the account that gets their order', async () => {
  const email = 'phones@customers.example';
  const staff = await signUpAs('takes-calls@site.test', 'Support');
  const order = await idOf(send(staff, 'POST', '/add-order', typedFor(email)));
  await send(staff, 'POST', `/customer/${order}/notes`, { text: 'Calls on Mondays' });
  const person = await signUp(email);
  await claimUnclaimedOrders(app.db);
  const account = await app.accountOf(email);
  const notes = await send(staff, 'GET', `/customer/${account.id}/notes`);
  expect(notes.json).toMatchObject([{ text: 'Calls on Mondays' }]);
  await send(person, 'DELETE', '/auth/account', undefined, 204);
  await app.settle();
  expect(await findTraces(app.db, app.env, ['Calls on Mondays'])).toEqual([]);
});

test('Content history names an editor by their current email until they delete their account', async () => {
  const staff = await signUpAs('colleague@site.test', 'Admin');
  const editor = await signUpAs('leaving@site.test', 'Editor');
  const step = sampleOf(sectionNamed('planStep'));
  const _id = await idOf(send(editor, 'POST', '/add-plan-step', step));
  await send(editor, 'PUT', `/plan-step/${_id}`, { title: 'Last report' });
  await send(editor, 'DELETE', `/plan-step/${_id}`);
  const read = async (path: string): Promise<unknown> => (await send(staff, 'GET', path)).json;
  /** Who saved, in every place that shows it. */
  const told = async () => {
    const paths = ['/publications', `/history/${_id}`, '/removed-records'];
    const lists = await Promise.all(paths.map(read));
    const by = z.array(z.object({ by: z.string().nullable() }));
    const { publishedBy } = z.object({ publishedBy: z.string() }).parse(await read('/publication'));
    return [publishedBy, ...lists.flatMap((list) => by.parse(list).map((entry) => entry.by))];
  };
  expect(await told()).toEqual(Array.from({ length: 8 }, () => 'leaving@site.test'));
  await send(editor, 'DELETE', '/auth/account', undefined, 204);
  await app.settle();
  expect(await findTraces(app.db, app.env, ['leaving@'])).toEqual([]);
  expect(await told()).toEqual(Array.from({ length: 8 }, () => 'a deleted account'));
});

test('A message is refused, and an order gets the new email, if an account changes its email at the same time', async () => {
  const [first, second, third] = ['on@first.test', 'on@second.test', 'on@third.test'] as const;
  const person = await signUp(first);
  const written = await overtake(
    () => ask(person, '/add-message', messageFrom(first)),
    'insert into \\"messages\\"',
    await linkTo(second, person, first),
  );
  expect(written.status).toBe(409);
  await send(person, 'POST', '/add-message', messageFrom(second));
  const isEither = inArray(messages.email, [first, second]);
  expect(await app.db.select().from(messages).where(isEither)).toMatchObject([{ email: second }]);
  const placed = await overtake(
    () => ask(person, '/new-order', typedFor(second)),
    'insert into \\"orders\\"',
    await linkTo(third, person, second),
  );
  expect(placed.status).toBe(201);
  const [order] = await app.db.select().from(orders).orderBy(desc(orders._id)).limit(1);
  expect(order?.customerEmail).toBe(third);
  const isTheirs = eq(customers._id, order?.accountId ?? '');
  const known = () => app.db.select({ email: customers.email }).from(customers).where(isTheirs);
  expect(await known()).toEqual([{ email: third }]);
  const goBack = await linkTo(second, person, third);
  await goBack();
  expect(await known()).toEqual([{ email: second }]);
});

test.each<[string, (person: Visitor, email: string, order: string) => Promise<Answer>, string]>([
  ['a log-in', (_, email) => logIn(email), 'sessions'],
  ['a new password', (_, email) => ask(app.openBrowser(), '/auth/reset', { email }), 'account_tokens'],
  [
    'a payment',
    (person, _, orderId) => ask(person, '/create-payment-intent', { amount: '499', orderId }),
    'payment_intents',
  ],
  [
    'a message on an order',
    (person, email, id) => ask(person, `/order/${id}/messages`, { kind: 'message', text: email, files: [] }),
    'conversation_messages',
  ],
  ['an order', (person, email) => ask(person, '/new-order', typedFor(email)), 'orders'],
  ['a note to the firm', (person, email) => ask(person, '/add-message', messageFrom(email)), 'messages'],
])('Nothing is left of %s that is in progress while its account is deleted', async (name, act, table) => {
  const email = `${name.replaceAll(' ', '-')}@overtaken.example`;
  const person = await signUp(email);
  const order = await placeOrder(person, email);
  const leave = () => person.delete('/api/auth/account');
  const begun = async () => {
    const answer = await act(person, email, order);
    await app.settle();
    return answer;
  };
  const { status } = await overtake(begun, `insert into \\"${table}\\"`, leave);
  expect(status).toBeLessThan(500);
  expect(await findTraces(app.db, app.env, [email])).toEqual([]);
});

/** Lets everything else that is ready run, a number of times. */
async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('Nothing is left of 25 orders that race the deletion of their account, wherever it falls among them', async () => {
  for (let round = 0; round < (fullSize ? 50 : 1); round += 1) {
    const email = `racing-${round}@overtaken.example`;
    const person = await signUp(email);
    const [left, ...placed] = await Promise.all([
      waitTurns(round % 25).then(() => person.delete('/api/auth/account')),
      ...Array.from({ length: 25 }, async (_, index) => {
        await waitTurns(index * 5);
        return ask(person, '/new-order', typedFor(email));
      }),
    ]);
    expect(left.status).toBe(204);
    expect(placed.every(({ status }) => status === 201 || status === 401 || status === 409)).toBe(true);
    await app.settle();
    expect(await findTraces(app.db, app.env, [email])).toEqual([]);
  }
});

test('An order that staff place while its customer deletes their account waits for the next owner of the email', async () => {
  const email = 'leaving@customers.example';
  const staff = await signUpAs('places-orders@site.test', 'Support');
  const person = await signUp(email);
  const placed = await overtake(
    () => ask(staff, '/add-order', typedFor(email)),
    'insert into \\"orders\\"',
    () => person.delete('/api/auth/account'),
  );
  expect(placed.status).toBe(201);
  const [order] = await app.db.select().from(orders).orderBy(desc(orders._id)).limit(1);
  expect(order).toMatchObject({ accountId: '', customerEmail: email });
});

test('An account cannot be deleted while the bank processes its payment; afterward, its unpaid orders are cancelled, delivered ones too', async () => {
  const email = 'paying@customers.example';
  const payer = await signUp(email);
  const place = () => placeOrder(payer, email);
  const [open, delivered, first, second] = [await place(), await place(), await place(), await place()];
  await app.db.update(orders).set({ orderStatus: 'Delivered' }).where(eq(orders._id, delivered));
  const others = await placeOrder(
    await signUp('pays-later@customers.example'),
    'pays-later@customers.example',
  );
  const opened = await openPayment(payer, open);
  const intentStatus = async () => (await atStripe().retrieve(opened)).status;
  const statusOf = async (order: string) =>
    (await app.db.select().from(orders).where(eq(orders._id, order)).get())?.paymentStatus;
  const intent = await openPayment(payer, first);
  const succeeded = await openPayment(payer, second);
  await confirm(intent, 'pm_card_processing');
  // Paid, but the site does not know it yet.
  await confirm(succeeded);
  const refused = await send(payer, 'DELETE', '/auth/account', undefined, 409);
  expect(refused.json).toMatchObject({ detail: expect.stringContaining('The bank') as string });
  await send(payer, 'GET', '/auth/profile');
  expect(await statusOf(open)).toBe('UnPaid');
  expect(await intentStatus()).toBe('requires_payment_method');
  stripe.controls.settlePayment({ paymentIntent: intent, isApproved: true });
  await send(payer, 'DELETE', '/auth/account', undefined, 204);
  await app.settle();
  expect(await findTraces(app.db, app.env, [email])).toEqual([]);
  expect(await intentStatus()).toBe('canceled');
  expect(await Promise.all([open, delivered, first, second, others].map(statusOf))).toEqual([
    'Cancelled',
    'Cancelled',
    'Paid',
    'Paid',
    'UnPaid',
  ]);
});

test('A stranger who signs up with an email and leaves does not delete the orders placed for it', async () => {
  const email = 'by-phone@customers.example';
  const administrator = await signUpAs('phone@site.test', 'Admin');
  const typed = typedFor(email);
  const order = await idOf(send(administrator, 'POST', '/add-order', typed));
  const stranger = await signInNew(app, email, false);
  await send(stranger, 'DELETE', '/auth/account', undefined, 204);
  expect(await app.db.select().from(orders).where(eq(orders._id, order)).get()).toMatchObject({
    paymentStatus: 'UnPaid',
    customerEmail: email,
    customerName: typed.customerName,
  });
});

test('A member’s record is deleted with their account, but the last administrator cannot leave, and a stranger cannot delete a record', async () => {
  await app.db.delete(users);
  const isRole = eq(auditEvents.action, 'role');
  const before = await app.db.$count(auditEvents, isRole);
  const only = await signUpAs('only@site.test', 'Admin');
  const unpaid = await placeOrder(only, 'only@site.test');
  await send(only, 'DELETE', '/auth/account', undefined, 409);
  expect((await app.db.select().from(orders).where(eq(orders._id, unpaid)).get())?.paymentStatus).toBe(
    'UnPaid',
  );
  // A person who signs up with an email in the list of users learns nothing about that, and deletes nothing from the
  // list.
  await app.db.insert(users).values({ _id: newId(), userEmail: 'invited@site.test', userRole: 'Admin' });
  const stranger = await signInNew(app, 'invited@site.test', false);
  await send(stranger, 'DELETE', '/auth/account', undefined, 204);
  expect(await app.db.$count(users)).toBe(2);
  await send(only, 'DELETE', '/auth/account', undefined, 409);

  const others = await Promise.all(
    ['one@site.test', 'two@site.test'].map((email) => signUpAs(email, 'Admin')),
  );
  const leave = async (browser: Visitor) => (await browser.delete('/api/auth/account')).status;
  expect((await Promise.all([only, ...others].map(leave))).toSorted()).toEqual([204, 204, 409]);
  expect(await app.db.$count(users)).toBe(2);
  expect(await app.db.$count(auditEvents, isRole)).toBe(before + 2);
});

test('An account whose email changes during its deletion is deleted completely, or kept completely for the last administrator', async () => {
  await app.db.delete(users);
  const [first, second, third] = ['turning@first.test', 'turning@second.test', 'turning@third.test'] as const;
  const admin = await signUpAs(first, 'Admin');
  /** Deletes the account, and opens the link to another email as soon as Stripe is asked to cancel a payment. */
  const leaveWhileMoving = async (
    from: string,
    newEmail: string,
    status: number,
    meanwhile: () => PromiseLike<unknown> = () => Promise.resolve(),
  ) => {
    await openPayment(admin, await placeOrder(admin, from));
    const move = await linkTo(newEmail, admin, from);
    const ask = globalThis.fetch;
    let moved: Promise<Answer> | undefined;
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      if (address.endsWith('/cancel')) {
        await (moved ??= move());
        await meanwhile();
      }
      return ask(input, init);
    });
    await send(admin, 'DELETE', '/auth/account', undefined, status).finally(() => spy.mockRestore());
    expect(moved).toBeDefined();
  };
  await signUpAs('going@first.test', 'Admin');
  await leaveWhileMoving(first, second, 409, () =>
    app.db.delete(users).where(eq(users.userEmail, 'going@first.test')),
  );
  expect((await app.db.select().from(users)).map(({ userEmail }) => userEmail)).toEqual([second]);
  expect(await app.db.$count(accounts, eq(accounts.email, second))).toBe(1);

  await signUpAs('staying@first.test', 'Admin');
  await leaveWhileMoving(second, third, 204);
  await app.settle();
  expect((await app.db.select().from(users)).map(({ userEmail }) => userEmail)).toEqual([
    'staying@first.test',
  ]);
  expect(await findTraces(app.db, app.env, ['turning@'])).toEqual([]);
});

test('A deletion that fails halfway at Stripe changes no order, and once it succeeds, it emails only a farewell', async () => {
  const email = 'halfway@customers.test';
  const leaving = await signUp(email);
  const ids = [await placeOrder(leaving, email), await placeOrder(leaving, email)];
  const intents = [await openPayment(leaving, ids[0] ?? ''), await openPayment(leaving, ids[1] ?? '')];
  await app.settle();
  const statuses = async () =>
    (await app.db.select().from(orders).where(inArray(orders._id, ids))).map((order) => order.paymentStatus);
  stripe.controls.planFault({
    kind: 'error-before',
    status: 500,
    count: 100,
    method: 'POST',
    path: `/v1/payment_intents/${intents[1] ?? ''}/cancel`,
  });
  isMailAway = true;
  await send(leaving, 'DELETE', '/auth/account', undefined, 503).finally(() => stripe.controls.clearFaults());
  expect((await atStripe().retrieve(intents[0] ?? '')).status).toBe('canceled');
  expect(await statuses()).toEqual(['UnPaid', 'UnPaid']);
  // A payment that was canceled at Stripe can start again.
  expect(await openPayment(leaving, ids[0] ?? '')).not.toBe(intents[0]);

  await send(leaving, 'DELETE', '/auth/account', undefined, 204);
  await app.settle();
  expect(await statuses()).toEqual(['Cancelled', 'Cancelled']);
  const waiting = await app.db.select().from(mails).where(eq(mails.recipient, email));
  expect(waiting.map(({ kind }) => kind)).toEqual(['account-deleted']);
  await app.db.delete(mails).where(eq(mails.recipient, email));
});

test('What is queued for a former or future email of an account is deleted with the account', async () => {
  const [first, second, third] = ['moving@first.test', 'moving@second.test', 'moving@third.test'] as const;
  const mover = await signUp(first);
  isMailAway = true;
  await send(app.openBrowser(), 'POST', '/add-subscriber', { subemail: first });
  await app.settle();
  const move = await linkTo(second, mover, first);
  await move();
  await send(mover, 'PUT', '/auth/email', { email: third });
  await app.settle();
  const waiting = async () =>
    (await app.db.select().from(mails))
      .filter(({ recipient }) => recipient.startsWith('moving@'))
      .map(({ kind, recipient }) => `${kind} ${recipient}`)
      .toSorted();
  expect(await waiting()).toEqual([
    `account-email ${third}`,
    `confirm-subscription ${first}`,
    `email-asked ${second}`,
    `email-changed ${first}`,
    `email-changed ${second}`,
  ]);
  // Its link expires before the email is sent.
  await app.db.delete(accountTokens);
  await send(mover, 'DELETE', '/auth/account', undefined, 204);
  await app.settle();
  expect(await waiting()).toEqual([`account-deleted ${second}`]);
  expect(await findTraces(app.db, app.env, ['moving@'])).toEqual(['mails']);

  // A person who signs up again with that email and leaves again gets one farewell email, which is tried for a day.
  const again = await signUp(second);
  await send(again, 'DELETE', '/auth/account', undefined, 204);
  await app.settle();
  expect(await waiting()).toEqual([`account-deleted ${second}`]);
  const dayMs = 86_400_000;
  const madeAt = (createdAt: number) =>
    app.db.update(mails).set({ createdAt }).where(eq(mails.kind, 'account-deleted'));
  await madeAt(Date.now() - 0.9 * dayMs);
  await sweepAccounts(app.env, () => undefined, [], app.db);
  expect(await waiting()).toHaveLength(1);
  await madeAt(Date.now() - 1.1 * dayMs);
  await sweepAccounts(app.env, () => undefined, [], app.db);
  expect(await findTraces(app.db, app.env, ['moving@'])).toEqual([]);
});
