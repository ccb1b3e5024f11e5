import { afterAll, beforeAll, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { accounts } from '#worker/accounts/schema.ts';
import { type AccountsApp, openAccountsApp } from './accounts-app.ts';

const setupToken = 'the-token-of-the-first-run';
const password = 'a-password-of-an-owner';
let app: AccountsApp;
beforeAll(async () => {
  app = await openAccountsApp({ SETUP_TOKEN: setupToken });
});
afterAll(() => app.close());

test('An invitation ends when its record gets the email of somebody who has an account', async () => {
  const administrator = app.openBrowser();
  await administrator.send('POST', '/api/add-user', {
    json: { userEmail: 'owner@example.com', setupToken, password },
  });
  const added = await administrator.send('POST', '/api/add-user', {
    json: { userEmail: 'wrong@example.com', userRole: 'User' },
  });
  const { _id } = await added.json<{ readonly _id: string }>();
  await app.settle();
  const [token = ''] = app.mails.flatMap(({ text }) => /\/invitation\?token=([\w-]+)/.exec(text)?.[1] ?? []);
  await app
    .openBrowser()
    .send('POST', '/api/auth/register', { json: { email: 'ann@example.com', password } });
  const isAnn = eq(accounts.email, 'ann@example.com');
  await app.db.update(accounts).set({ emailVerifiedAt: 1 }).where(isAnn);
  await administrator.send('PUT', `/api/upadete-users/${_id}`, { json: { userEmail: 'ann@example.com' } });
  // The reader of the first mail must not become Ann once her account is gone.
  await app.db.delete(accounts).where(isAnn);
  const answer = await app.openBrowser().send('POST', '/api/auth/invitation', { json: { token, password } });
  expect(answer.status).toBe(422);
  expect(await app.db.$count(accounts, isAnn)).toBe(0);
});
