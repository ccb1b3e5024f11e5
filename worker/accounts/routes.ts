/** The calls about accounts. */
import type { Context, Hono } from 'hono';
import {
  type Account,
  changePasswordBody,
  confirmResetBody,
  deleteAccountBody,
  loginBody,
  registerBody,
  requestResetBody,
  safeNext,
  type SessionAnswer,
  type SignedIn,
  signInTexts,
  verifyBody,
} from '../contract/accounts.ts';
import { type Call, calls } from '../contract/calls.ts';
import type { AppEnv } from '../http/app.ts';
import { isFormPost, readBody } from '../http/body.ts';
import { signInFirst } from '../http/errors.ts';
import { mount } from '../http/mount.ts';
import { redirectWithin } from '../http/redirect.ts';
import { answerForm, leaveNotice } from './forms.ts';
import { finishGoogle, startGoogle } from './google.ts';
import { deleteAccount, exportAccount } from './personal-data.ts';
import {
  changePassword,
  confirmReset,
  registerAccount,
  requestReset,
  resendVerification,
  signIn,
  verifyEmail,
} from './service.ts';
import {
  describeAccount,
  endAllSessions,
  endSession,
  listSessions,
  type SignInAccount,
  startSession,
} from './session.ts';
import { isSetupNeeded } from './setup.ts';
import { syncToken } from './token-sync.ts';

const sessionAnswer = (account: SignedIn | undefined): SessionAnswer => ({
  account: account ? describeAccount(account) : null,
});

/** Signs somebody in; a plain form goes on to a page, a script gets the account. */
async function answerSignedIn(
  c: Context<AppEnv>,
  account: SignInAccount,
  { next, status }: { next: string; status: 200 | 201 },
): Promise<Response> {
  await startSession(c, account);
  syncToken(c, 'POST', account);
  return isFormPost(c) ? redirectWithin(c, next) : c.json(sessionAnswer(account), status);
}

/** Answers a plain form with a page that says what was done, a script with a status alone. */
function answerDone(
  c: Context<AppEnv>,
  { page, text, status }: { page: string; text: string; status: 202 | 204 },
): Response {
  if (!isFormPost(c)) return c.body(null, status);
  leaveNotice(c, { page, kind: 'done', text });
  return redirectWithin(c, page);
}

/** Mounts a call that the guard opens only for somebody signed in. */
const mountOwn = (
  app: Hono<AppEnv>,
  call: Call,
  handler: (c: Context<AppEnv>, account: Account) => Response | Promise<Response>,
) =>
  mount(app, call, (c) => {
    if (!c.var.account) throw signInFirst();
    return handler(c, c.var.account);
  });

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
    const { account } = c.var;
    await endSession(c);
    if (account) syncToken(c, 'DELETE', account);
    return isFormPost(c) ? redirectWithin(c, '/') : c.body(null, 204);
  });

  mount(app, calls.verifyEmail, (c) =>
    answerForm(c, { page: '/verify-email', keep: ['token'] }, verifyBody, async (body) => {
      const account = await verifyEmail(c, body);
      if (c.var.account?.id !== account.id)
        return answerSignedIn(c, account, { next: '/dashboard', status: 200 });
      return isFormPost(c) ? redirectWithin(c, '/dashboard') : c.json(sessionAnswer(account));
    }),
  );

  mountOwn(app, calls.resendVerification, async (c, account) => {
    await resendVerification(c, account);
    return c.body(null, 202);
  });

  mount(app, calls.requestReset, (c) =>
    answerForm(c, { page: '/reset' }, requestResetBody, async ({ email }) => {
      await requestReset(c, email);
      return answerDone(c, { page: '/reset', text: signInTexts.resetSent, status: 202 });
    }),
  );

  mount(app, calls.confirmReset, (c) =>
    answerForm(c, { page: '/reset-password', keep: ['token'] }, confirmResetBody, async (body) => {
      await confirmReset(c, body);
      return answerDone(c, { page: '/login', text: signInTexts.passwordChanged, status: 204 });
    }),
  );

  mountOwn(app, calls.changePassword, async (c, account) => {
    await startSession(c, await changePassword(c, account, await readBody(c, changePasswordBody)));
    return c.body(null, 204);
  });

  mountOwn(app, calls.listSessions, async (c, account) => c.json(await listSessions(c.var.db, account)));

  mountOwn(app, calls.endSessions, async (c, account) => {
    await endAllSessions(c, account);
    syncToken(c, 'DELETE', account);
    return c.body(null, 204);
  });

  mount(app, calls.google, startGoogle);
  mount(app, calls.googleCallback, finishGoogle);

  mountOwn(app, calls.exportAccount, async (c, account) => {
    c.header('Content-Disposition', 'attachment; filename="my-data.json"');
    return c.json(await exportAccount(c.var.db, account));
  });

  mountOwn(app, calls.deleteAccount, async (c, account) => {
    await deleteAccount(c, account, await readBody(c, deleteAccountBody));
    await endSession(c);
    syncToken(c, 'DELETE', account);
    return c.body(null, 204);
  });

  mount(app, calls.setupState, async (c) => c.json({ needed: await isSetupNeeded(c.var.db) }));
}
