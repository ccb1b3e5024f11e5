/** The calls about accounts. */
import type { Context, Hono } from 'hono';
import {
  type Account,
  type AccountOutside,
  type Member,
  safeNext,
  type SessionAnswer,
  signInTexts,
} from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import { accountCalls, newMember } from '#contract/calls/accounts.ts';
import { linkTo } from '#contract/screens.ts';
import type { AppEnv } from '../http/app.ts';
import { check, isFormPost } from '../http/body.ts';
import { mount } from '../http/mount.ts';
import { redirectWithin } from '../http/redirect.ts';
import { deliverSoon } from '../mail/outbox.ts';
import { etagOf } from '../http/versions.ts';
import { noteAudit } from './audit.ts';
import { answerDone, backToForm } from './forms.ts';
import { acceptInvitation } from './invitations.ts';
import { finishGoogle, readGoogleLink, startGoogle, undoGoogleLink } from './google.ts';
import { deleteAccount, exportAccount, type OnVerified, type PersonalRecords } from './personal-data.ts';
import {
  changePassword,
  confirmOwnPassword,
  confirmReset,
  registerAccount,
  requestReset,
  resendVerification,
  signIn,
  verifyEmail,
} from './service.ts';
import {
  confirmSession,
  describeAccount,
  endOneSession,
  endAllSessions,
  endSession,
  listSessions,
  type SignInAccount,
  startSession,
} from './session.ts';
import {
  addFirstAdministrator,
  addMember,
  findMember,
  listMembers,
  type MemberContext,
  removeMember,
  reorderMembers,
  toMember,
  updateMember,
} from './members.ts';
import { readProfile, updateProfile } from './profile.ts';
import { requestEmail } from './change-email.ts';
import { checkSetupToken, firstRunGate, isSetupNeeded } from './setup.ts';
import { syncToken } from './token-sync.ts';

const sessionAnswer = (account: AccountOutside | undefined): SessionAnswer => ({
  account: account ? describeAccount(account) : null,
});

/** Signs somebody in; a plain form goes on to a page, a script gets the account. */
async function answerSignedIn(
  c: Context<AppEnv>,
  account: SignInAccount,
  next: string,
): Promise<Response | SessionAnswer> {
  await startSession(c, account);
  noteAudit(c, { action: 'signIn', accountId: account.id });
  syncToken(c, 'POST', account);
  return isFormPost(c) ? redirectWithin(c, next) : sessionAnswer(account);
}

/** Answers a record with its version. */
function answerMember(
  c: Context<AppEnv>,
  member: Parameters<typeof toMember>[0] & { version: number },
): Member {
  c.header('ETag', etagOf(member));
  return toMember(member);
}

const memberContext = (c: Context<AppEnv>, caller: Account): MemberContext => ({
  db: c.var.db,
  env: c.env,
  caller,
});

/** Answers a record whose owner is told of it by mail. */
function answerChanged(...[c, member]: Parameters<typeof answerMember>): Member {
  deliverSoon(c);
  return answerMember(c, member);
}

/** @param records what other features hold of a person */
export function mountAccounts(app: Hono<AppEnv>, records: readonly PersonalRecords[]): void {
  const claim: OnVerified = async (db, account) => {
    for (const part of records) await part.claim?.(db, account);
  };
  app.post('/add-user', firstRunGate);
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
        const account = await verifyEmail(c, body, records);
        await claim(c.var.db, account);
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
        await claim(c.var.db, await confirmReset(c, body));
        return answerDone(c, linkTo('login'), signInTexts.passwordChanged);
      },
    },

    'POST /auth/invitation': {
      refuse: backToForm({ page: linkTo('invitation'), keep: ['token'] }),
      handle: async ({ c, body }) => {
        const account = await acceptInvitation(c, body);
        await claim(c.var.db, account);
        return answerSignedIn(c, account, linkTo('dashboard'));
      },
    },

    'PUT /auth/password': async ({ c, account, body }) =>
      startSession(c, await changePassword(c, account, body)),

    'POST /auth/confirm': async ({ c, account, body: { password } }) => {
      await confirmOwnPassword(c, account, { password, field: 'password' });
      await confirmSession(c.var.db, account);
    },

    'GET /auth/profile': ({ c, account }) => readProfile(c.var.db, account),
    'PUT /auth/profile': ({ c, account, body }) => updateProfile(c.var.db, account, body),
    'PUT /auth/email': ({ c, account, body: { email } }) => requestEmail(c, account, email),
    'DELETE /auth/sessions/:id': ({ c, account, id }) => endOneSession(c.var.db, account, id),

    'GET /auth/sessions': ({ c, account }) => listSessions(c.var.db, account),

    'DELETE /auth/sessions': async ({ c, account }) => {
      await endAllSessions(c, account);
      syncToken(c, 'DELETE', account);
    },

    'GET /auth/google/link': ({ c, account }) => readGoogleLink(c.var.db, account),
    'DELETE /auth/google/link': ({ c, account }) => undoGoogleLink(c.var.db, account),
    'GET /auth/google': ({ c }) => startGoogle(c),
    'GET /auth/google/callback': ({ c }) => finishGoogle(c, claim),

    'GET /auth/account': ({ c, account }) => {
      c.header('Content-Disposition', 'attachment; filename="my-data.json"');
      return exportAccount({ db: c.var.db, env: c.env }, account, records);
    },

    'DELETE /auth/account': async ({ c, account, body }) => {
      await deleteAccount(c, account, body, records);
      await endSession(c);
      syncToken(c, 'DELETE', account);
    },

    'GET /users': ({ c, account }) => listMembers(c.var.db, account),

    'GET /users/:id': async ({ c, account, id }) => answerMember(c, await findMember(c.var.db, account, id)),

    'POST /add-user': async ({ c, account, body }) => {
      if (account && may(account, 'administrator'))
        return answerChanged(c, await addMember(memberContext(c, account), check(newMember, body)));
      await checkSetupToken(c, body.setupToken);
      return answerMember(c, await addFirstAdministrator(c, body));
    },

    'PUT /upadete-users/:id': async ({ c, account, id, body: values }) => {
      const ifMatch = c.req.header('If-Match');
      return answerChanged(c, await updateMember(memberContext(c, account), id, { values, ifMatch }));
    },

    'DELETE /users/:id': async ({ c, account, id }) =>
      answerMember(c, await removeMember(c.var.db, account, id)),

    'PUT /users': async ({ c, account, body: { order } }) => {
      await reorderMembers(c.var.db, account, order);
      return listMembers(c.var.db, account);
    },

    'GET /setup': async ({ c }) => ({ needed: await isSetupNeeded(c.var.db) }),
  });
}
