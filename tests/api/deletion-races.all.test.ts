/** Deletion of an account while other requests of its owner run: none of them leaves anything behind. */
import type * as Crypto from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { and, eq, gte, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { startStripeEmulator, type StripeEmulator } from '#dev/stripe/server.ts';
import { accounts, accountTokens } from '#worker/accounts/schema.ts';
import { newId } from '#contract/ids.ts';
import type { NewOrder } from '#contract/orders.ts';
import { mountConversations } from '#worker/conversations/routes.ts';
import { sweepFiles } from '#worker/conversations/sweep.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { hashSecret } from '#worker/http/secrets.ts';
import { mountInbox } from '#worker/inbox/routes.ts';
import { messages } from '#worker/inbox/schema.ts';
import { mountOrders } from '#worker/orders/routes.ts';
import { orders } from '#worker/orders/schema.ts';
import { openPaymentContext } from '#worker/payments/context.ts';
import { mountPayments } from '#worker/payments/routes.ts';
import { tendUnpaidOrders } from '#worker/payments/unpaid.ts';
import { mountWork } from '#worker/work/routes.ts';
import { openBucket } from '../support/bucket.ts';
import { fullSize } from '../support/limits.ts';
import { findTraces } from '../support/traces.ts';
import { type AccountsApp, openAccountsApp } from './accounts-app.ts';

// A cheap hash: these tests race many requests.
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof Crypto>();
  const scryptSync: typeof crypto.scryptSync = (password, salt, length) =>
    crypto.scryptSync(password, salt, length, { N: 2, r: 1, p: 1 });
  return { ...crypto, scryptSync };
});

const password = 'violet-harbor-91';
const questionId = newId();
const rounds = fullSize ? 50 : 6;
/** Windows that place orders while the account is deleted. */
const buyers = fullSize ? 25 : 3;

const limits = [
  'INTENTS_ADDRESS',
  'INTENTS_ORDER',
  'CONVERSATION_MESSAGES',
  'CONVERSATION_FILES',
  'INBOX_ADDRESS',
];
const accountLimits = [
  'SIGN_IN_ACCOUNT',
  'SIGN_IN_ADDRESS',
  'SIGN_UP_ADDRESS',
  'MAIL_ACCOUNT',
  'RESET_ADDRESS',
];
const wideLimits = Object.fromEntries(
  [...limits, ...accountLimits, 'UNPAID_ORDERS', 'ORDERS_ACCOUNT'].map((name) => [`LIMIT_${name}`, '100000']),
);

let app: AccountsApp;
let stripe: StripeEmulator;
let bucket: Awaited<ReturnType<typeof openBucket>>;
beforeAll(async () => {
  bucket = await openBucket();
  stripe = await startStripeEmulator({
    secretKey: 'sk_test_races',
    publishableKey: 'pk_test_races',
    webhookSecret: 'whsec_races',
    processingMs: null,
  });
  app = await openAccountsApp(
    {
      FILES: bucket.files,
      STRIPE_SECRET_KEY: 'sk_test_races',
      STRIPE_WEBHOOK_SECRET: 'whsec_races',
      STRIPE_API_URL: `http://127.0.0.1:${stripe.port}`,
      ...wideLimits,
    },
    (api) => {
      mountOrders(api);
      mountPayments(api);
      mountConversations(api);
      mountWork(api);
      mountInbox(api, () => Promise.resolve(new Response('')));
    },
  );
  await app.db
    .insert(contentTables.pricingPackage)
    .values({ _id: newId(), packageName: 'Basic', packagePrice: '499' });
  await app.db
    .insert(contentTables.briefQuestion)
    .values({ _id: questionId, question: 'Who are your clients?', kind: 'text', required: 'no' });
});
afterAll(async () => {
  await app.close();
  await stripe.close();
  await bucket.close();
});

/** A new customer, and what they do from several windows at once. */
async function arrive(round: number) {
  const email = `racer${round}@example.com`;
  const browser = app.openBrowser();
  const up = await browser.send('POST', '/api/auth/register', { json: { email, password } });
  expect(up.status).toBe(201);
  await app.settle();
  // Every second one has verified the email, so more is stored under it.
  if (round % 2 === 0)
    await app.db.update(accounts).set({ emailVerifiedAt: 1 }).where(eq(accounts.email, email));
  const [account] = await app.db.select().from(accounts).where(eq(accounts.email, email));
  const newEmail = `racer${round}@moved.example`;
  const token = `a-link-to-${newEmail}`;
  await app.db.insert(accountTokens).values({
    ...({ id: hashSecret(token), purpose: 'email', newEmail } as const),
    ...{ accountId: account?.id ?? '', expiresAt: Date.now() + 3_600_000 },
  });
  const order: NewOrder = {
    packageName: 'Basic',
    packagePrice: '499',
    customerEmail: email,
    customerName: 'Ann',
    customerAddress: '1 Street',
    customerCountry: 'France',
  };
  return {
    email,
    newEmail,
    order,
    id: account?.id ?? '',
    placeOrder: () => browser.send('POST', '/api/new-order', { json: order }),
    cancelOrder: (id: string) =>
      browser.send('PUT', `/api/order-cancelled/${id}`, { json: { paymentStatus: 'Cancelled' } }),
    pay: async (orderId: string) => {
      const answer = await browser.send('POST', '/api/create-payment-intent', {
        json: { amount: '499', orderId },
      });
      const { clientSecret } = z
        .object({ clientSecret: z.string().optional() })
        .parse(await answer.clone().json());
      const intent = clientSecret?.split('_secret')[0];
      // Every third customer pays.
      if (intent !== undefined && round % 3 === 1)
        await atStripe()
          .confirm(intent, { payment_method: 'pm_card_visa' })
          .catch(() => undefined);
      return answer;
    },
    write: (orderId: string) =>
      browser.send('POST', `/api/order/${orderId}/messages`, {
        json: { kind: 'message', text: `Yours, ${email}`, files: [] },
      }),
    upload: (orderId: string) =>
      browser.send('POST', `/api/order/${orderId}/files?name=${email}.txt`, { bytes: `From ${email}` }),
    answerBrief: (orderId: string) =>
      browser.send('PUT', `/api/order/${orderId}/brief`, { json: { answers: { [questionId]: email } } }),
    writeToFirm: () =>
      browser.send('POST', '/api/add-message', {
        json: { name: 'Ann', email, number: '1', subject: `From ${email}`, message: `Yours, ${email}` },
      }),
    signIn: () => app.openBrowser().send('POST', '/api/auth/login', { json: { email, password } }),
    askForLink: () => browser.send('POST', '/api/auth/verify/resend'),
    askForReset: () => app.openBrowser().send('POST', '/api/auth/reset', { json: { email } }),
    changePassword: () =>
      app.openBrowser().send('PUT', '/api/auth/password', {
        json: { currentPassword: password, newPassword: 'amber-window-37' },
        headers: { Cookie: Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ') },
      }),
    moveEmail: () => browser.send('POST', '/api/auth/verify', { json: { token } }),
    leave: () => browser.send('DELETE', '/api/auth/account'),
  };
}

const atStripe = () => openPaymentContext(app.env, () => undefined, app.db).stripe.paymentIntents;

test('A customer who acts while their account is deleted leaves nothing behind', async () => {
  const statuses = new Set<number>();
  const emails: string[] = [];
  const ids: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const person = await arrive(round);
    const first = z.object({ _id: z.string() }).parse(await (await person.placeOrder()).json());
    let isOver = false;
    let leftAt = Infinity;
    const leave = () => {
      leftAt = Date.now();
      return person.leave().finally(() => {
        isOver = true;
      });
    };
    const repeat = async (act: () => Promise<Response>) => {
      const answers: Response[] = [];
      while (!isOver) {
        answers.push(await act());
        // An answer without the database must not starve the others.
        await setImmediate();
      }
      return answers;
    };
    const answers = await Promise.all([
      leave().then((answer) => [answer]),
      ...Array.from({ length: buyers }, () => repeat(person.placeOrder)),
      repeat(person.signIn),
      repeat(person.askForLink),
      repeat(person.askForReset),
      repeat(() => (round % 3 === 2 ? person.cancelOrder(first._id) : person.pay(first._id))),
      repeat(() => person.write(first._id)),
      repeat(() => person.upload(first._id)),
      // A message from an unverified email belongs to nobody.
      ...(round % 2 === 0 ? [repeat(person.writeToFirm)] : []),
      repeat(() => person.answerBrief(first._id)),
      person.moveEmail().then((answer) => [answer]),
      ...(round % 3 === 0 ? [person.changePassword().then((answer) => [answer])] : []),
    ]);
    for (const { status } of answers.flat()) statuses.add(status);
    // A password change that comes first signs the session out, so the deletion is repeated.
    const [left] = await app.db.select().from(accounts).where(eq(accounts.id, person.id));
    if (left) {
      const browser = app.openBrowser();
      const typed = answers.at(-1)?.[0]?.status === 204 ? 'amber-window-37' : password;
      const json = { email: left.email, password: typed };
      expect((await browser.send('POST', '/api/auth/login', { json })).status).toBe(200);
      const gone = await browser.send('DELETE', '/api/auth/account');
      expect(gone.status).toBe(204);
    }
    await app.settle();
    // Messages after the deletion are from a visitor.
    await app.db
      .delete(messages)
      .where(and(gte(messages.receivedAt, leftAt), inArray(messages.email, [person.email, person.newEmail])));
    emails.push(person.email, person.newEmail);
    ids.push(person.id);
  }
  // The sweep removes interrupted uploads, and the cron cancels orders that came in between.
  await sweepFiles(app.env, app.db, () => undefined, Date.now() + 2 * 3_600_000);
  for (let run = 0; run * 25 < rounds * 20; run += 1)
    await tendUnpaidOrders(
      openPaymentContext(app.env, () => undefined, app.db),
      Date.now(),
    );
  expect(await findTraces(app.db, app.env, emails)).toEqual([]);
  // The audit log and the tombstones keep account ids.
  const placesOfIds = await findTraces(app.db, app.env, ids);
  expect(placesOfIds.filter((name) => !/^(audit_events$|tombstones\/)/.test(name))).toEqual([]);
  expect(await app.db.$count(orders, eq(orders.paymentStatus, 'UnPaid'))).toBe(0);
  // In the full size some requests time out.
  expect([...statuses].filter((status) => status >= 500 && !(fullSize && status === 503))).toEqual([]);
  expect(await app.db.$count(orders, eq(orders.customerName, 'Ann'))).toBe(0);
});
