/** Orders and messages that began before their account changed its email or was deleted. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { accounts, accountTokens } from '#worker/accounts/schema.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { hashSecret } from '#worker/http/secrets.ts';
import { draftMessage, receiveMessage } from '#worker/inbox/messages.ts';
import { messages } from '#worker/inbox/schema.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { orders } from '#worker/orders/schema.ts';
import { openAccountsApp, type AccountsApp } from './accounts-app.ts';
import { customer, input } from './orders-shop.ts';

let app: AccountsApp;
beforeAll(async () => {
  app = await openAccountsApp();
  const { packageName, packagePrice } = input;
  await app.db.insert(contentTables.pricingPackage).values({ _id: newId(), packageName, packagePrice });
});
afterAll(() => app.close());

/** Signs a customer up, as requests see the account that are already running. */
async function signUp(name: string) {
  const [email, newEmail, password] = [`${name}@example.com`, `${name}@moved.example`, 'violet-harbor-91'];
  const browser = app.openBrowser();
  const answer = await browser.send('POST', '/api/auth/register', { json: { email, password } });
  expect(answer.status).toBe(201);
  await app.settle();
  const isTheirs = eq(accounts.email, email);
  const [stored] = await app.db.update(accounts).set({ emailVerifiedAt: 1 }).where(isTheirs).returning();
  const account: Account = { ...customer, id: stored?.id ?? '', email };
  return {
    account,
    newEmail,
    placeOrder: () => {
      const order = { ...input, customerEmail: email, customerName: name };
      return placeOrder({ db: app.db, env: app.env, account }, order, undefined);
    },
    moveEmail: async () => {
      const token = `a-link-to-${newEmail}`;
      const row = { id: hashSecret(token), purpose: 'email', newEmail, accountId: account.id } as const;
      await app.db.insert(accountTokens).values({ ...row, expiresAt: Date.now() + 3_600_000 });
      expect((await browser.send('POST', '/api/auth/verify', { json: { token } })).status).toBe(200);
    },
    leave: async () => {
      expect((await browser.send('DELETE', '/api/auth/account')).status).toBe(204);
    },
  };
}

test('A message is refused if its account changes its email or is deleted meanwhile', async () => {
  const { account, newEmail, moveEmail, leave } = await signUp('writer');
  const write = (email: string) => {
    const typed = {
      name: 'Ann',
      number: '1',
      subject: 'Hello',
      message: 'Hello',
      email: email.toUpperCase(),
    };
    return receiveMessage(app.db, app.env, draftMessage(typed), { ...account, email });
  };
  const count = () => app.db.$count(messages, eq(messages.subject, 'Hello'));
  await write(account.email);
  expect(await count()).toBe(1);
  await moveEmail();
  await expect(write(account.email)).rejects.toMatchObject({ status: 409 });
  await write(newEmail);
  expect(await count()).toBe(2);
  await leave();
  await expect(write(newEmail)).rejects.toMatchObject({ status: 409 });
  expect(await count()).toBe(0);
});

test('An order gets the current email of an account that changes its email meanwhile', async () => {
  const { newEmail, moveEmail, placeOrder: place } = await signUp('mover');
  await moveEmail();
  const { _id } = await place();
  const stored = await app.db.select().from(orders).where(eq(orders._id, _id)).get();
  expect(stored?.customerEmail).toBe(newEmail);
});

test('An order is refused if its account is deleted meanwhile', async () => {
  const { leave, placeOrder: place } = await signUp('leaver');
  await place();
  await leave();
  await expect(place()).rejects.toThrow();
  expect(await app.db.$count(orders, eq(orders.customerName, 'leaver'))).toBe(0);
});
