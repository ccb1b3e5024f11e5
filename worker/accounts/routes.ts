/** The calls about accounts. */
import type { Context, Hono } from 'hono';
import { loginBody, registerBody, safeNext, type SessionAnswer } from '../contract/accounts.ts';
import { calls } from '../contract/calls.ts';
import type { AppEnv } from '../http/app.ts';
import { isFormPost } from '../http/body.ts';
import { mount } from '../http/mount.ts';
import { answerForm, sendOn } from './forms.ts';
import { registerAccount, signIn } from './service.ts';
import { describeAccount, endSession, type SignInAccount, startSession } from './session.ts';

const sessionAnswer = (account: Parameters<typeof describeAccount>[0] | undefined): SessionAnswer => ({
  account: account ? describeAccount(account) : null,
});

/** Signs somebody in; a plain form goes on to a page, a script gets the account. */
async function answerSignedIn(
  c: Context<AppEnv>,
  account: SignInAccount,
  { next, status }: { next: string; status: 200 | 201 },
): Promise<Response> {
  await startSession(c, account);
  return isFormPost(c) ? sendOn(c, next) : c.json(sessionAnswer(account), status);
}

export function mountAccounts(app: Hono<AppEnv>): void {
  mount(app, calls.session, (c) => c.json(sessionAnswer(c.var.account)));

  mount(app, calls.register, (c) =>
    answerForm(c, { page: '/register', keep: ['next'] }, registerBody, async ({ next, ...body }) =>
      answerSignedIn(c, await registerAccount(c, body), { next: safeNext(next) ?? '/', status: 201 }),
    ),
  );

  mount(app, calls.login, (c) =>
    answerForm(c, { page: '/login', keep: ['next'] }, loginBody, async ({ next, ...body }) =>
      answerSignedIn(c, await signIn(c, body), { next: safeNext(next) ?? '/dashboard', status: 200 }),
    ),
  );

  mount(app, calls.logout, async (c) => {
    await endSession(c);
    return isFormPost(c) ? sendOn(c, '/') : c.body(null, 204);
  });
}
