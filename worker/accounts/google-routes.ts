/** Redirects the browser to Google and back, to sign in or to confirm an identity. */
import type { SQL } from 'drizzle-orm';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as z from 'zod';
import { confirmedQuery, safeNext } from '#contract/account-rules.ts';
import { homeOf } from './pages.ts';
import { linkTo } from '#contract/screens.ts';
import { recordRefusedSignIn } from '../audit/audit.ts';
import { depsOf, type AppEnv } from '../http/app.ts';
import { hostCookie } from '../http/cookies.ts';
import { ApiError } from '../http/errors.ts';
import { setNoticeCookie } from '../http/forms.ts';
import { describeError } from '../http/log.ts';
import { redirectAway, redirectWithin } from '../http/redirect.ts';
import { secretsEqual } from '../http/secrets.ts';
import { checkFlood } from '../http/flood-limit.ts';
import { idOfEmail } from './find-account.ts';
import {
  createGoogleRequest,
  confirmByGoogle,
  findGoogleAccount,
  notFinished,
  notSetUp,
  isGoogleEnabled,
  readPerson,
} from './google.ts';
import type { OnVerified } from './personal-data.ts';
import { signInTo } from './session-cookies.ts';

/** The contents of the cookie while the browser is at Google. */
const oauthState = z.object({
  state: z.string(),
  codeVerifier: z.string(),
  next: z.string().optional(),
  /** The account whose signed-in owner is confirming their identity. */
  confirms: z.string().optional(),
});
const stateSeconds = 10 * 60;

/** The longest address to continue to, in characters as encoded in the cookie. A cookie must stay below 4,096 bytes. */
const maxNextLength = 3_000;

const isKept = (next: string): boolean => encodeURIComponent(JSON.stringify(next)).length <= maxNextLength;

export async function redirectToGoogle(c: Context<AppEnv>): Promise<Response> {
  if (!isGoogleEnabled(c.env)) throw notSetUp();
  const asked = safeNext(c.req.query('next')) ?? '';
  const next = asked === '' || !isKept(asked) ? undefined : asked;
  return orBackToLogin(c, next, async () => {
    await checkFlood(depsOf(c));
    const confirms = c.req.query('confirm') === undefined ? undefined : c.var.account?.id;
    const { url, state, codeVerifier } = await createGoogleRequest(c.env, confirms !== undefined);
    const kept = { state, codeVerifier, next, confirms };
    setCookie(c, 'google', JSON.stringify(kept), { ...hostCookie, maxAge: stateSeconds });
    return redirectAway(c, url);
  });
}

async function auditRefusals<T>(
  c: Context<AppEnv>,
  accountId: string | SQL<string>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) recordRefusedSignIn(depsOf(c), { by: 'google', accountId });
    throw error;
  }
}

/** Signs in a person who returns from Google. */
export async function handleGoogleCallback(c: Context<AppEnv>, onVerified: OnVerified): Promise<Response> {
  if (!isGoogleEnabled(c.env)) throw notSetUp();
  const kept = readOauthState(c);
  return orBackToLogin(c, kept?.next, async () => {
    await checkFlood(depsOf(c));
    deleteCookie(c, 'google', hostCookie);
    const { state = '', code = '' } = c.req.query();
    if (!kept || !code || !secretsEqual(state, kept.state)) {
      // A person who cancels at Google returns without a code.
      if (code) recordRefusedSignIn(depsOf(c), { by: 'google', accountId: '' });
      throw notFinished();
    }
    const person = await auditRefusals(c, '', () => readPerson(c.env, code, kept.codeVerifier));
    const { confirms, next } = kept;
    if (confirms !== undefined) {
      const { account, db } = c.var;
      await auditRefusals(c, confirms, () => confirmByGoogle(db, account, { person, accountId: confirms }));
      return redirectWithin(c, `${linkTo('account')}?${confirmedQuery}`);
    }
    const { account, isNew } = await auditRefusals(c, idOfEmail(person.email), () =>
      findGoogleAccount(depsOf(c), person, next),
    );
    if (account.emailVerified) await onVerified(c.var.db, account);
    await signInTo(c, account);
    // A first sign-in continues to the same page as a sign-up.
    return redirectWithin(c, next ?? (isNew ? linkTo('home') : homeOf(account)));
  });
}

function readOauthState(c: Context<AppEnv>): z.infer<typeof oauthState> | undefined {
  try {
    return oauthState.parse(JSON.parse(getCookie(c, 'google', 'host') ?? ''));
  } catch {
    return undefined;
  }
}

/** Whether the signed-in caller is in the middle of confirming their identity with Google. */
const isConfirming = (c: Context<AppEnv>): boolean =>
  c.var.account !== undefined &&
  (c.req.query('confirm') !== undefined || readOauthState(c)?.confirms !== undefined);

/**
 * Sends the browser back to the login page after a failure, with an explanation and the page to continue to. A person
 * who was confirming their identity goes back to their account page instead.
 */
async function orBackToLogin(
  c: Context<AppEnv>,
  next: string | undefined,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) c.var.log('google.failed', describeError(error));
    if (isConfirming(c)) return redirectWithin(c, `${linkTo('account')}?${confirmedQuery}=no`);
    const text =
      error instanceof ApiError
        ? error.message
        : 'Google could not be reached. Please try again in a moment.';
    setNoticeCookie(c, { page: linkTo('login'), kind: 'problem', text });
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
    return redirectWithin(c, linkTo('login') + query);
  }
}
