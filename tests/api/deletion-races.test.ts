/** An account that is deleted while other requests of its owner are under way: nothing of them stays behind. */
import type * as Crypto from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { accounts } from '#worker/accounts/schema.ts';
import { newId } from '#contract/ids.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { mountOrders } from '#worker/orders/routes.ts';
import { orders } from '#worker/orders/schema.ts';
import { mountPayments } from '#worker/payments/routes.ts';
import { type AccountsApp, openAccountsApp } from './accounts-app.ts';

// Races, many times over; what a hash costs is left to the running Worker.
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof Crypto>();
  const scryptSync: typeof crypto.scryptSync = (password, salt, length) =>
    crypto.scryptSync(password, salt, length, { N: 2, r: 1, p: 1 });
  return { ...crypto, scryptSync };
});

const password = 'violet-harbor-91';
const rounds = 12;

let app: AccountsApp;
beforeAll(async () => {
  app = await openAccountsApp(
    {
      LIMIT_SIGN_UP_ADDRESS: '1000',
      LIMIT_MAIL_ACCOUNT: '1000',
      LIMIT_RESET_ADDRESS: '1000',
      LIMIT_UNPAID_ORDERS: '1000',
      LIMIT_ORDERS_ACCOUNT: '1000',
    },
    (api) => {
      mountOrders(api);
      mountPayments(api);
    },
  );
  await app.db
    .insert(contentTables.pricingPackage)
    .values({ _id: newId(), packageName: 'Basic', packagePrice: '499' });
});
afterAll(() => app.close());

/** Somebody who has just signed up, and what they may do at once from several windows. */
async function arrive(round: number) {
  const email = `racer${round}@example.com`;
  const browser = app.openBrowser();
  const up = await browser.send('POST', '/api/auth/register', { json: { email, password } });
  expect(up.status).toBe(201);
  await app.settle();
  const [account] = await app.db.select().from(accounts).where(eq(accounts.email, email));
  const order = {
    packageName: 'Basic',
    packagePrice: '499',
    customerEmail: email,
    customerName: 'Ann',
    customerAddress: '1 Street',
    customerCountry: 'France',
  };
  return {
    email,
    id: account?.id ?? '',
    placeOrder: () => browser.send('POST', '/api/new-order', { json: order }),
    cancelOrder: (id: string) =>
      browser.send('PUT', `/api/order-cancelled/${id}`, { json: { paymentStatus: 'Cancelled' } }),
    signIn: () => app.openBrowser().send('POST', '/api/auth/login', { json: { email, password } }),
    askForLink: () => browser.send('POST', '/api/auth/verify/resend'),
    askForReset: () => app.openBrowser().send('POST', '/api/auth/reset', { json: { email } }),
    changePassword: () =>
      app.openBrowser().send('PUT', '/api/auth/password', {
        json: { currentPassword: password, newPassword: 'amber-window-37' },
        headers: { Cookie: Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ') },
      }),
    leave: () => browser.send('DELETE', '/api/auth/account', { json: { password } }),
  };
}

/** The tables that hold one of these values, in any column. */
async function tablesWith(values: readonly string[]): Promise<string[]> {
  const tables = await app.db.all<{ name: string }>(sql`SELECT name FROM sqlite_master WHERE type = 'table'`);
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await app.db.$client.execute(`SELECT * FROM "${name}"`);
      const text = JSON.stringify(rows);
      return values.some((value) => text.includes(value)) ? [name] : [];
    }),
  );
  return found.flat();
}

test('When a customer acts while their account is deleted, nothing with their name stays', async () => {
  const statuses = new Set<number>();
  const emails: string[] = [];
  const ids: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const person = await arrive(round);
    const first = z.object({ _id: z.string() }).parse(await (await person.placeOrder()).json());
    let isOver = false;
    const leave = () =>
      person.leave().finally(() => {
        isOver = true;
      });
    const repeat = async (act: () => Promise<Response>) => {
      const answers: Response[] = [];
      while (!isOver) {
        answers.push(await act());
        // An answer that needs no database must not keep the others from theirs.
        await setImmediate();
      }
      return answers;
    };
    const answers = await Promise.all([
      leave().then((answer) => [answer]),
      repeat(person.placeOrder),
      repeat(person.placeOrder),
      repeat(person.placeOrder),
      repeat(person.signIn),
      repeat(person.askForLink),
      repeat(person.askForReset),
      repeat(() => person.cancelOrder(first._id)),
      ...(round % 3 === 0 ? [person.changePassword().then((answer) => [answer])] : []),
    ]);
    for (const { status } of answers.flat()) statuses.add(status);
    // A new password can come first and sign the deletion's session out; then it is still to be done.
    const [left] = await app.db.select().from(accounts).where(eq(accounts.id, person.id));
    if (left) {
      const browser = app.openBrowser();
      const typed = answers.at(-1)?.[0]?.status === 204 ? 'amber-window-37' : password;
      await browser.send('POST', '/api/auth/login', { json: { email: person.email, password: typed } });
      const gone = await browser.send('DELETE', '/api/auth/account', { json: { password: typed } });
      expect(gone.status).toBe(204);
    }
    await app.settle();
    emails.push(person.email);
    ids.push(person.id);
  }
  expect(await tablesWith(emails)).toEqual([]);
  // The audit log keeps by its id who did what.
  expect((await tablesWith(ids)).filter((name) => name !== 'audit_events')).toEqual([]);
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect(await app.db.$count(orders, eq(orders.customerName, 'Ann'))).toBe(0);
});
