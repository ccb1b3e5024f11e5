import type { Context, Hono } from 'hono';
import { safeNext, signInTexts } from '#contract/account-rules.ts';
import type { SessionlessAccount } from '#contract/accounts.ts';
import { passwordTexts } from '#contract/password-rules.ts';
import type { Member } from '#contract/accounts.calls.ts';
import type { SessionAnswer } from '#contract/account-schemas.ts';
import { may } from '#contract/audience.ts';
import { accountCalls, newMember } from '#contract/accounts.calls.ts';
import { passkeyCalls } from '#contract/passkeys.calls.ts';
import { etagOf } from '#contract/etag.ts';
import { linkTo } from '#contract/screens.ts';
import type { Database } from '../db/client.ts';
import { callerOf, depsOf, type AppEnv } from '../http/app.ts';
import { check, isFormPost } from '../http/body.ts';
import { invalid } from '../http/errors.ts';
import { answerDone, redirectToForm, setNoticeCookie } from '../http/forms.ts';
import { hasConfirmed } from '../http/guard.ts';
import { mount } from '../http/mount.ts';
import { redirectWithin } from '../http/redirect.ts';
import { findRequestedEmail, requestEmail } from './change-email.ts';
import { findAccount, type SignInAccount } from './find-account.ts';
import { firstRunGate } from './first-run-gate.ts';
import { handleGoogleCallback, redirectToGoogle } from './google-routes.ts';
import { isGoogleEnabled, readGoogleLink, undoGoogleLink } from './google.ts';
import { confirmOwnPassword, signIn } from './guesses.ts';
import { acceptInvitation, generateInvitationOptions, listInvited } from './invitations.ts';
import {
  addMember,
  findMember,
  resendInvitation,
  listMembers,
  removeMember,
  reorderMembers,
  type StoredMember,
  toMember,
  updateMember,
} from './members.ts';
import { homeOf } from './pages.ts';
import {
  generateConfirmationOptions,
  generateSignInOptions,
  confirmByPasskey,
  signInByPasskey,
} from './passkey-sign-in.ts';
import {
  addPasskey,
  generateRegistrationOptions,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from './passkeys.ts';
import { changePassword, confirmReset, requestReset } from './password.ts';
import { deleteAccount, exportAccount, type OnVerified, type PersonalRecords } from './personal-data.ts';
import { readProfile, updateProfile } from './profile.ts';
import { replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import {
  clearCookies,
  deviceCookieOf,
  signOut,
  rememberDevice,
  type SignedInBy,
  signInTo,
  startSession,
} from './session-cookies.ts';
import { confirmSession, endAllSessions, endOwnSession, listSessions } from './sessions.ts';
import { addFirstAdministrator, checkSetupToken, isSetupNeeded } from './setup.ts';
import { registerAccount } from './sign-up.ts';
import { syncToken } from './token-sync.ts';
import { resendVerification, verifyEmail } from './verify-email.ts';

function sessionAnswer(account: SessionlessAccount | undefined): SessionAnswer {
  if (!account) return { account: null };
  const { email, emailVerified, role, lacks } = account;
  return { account: { email, emailVerified, isAdmin: role === 'Admin', role, lacks } };
}

/** Signs a person in. A plain form is redirected to a page; a script gets the account. */
async function answerSignedIn(
  c: Context<AppEnv>,
  account: SignInAccount,
  next: string | undefined,
  by?: SignedInBy,
): Promise<Response | SessionAnswer> {
  const signedIn = await signInTo(c, account, by);
  return isFormPost(c) ? redirectWithin(c, next ?? homeOf(account)) : sessionAnswer(signedIn);
}

function answerMember(c: Context<AppEnv>, member: StoredMember): Member {
  c.header('ETag', etagOf(member.version));
  return toMember(member);
}

/** @param records the other features' personal data */
export function mountAccounts(app: Hono<AppEnv>, records: readonly PersonalRecords[]): void {
  const claim: OnVerified = async (db, account) => {
    for (const part of records) await part.claim?.(db, account);
  };
  /**
   * Where the link that verifies an email continues to: the page that waits for its owner, or otherwise the page they
   * were going to.
   */
  const nextOf = async (db: Database, email: string, next?: string): Promise<string | undefined> => {
    for (const part of records) {
      const waiting = await part.awaits?.(db, email);
      if (waiting !== undefined) return waiting;
    }
    return next;
  };
  app.post('/add-user', firstRunGate);
  mount(app, accountCalls, {
    'GET /auth/session': ({ account }) => sessionAnswer(account),

    'POST /auth/register': {
      refuse: redirectToForm({ page: linkTo('register'), keep: ['next'] }),
      handle: async ({ c, body: { next: asked, ...typed } }) => {
        const next = safeNext(asked);
        const mailed = await nextOf(c.var.db, typed.email, next);
        const account = await registerAccount(depsOf(c), { ...typed, next: mailed });
        return answerSignedIn(c, account, next ?? linkTo('home'));
      },
    },

    'POST /auth/login': {
      refuse: redirectToForm({ page: linkTo('login'), keep: ['next'] }),
      handle: async ({ c, body: { next, ...typed } }) =>
        answerSignedIn(
          c,
          await signIn(depsOf(c), { ...typed, deviceCookie: deviceCookieOf(c) }),
          safeNext(next),
        ),
    },

    'POST /auth/logout': async ({ c, account }) => {
      await signOut(c);
      if (account) syncToken(depsOf(c), 'DELETE', account);
      return isFormPost(c) ? redirectWithin(c, linkTo('home')) : undefined;
    },

    'POST /auth/verify': {
      refuse: redirectToForm({ page: linkTo('verifyEmail'), keep: ['token', 'next'] }),
      handle: async ({ c, account: caller, body: { next: asked, ...typed } }) => {
        const account = await verifyEmail(depsOf(c), { ...typed, caller }, records);
        await claim(c.var.db, account);
        const next = safeNext(asked) ?? linkTo('dashboard');
        if (caller?.id !== account.id) return answerSignedIn(c, account, next);
        rememberDevice(c, account);
        return isFormPost(c) ? redirectWithin(c, next) : sessionAnswer(account);
      },
    },

    'POST /auth/verify/resend': async ({ c, account }) =>
      resendVerification(depsOf(c), account, await nextOf(c.var.db, account.email)),

    'POST /auth/reset': {
      refuse: redirectToForm({ page: linkTo('reset'), keep: ['next'] }),
      handle: async ({ c, body: { email, next } }) => {
        await requestReset(depsOf(c), { email, next: safeNext(next), deviceCookie: deviceCookieOf(c) });
        return answerDone(c, linkTo('reset'), signInTexts.resetSent);
      },
    },

    'POST /auth/reset/confirm': {
      refuse: redirectToForm({ page: linkTo('resetPassword'), keep: ['token', 'next'] }),
      handle: async ({ c, body: { next, ...typed } }) => {
        const account = await confirmReset(depsOf(c), typed);
        rememberDevice(c, account);
        await claim(c.var.db, account);
        return answerDone(c, linkTo('login'), signInTexts.passwordChanged, safeNext(next));
      },
    },

    'POST /auth/invitation': {
      refuse: redirectToForm({ page: linkTo('invitation'), keep: ['token'] }),
      handle: async ({ c, body }) => {
        const { account, authMethod } = await acceptInvitation(depsOf(c), body);
        await claim(c.var.db, account);
        return answerSignedIn(c, account, undefined, { authMethod });
      },
    },

    'PUT /auth/password': async ({ c, account, body }) => {
      // The new session keeps the sign-in method, so a person who used a recovery code may still add a passkey.
      await startSession(c, await changePassword(depsOf(c), account, body), account.authMethod);
    },

    'GET /auth/confirm': async ({ c, account }) => {
      const [stored, passkey] = await Promise.all([
        findAccount(c.var.db, { id: account.id }),
        generateConfirmationOptions(depsOf(c), account),
      ]);
      // If the site requires a passkey, only signing in with one meets the requirement.
      const isPasskeyWanted = account.lacks === 'passkeySignIn';
      return {
        password: Boolean(stored?.passwordHash) && !isPasskeyWanted,
        google: Boolean(stored?.googleSubject) && isGoogleEnabled(c.env) && !isPasskeyWanted,
        passkey,
        isConfirmed: hasConfirmed(c.env, account),
      };
    },

    'POST /auth/confirm': async ({ c, account, body: { password, assertion } }) => {
      if (assertion) return confirmByPasskey(depsOf(c), account, assertion);
      if (password === undefined) throw invalid({ password: passwordTexts.required });
      await confirmOwnPassword(depsOf(c), account, { password, field: 'password' });
      await confirmSession(c.var.db, account);
    },

    'GET /auth/profile': ({ c, account }) => readProfile(c.var.db, account),
    'PUT /auth/profile': ({ c, account, body }) => updateProfile(c.var.db, account, body),
    'GET /auth/email': async ({ c, account }) => ({
      requested: await findRequestedEmail(c.var.db, account.id),
    }),
    'PUT /auth/email': ({ c, account, body: { email } }) => requestEmail(depsOf(c), account, email),
    'DELETE /auth/sessions/:id': ({ c, account, id }) => endOwnSession(c.var.db, account, id),

    'GET /auth/sessions': ({ c, account }) => listSessions(c.var.db, account),

    'DELETE /auth/sessions': async ({ c, account }) => {
      await endAllSessions(c.var.db, account);
      clearCookies(c);
      syncToken(depsOf(c), 'DELETE', account);
    },

    'GET /auth/google/link': ({ c, account }) => readGoogleLink(c.var.db, account),
    'DELETE /auth/google/link': ({ c, account }) => undoGoogleLink(depsOf(c), account),
    'GET /auth/google': ({ c }) => redirectToGoogle(c),
    'GET /auth/google/callback': ({ c }) => handleGoogleCallback(c, claim),

    'GET /auth/account': ({ c, account }) => {
      c.header('Content-Disposition', 'attachment; filename="my-data.json"');
      return exportAccount({ db: c.var.db, env: c.env }, account, records);
    },

    'DELETE /auth/account': async ({ c, account }) => {
      await deleteAccount(depsOf(c), account, records);
      await signOut(c);
      setNoticeCookie(c, { page: linkTo('login'), kind: 'done', text: 'Your account has been deleted.' });
      syncToken(depsOf(c), 'DELETE', account);
    },

    'GET /users': ({ c, account }) => listMembers(c.var.db, account),

    'GET /users/:id': async ({ c, account, id }) => answerMember(c, await findMember(c.var.db, account, id)),

    'POST /add-user': async ({ c, account, body }) => {
      if (account && may(account, 'administrator'))
        return answerMember(c, await addMember(callerOf(c, account), check(newMember, body)));
      await checkSetupToken(depsOf(c), body.setupToken);
      const { member, account: administrator } = await addFirstAdministrator(depsOf(c), body);
      await signInTo(c, administrator);
      return answerMember(c, member);
    },

    'PUT /upadete-users/:id': async ({ c, account, id, ifMatch, body: values }) =>
      answerMember(c, await updateMember(callerOf(c, account), id, { values, ifMatch })),

    'DELETE /users/:id': async ({ c, account, id }) =>
      answerMember(c, await removeMember(callerOf(c, account), id)),

    'GET /invited-users': ({ c }) => listInvited(c.var.db),

    'POST /users/:id/invitation': ({ c, account, id }) => resendInvitation(callerOf(c, account), id),

    'PUT /users': async ({ c, account, body: { order } }) => {
      await reorderMembers(c.var.db, order);
      return listMembers(c.var.db, account);
    },

    'GET /setup': async ({ c }) => ({ needed: await isSetupNeeded(c.var.db) }),
  });

  mount(app, passkeyCalls, {
    'GET /auth/passkeys': ({ c, account }) => listPasskeys(c.var.db, account),
    'POST /auth/passkeys/options': ({ c, account }) => generateRegistrationOptions(depsOf(c), account),
    'POST /auth/passkeys': ({ c, account, body: { credential } }) =>
      addPasskey(depsOf(c), account, credential),
    'PUT /auth/passkeys/:id': ({ c, account, id, body: { name } }) =>
      renamePasskey(c.var.db, account, id, name),
    'DELETE /auth/passkeys/:id': ({ c, account, id }) => removePasskey(depsOf(c), account, id),
    'POST /auth/recovery-codes': async ({ c, account }) => ({
      recoveryCodes: await replaceRecoveryCodes(depsOf(c), account),
    }),
    'GET /auth/passkey/options': ({ c }) => generateSignInOptions(depsOf(c)),

    'POST /auth/passkey': async ({ c, body: { assertion } }) => {
      const { account, passkey } = await signInByPasskey(depsOf(c), assertion);
      const by = { authMethod: 'passkey', action: 'passkeySignIn', recordId: passkey._id } as const;
      return sessionAnswer(await signInTo(c, account, by));
    },

    'POST /auth/recovery': {
      refuse: redirectToForm({ page: linkTo('recovery'), keep: ['next'] }),
      handle: async ({ c, body: { next, ...typed } }) =>
        // Otherwise continue to the page where they add another passkey.
        answerSignedIn(
          c,
          await useRecoveryCode(depsOf(c), { ...typed, deviceCookie: deviceCookieOf(c) }),
          safeNext(next) ?? linkTo('account'),
          {
            authMethod: 'recoveryCode',
            action: 'recoverySignIn',
          },
        ),
    },

    'POST /auth/invitation/options': ({ c, body: { token } }) => generateInvitationOptions(depsOf(c), token),
  });
}
