/** The calls about accounts. */
import type { Context, Hono } from 'hono';
import { safeNext, type SessionAnswer, type SignedIn, signInTexts } from '../contract/accounts.ts';
import { accountCalls } from '../contract/calls/accounts.ts';
import { linkTo } from '../contract/screens.ts';
import type { AppEnv } from '../http/app.ts';
import { isFormPost } from '../http/body.ts';
import { mount } from '../http/mount.ts';
import { redirectWithin } from '../http/redirect.ts';
import { backToForm, leaveNotice } from './forms.ts';
import { finishGoogle, startGoogle } from './google.ts';
import { deleteAccount, exportAccount, type PersonalRecords } from './personal-data.ts';
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
  next: string,
): Promise<Response | SessionAnswer> {
  await startSession(c, account);
  syncToken(c, 'POST', account);
  return isFormPost(c) ? redirectWithin(c, next) : sessionAnswer(account);
}

/** Leads a plain form to a page that says what was done; a script gets a status alone. */
function answerDone(c: Context<AppEnv>, page: string, text: string): Response | undefined {
  if (!isFormPost(c)) return undefined;
  leaveNotice(c, { page, kind: 'done', text });
  return redirectWithin(c, page);
}

/** @param records what other features hold of a person */
export function mountAccounts(app: Hono<AppEnv>, records: readonly PersonalRecords[]): void {
  mount(app, accountCalls, {
    'GET /auth/session': ({ account }) => sessionAnswer(account),

    'POST /auth/register': {
      refuse: backToForm({ page: linkTo('register'), keep: ['next'] }),
      handle: async ({ c, body: { next, ...typed } }) =>
        answerSignedIn(c, await registerAccount(c, typed), safeNext(next) ?? linkTo('home')),
    },

    'POST /auth/login': {
      refuse: backToForm({ page: linkTo('login'), keep: ['next'] }),
      handle: async ({ c, body: { next, ...typed } }) =>
        answerSignedIn(c, await signIn(c, typed), safeNext(next) ?? linkTo('dashboard')),
    },

    'POST /auth/logout': async ({ c, account }) => {
      await endSession(c);
      if (account) syncToken(c, 'DELETE', account);
      return isFormPost(c) ? redirectWithin(c, linkTo('home')) : undefined;
    },

    'POST /auth/verify': {
      refuse: backToForm({ page: linkTo('verifyEmail'), keep: ['token'] }),
      handle: async ({ c, account: caller, body }) => {
        const account = await verifyEmail(c, body);
        if (caller?.id !== account.id) return answerSignedIn(c, account, linkTo('dashboard'));
        return isFormPost(c) ? redirectWithin(c, linkTo('dashboard')) : sessionAnswer(account);
      },
    },

    'POST /auth/verify/resend': ({ c, account }) => resendVerification(c, account),

    'POST /auth/reset': {
      refuse: backToForm({ page: linkTo('reset') }),
      handle: async ({ c, body: { email } }) => {
        await requestReset(c, email);
        return answerDone(c, linkTo('reset'), signInTexts.resetSent);
      },
    },

    'POST /auth/reset/confirm': {
      refuse: backToForm({ page: linkTo('resetPassword'), keep: ['token'] }),
      handle: async ({ c, body }) => {
        await confirmReset(c, body);
        return answerDone(c, linkTo('login'), signInTexts.passwordChanged);
      },
    },

    'PUT /auth/password': async ({ c, account, body }) =>
      startSession(c, await changePassword(c, account, body)),

    'GET /auth/sessions': ({ c, account }) => listSessions(c.var.db, account),

    'DELETE /auth/sessions': async ({ c, account }) => {
      await endAllSessions(c, account);
      syncToken(c, 'DELETE', account);
    },

    'GET /auth/google': ({ c }) => startGoogle(c),
    'GET /auth/google/callback': ({ c }) => finishGoogle(c),

    'GET /auth/account': ({ c, account }) => {
      c.header('Content-Disposition', 'attachment; filename="my-data.json"');
      return exportAccount(c.var.db, account, records);
    },

    'DELETE /auth/account': async ({ c, account, body }) => {
      await deleteAccount(c, account, body, records);
      await endSession(c);
      syncToken(c, 'DELETE', account);
    },

    'GET /setup': async ({ c }) => ({ needed: await isSetupNeeded(c.var.db) }),
  });
}
