/**
 * Sign-in with Google, by Arctic: the authorization code flow with state and PKCE. An account is linked only by an email
 * for which Google is the authority, and never while its email is unverified here: its password may be somebody else's.
 * The owner is told of a link, can undo it, and a password that is reset by mail undoes it.
 */
import {
  CodeChallengeMethod,
  decodeIdToken,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
} from 'arctic';
import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as z from 'zod';
import {
  type Account,
  confirmedQuery,
  emailTexts,
  isDeliverable,
  normalizeEmail,
  safeNext,
} from '#contract/accounts.ts';
import { callAddress } from '#contract/call-address.ts';
import { newId } from '#contract/ids.ts';
import { linkTo } from '#contract/screens.ts';
import { isUniqueViolation, writeBatch, type Database, type Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import { depsOf, type AppEnv } from '../http/app.ts';
import { hostCookie } from '../http/cookies.ts';
import { ApiError, conflict, notFound } from '../http/errors.ts';
import { describeError } from '../http/log.ts';
import { redirectAway, redirectWithin } from '../http/redirect.ts';
import { auditOfRequest, noteAudit, noteRefusedSignIn } from '../audit/audit.ts';
import { leaveNotice } from './forms.ts';
import { checkFlood, hasChanged } from '../limits/rate-limits.ts';
import { deliverSoon } from '../mail/outbox.ts';
import { queueLimitedMail } from './limited-mail.ts';
import { linkStatements } from './links.ts';
import { googleLinkedMail } from './mails.ts';
import { hasGoogleLink } from './owner.ts';
import type { OnVerified } from './personal-data.ts';
import { accounts } from './schema.ts';
import { secretsEqual } from '../http/secrets.ts';
import { findAccount, idOfEmail, noPassword } from './service.ts';
import { confirmSession, type SignInAccount, startSession } from './session.ts';
import { syncToken } from './token-sync.ts';

const googleIssuer = 'https://accounts.google.com';
const callbackPath = callAddress('GET /auth/google/callback');
const timeoutMs = 10_000;

/** What the browser keeps while it is at Google. */
const oauthState = z.object({
  state: z.string(),
  codeVerifier: z.string(),
  next: z.string().optional(),
  /** The signed-in account whose owner confirms their identity. */
  confirms: z.string().optional(),
});
const stateSeconds = 10 * 60;

/** The parts of the provider's metadata that are used (OpenID Connect Discovery 1.0). */
const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
});

/** The claims of an ID token that are used (OpenID Connect Core 1.0, section 2). */
const idClaims = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  sub: z.string().min(1),
  email: z.string(),
  email_verified: z.boolean(),
  /** The Google Workspace domain of the account, where it has one. */
  hd: z.string().optional(),
});

/** Whether the settings offer Google. */
export const offersGoogle = (env: Env): boolean => Boolean(env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET);

async function openProvider(env: Env) {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: secret } = env;
  if (!clientId || !secret) throw notFound('Logging in with Google is not set up.');
  const answer = await fetch(`${env.GOOGLE_ISSUER_URL ?? googleIssuer}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { issuer, authorization_endpoint, token_endpoint } = metadata.parse(await answer.json());
  const client = new OAuth2Client(clientId, secret, `${env.SITE_URL}${callbackPath}`);
  return { client, clientId, issuer, authorizationUrl: authorization_endpoint, tokenUrl: token_endpoint };
}

/** Longest address to lead on to, in characters as the cookie that keeps it has them; that stays below 4,096 bytes. */
const maxNextLength = 3_000;

const isKept = (next: string): boolean => encodeURIComponent(JSON.stringify(next)).length <= maxNextLength;

/** Sends the browser to Google. */
export async function startGoogle(c: Context<AppEnv>): Promise<Response> {
  if (!offersGoogle(c.env)) throw notFound('Logging in with Google is not set up.');
  const asked = safeNext(c.req.query('next')) ?? '';
  const next = asked === '' || !isKept(asked) ? undefined : asked;
  return orBackToLogin(c, next, async () => {
    await checkFlood(depsOf(c));
    const { client, authorizationUrl } = await openProvider(c.env);
    const state = generateState();
    const codeVerifier = generateCodeVerifier();
    const url = client.createAuthorizationURLWithPKCE(
      authorizationUrl,
      state,
      CodeChallengeMethod.S256,
      codeVerifier,
      ['openid', 'email'],
    );
    const confirms = c.req.query('confirm') === undefined ? undefined : c.var.account?.id;
    // Google may skip every question for somebody who is signed in there; this makes it at least ask for the account.
    if (confirms !== undefined) url.searchParams.set('prompt', 'select_account');
    const kept = { state, codeVerifier, next, confirms };
    setCookie(c, 'google', JSON.stringify(kept), { ...hostCookie, maxAge: stateSeconds });
    return redirectAway(c, url);
  });
}

const notFinished = () => new ApiError(400, 'Logging in with Google was not finished. Please try again.');

/** Audits a refusal during the sign-in, with the account concerned if there is one. */
async function orNoted<T>(
  c: Context<AppEnv>,
  accountId: string | SQL<string>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) noteRefusedSignIn(depsOf(c), { by: 'google', accountId });
    throw error;
  }
}

/** Signs in the account that comes back from Google. */
export async function finishGoogle(c: Context<AppEnv>, onVerified: OnVerified): Promise<Response> {
  if (!offersGoogle(c.env)) throw notFound('Logging in with Google is not set up.');
  const kept = readOauthState(c);
  return orBackToLogin(c, kept?.next, async () => {
    await checkFlood(depsOf(c));
    deleteCookie(c, 'google', hostCookie);
    const { state = '', code = '' } = c.req.query();
    if (!kept || !code || !secretsEqual(state, kept.state)) {
      // Somebody who cancels at Google comes back without a code.
      if (code) noteRefusedSignIn(depsOf(c), { by: 'google', accountId: '' });
      throw notFinished();
    }
    const person = await orNoted(c, '', () => readPerson(c.env, code, kept.codeVerifier));
    const { confirms, next } = kept;
    if (confirms !== undefined) return orNoted(c, confirms, () => confirmByGoogle(c, person, confirms));
    const { account, isNew } = await orNoted(c, idOfEmail(person.email), () => accountOf(c, person, next));
    if (account.emailVerified) await onVerified(c.var.db, account);
    await startSession(c, account);
    noteAudit(depsOf(c), { action: 'signIn', accountId: account.id });
    syncToken(c, 'POST', account);
    // After a first sign-in people land where a sign-up does.
    return redirectWithin(c, next ?? linkTo(isNew ? 'home' : 'dashboard'));
  });
}

/** Confirms the identity of a signed-in caller who comes back from Google in a separate tab. */
async function confirmByGoogle(
  c: Context<AppEnv>,
  { subject }: Person,
  accountId: string,
): Promise<Response> {
  const { account, db } = c.var;
  const linked = await findAccount(db, { googleSubject: subject });
  if (!account || account.id !== accountId || linked?.id !== accountId)
    throw new ApiError(403, 'This is another Google account than the one that opens your account here.');
  await confirmSession(db, account);
  return redirectWithin(c, `${linkTo('account')}?${confirmedQuery}`);
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
 * Sends the browser back to the log-in page after a failure, which it explains, and keeps where it was going. Somebody
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
    leaveNotice(c, { page: linkTo('login'), kind: 'problem', text });
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
    return redirectWithin(c, linkTo('login') + query);
  }
}

/** The person that Google identified. */
interface Person {
  readonly subject: string;
  readonly email: string;
  /** Whether the answer from Google proves that the email is theirs. */
  readonly isProven: boolean;
}

/**
 * Whether Google is the authority for an email: its own mail, or that of a Workspace domain. Any other was verified once,
 * and may have another owner since
 * (https://developers.google.com/identity/gsi/web/guides/verify-google-id-token#using-sub).
 */
function isAuthoritative(email: string, hd: string | undefined): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return domain === 'gmail.com' || (hd !== undefined && domain === hd.toLowerCase());
}

/**
 * Reads the person from the ID token. Its signature need not be checked, because it is fetched from the provider itself
 * over TLS (OpenID Connect Core 1.0, section 3.1.3.7, rule 6).
 */
async function readPerson(env: Env, code: string, codeVerifier: string): Promise<Person> {
  const { client, clientId, issuer, tokenUrl } = await openProvider(env);
  const tokens = await client.validateAuthorizationCode(tokenUrl, code, codeVerifier);
  const claims = idClaims.parse(decodeIdToken(tokens.idToken()));
  if (claims.iss !== issuer || ![claims.aud].flat().includes(clientId) || claims.exp * 1_000 < Date.now())
    throw notFinished();
  if (!claims.email_verified)
    throw new ApiError(403, 'Google has not verified this email, so we cannot log you in with it.');
  if (!isDeliverable(claims.email)) throw new ApiError(422, emailTexts.invalid);
  const email = normalizeEmail(claims.email);
  return { subject: claims.sub, email, isProven: isAuthoritative(email, claims.hd) };
}

/** A new account, verified by Google's word or else by our own mail. */
function newAccountStatements(
  c: Context<AppEnv>,
  { subject, email, isProven }: Person,
  next: string | undefined,
): Statement[] {
  const { db } = c.var;
  const now = Date.now();
  const id = newId(now);
  return [
    db
      .insert(accounts)
      .values({ id, email, emailVerifiedAt: isProven ? now : null, googleSubject: subject, createdAt: now }),
    ...(isProven
      ? []
      : linkStatements(db, c.env, 'verify', { id, email, hasPassword: false, next }, 'notice')),
  ];
}

/** Whether the caller's account signs in with Google. */
export async function readGoogleLink(db: Database, { id }: Account): Promise<{ readonly isLinked: boolean }> {
  return { isLinked: Boolean((await findAccount(db, { id }))?.googleSubject) };
}

/** Undoes the link to Google. @throws ApiError 409 for an account that could not be signed in to afterwards */
export async function undoGoogleLink(c: Context<AppEnv>, { id }: Account): Promise<void> {
  const { db } = c.var;
  const hasPassword = isNotNull(accounts.passwordHash);
  const [, changed] = await writeBatch(db, [
    auditOfRequest(depsOf(c), { action: 'googleUnlinked', accountId: id }, hasGoogleLink(id, hasPassword)),
    db
      .update(accounts)
      .set({ googleSubject: null })
      .where(and(eq(accounts.id, id), hasPassword)),
  ]);
  if (changed === 0) throw noPassword();
}

/**
 * The account of a person whom Google vouches for: linked before, linked now, or new.
 * @param next where they were going
 */
async function accountOf(
  c: Context<AppEnv>,
  { subject, email, isProven }: Person,
  next: string | undefined,
): Promise<{ readonly account: SignInAccount; readonly isNew: boolean }> {
  const { db } = c.var;
  const linked = await findAccount(db, { googleSubject: subject });
  if (linked) return { account: linked, isNew: false };
  const sameEmail = await findAccount(db, { email });
  if (sameEmail && !sameEmail.emailVerified)
    throw new ApiError(
      409,
      'There is an account with this email that is not verified yet. Verify it, or reset its password, then sign in.',
    );
  if (sameEmail && !isProven)
    throw new ApiError(
      409,
      'There is an account with this email, and Google cannot prove that it is yours. Please log in with your password.',
    );
  if (sameEmail?.googleSubject)
    throw new ApiError(
      409,
      'This email belongs to another Google account here. Please log in with your password.',
    );
  try {
    await writeBatch(
      db,
      sameEmail
        ? [
            db
              .update(accounts)
              .set({ googleSubject: subject })
              .where(and(eq(accounts.id, sameEmail.id), isNull(accounts.googleSubject))),
            auditOfRequest(depsOf(c), { action: 'googleLinked', accountId: sameEmail.id }, hasChanged),
            ...queueLimitedMail(db, c.env, {
              accountId: sameEmail.id,
              to: email,
              kind: 'google-linked',
              ...googleLinkedMail(c.env.SITE_URL),
            }),
          ]
        : newAccountStatements(c, { subject, email, isProven }, next),
    );
  } catch (error) {
    // A second window of the same person has just created the account.
    if (!isUniqueViolation(error)) throw error;
  }
  const account = await findAccount(db, { googleSubject: subject });
  if (!account) throw conflict('Logging in with Google was not finished. Please try again.');
  deliverSoon(depsOf(c));
  return { account, isNew: !sameEmail };
}
