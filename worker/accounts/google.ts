/**
 * Sign-in with Google, using Arctic: the authorization code flow with state and PKCE. We link an account by email only
 * if Google is the authority for that email. We never link an account whose email we have not verified, because someone
 * else may have chosen its password. We notify the owner when an account is linked. They can undo it, and a password
 * reset by email also undoes it. google-routes.ts handles the redirects.
 */
import {
  CodeChallengeMethod,
  decodeIdToken,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
} from 'arctic';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import * as z from 'zod';
import { emailTexts, isDeliverable, normalizeEmail } from '#contract/account-rules.ts';
import type { Account } from '#contract/accounts.ts';
import { callAddress } from '#contract/call-address.ts';
import { newId } from '#contract/ids.ts';
import { auditOfRequest } from '../audit/audit.ts';
import { isUniqueViolation, writeBatch, type Database, type Statement } from '../db/client.ts';
import { hasChanged } from '../db/insert-if.ts';
import type { Env } from '../env.ts';
import type { RequestDeps } from '../http/app.ts';
import { ApiError, conflict, notFound } from '../http/errors.ts';
import { findAccount, type SignInAccount } from './find-account.ts';
import { noPassword } from './guesses.ts';
import { linkStatements } from './links.ts';
import { noticeStatements } from './notices.ts';
import { accounts } from './schema.ts';
import { confirmSession } from './sessions.ts';

const googleIssuer = 'https://accounts.google.com';
const callbackPath = callAddress('GET /auth/google/callback');
const timeoutMs = 10_000;

/** The parts of the provider's metadata that we use (OpenID Connect Discovery 1.0). */
const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
});

/** The claims of an ID token that we use (OpenID Connect Core 1.0, section 2). */
const idClaims = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  sub: z.string().min(1),
  email: z.string(),
  email_verified: z.boolean(),
  /** The Google Workspace domain of the account, if it has one. */
  hd: z.string().optional(),
});

export const isGoogleEnabled = (env: Env): boolean =>
  Boolean(env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET);

export const notSetUp = () => notFound('Logging in with Google is not set up.');

async function openProvider(env: Env) {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: secret } = env;
  if (!clientId || !secret) throw notSetUp();
  const answer = await fetch(`${env.GOOGLE_ISSUER_URL ?? googleIssuer}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { issuer, authorization_endpoint, token_endpoint } = metadata.parse(await answer.json());
  const client = new OAuth2Client(clientId, secret, `${env.SITE_URL}${callbackPath}`);
  return { client, clientId, issuer, authorizationUrl: authorization_endpoint, tokenUrl: token_endpoint };
}

/**
 * Starts a sign-in with Google.
 * @param isConfirming whether a signed-in person is confirming their identity
 * @returns where to send the browser, and the secrets that the browser keeps until it returns
 */
export async function createGoogleRequest(env: Env, isConfirming: boolean) {
  const { client, authorizationUrl } = await openProvider(env);
  const state = generateState();
  const codeVerifier = generateCodeVerifier();
  const url = client.createAuthorizationURLWithPKCE(
    authorizationUrl,
    state,
    CodeChallengeMethod.S256,
    codeVerifier,
    ['openid', 'email'],
  );
  // If the person is already signed in to Google, Google may ask nothing. This makes it at least ask which account to
  // use.
  if (isConfirming) url.searchParams.set('prompt', 'select_account');
  return { url, state, codeVerifier };
}

export const notFinished = () =>
  new ApiError(400, 'Your login with Google was not completed. Please try again.');

interface GooglePerson {
  readonly subject: string;
  readonly email: string;
  /** Whether Google's answer proves that the person owns the email. */
  readonly isProven: boolean;
}

/**
 * Whether Google is the authority for an email: a Gmail address, or an address in a Workspace domain. Google verified
 * any other address only once, and its owner may have changed since
 * (https://developers.google.com/identity/gsi/web/guides/verify-google-id-token#using-sub).
 */
function isAuthoritative(email: string, hd: string | undefined): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return domain === 'gmail.com' || (hd !== undefined && domain === hd.toLowerCase());
}

/**
 * Reads the person from the ID token. The signature does not have to be checked, because we fetch the token from Google
 * itself over TLS (OpenID Connect Core 1.0, section 3.1.3.7, rule 6).
 */
export async function readPerson(env: Env, code: string, codeVerifier: string): Promise<GooglePerson> {
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

/**
 * Confirms the identity of a caller who returns from Google, possibly in another tab.
 * @param accountId the account that was signed in when they left
 * @throws ApiError 403 when they are now signed in to another account, or the Google account opens another one
 */
export async function confirmByGoogle(
  db: Database,
  account: Account | undefined,
  { person: { subject }, accountId }: { readonly person: GooglePerson; readonly accountId: string },
): Promise<void> {
  const linked = await findAccount(db, { googleSubject: subject });
  if (!account || account.id !== accountId || linked?.id !== accountId)
    throw new ApiError(403, 'This is not the Google account you log in with here.');
  await confirmSession(db, account);
}

/** The statements that create an account. Its email is verified by Google, or otherwise by our own link. */
function newAccountStatements(
  { db, env }: RequestDeps,
  { subject, email, isProven }: GooglePerson,
  next: string | undefined,
): Statement[] {
  const now = Date.now();
  const id = newId(now);
  return [
    db
      .insert(accounts)
      .values({ id, email, emailVerifiedAt: isProven ? now : null, googleSubject: subject, createdAt: now }),
    ...(isProven ? [] : linkStatements(db, env, 'verify', { id, email, hasPassword: false, next }, 'notice')),
  ];
}

/** Whether the caller's account signs in with Google. */
export async function readGoogleLink(db: Database, { id }: Account): Promise<{ readonly isLinked: boolean }> {
  return { isLinked: Boolean((await findAccount(db, { id }))?.googleSubject) };
}

/** The statements that unlink Google from an account, if it is linked, and record that in the audit log. */
export const unlinkGoogle = (deps: RequestDeps, accountId: string): Statement[] => [
  deps.db
    .update(accounts)
    .set({ googleSubject: null })
    .where(and(eq(accounts.id, accountId), isNotNull(accounts.googleSubject))),
  auditOfRequest(deps, { action: 'googleUnlinked', accountId }, hasChanged),
];

/** @throws ApiError 409 if no one could sign in to the account afterward */
export async function undoGoogleLink(deps: RequestDeps, { id }: Account): Promise<void> {
  const account = await findAccount(deps.db, { id });
  if (!account?.passwordHash) throw noPassword();
  await writeBatch(deps.db, unlinkGoogle(deps, id));
}

/**
 * Finds the account of a person whom Google identified: already linked, linked now, or new.
 * @param next the page to continue to
 */
export async function findGoogleAccount(
  deps: RequestDeps,
  { subject, email, isProven }: GooglePerson,
  next: string | undefined,
): Promise<{ readonly account: SignInAccount; readonly isNew: boolean }> {
  const { db } = deps;
  const linked = await findAccount(db, { googleSubject: subject });
  if (linked) return { account: linked, isNew: false };
  const sameEmail = await findAccount(db, { email });
  if (sameEmail && !sameEmail.emailVerified)
    throw conflict(
      'There is an account with this email that is not verified yet. Verify it, or reset its password, then log in.',
    );
  if (sameEmail && !isProven)
    throw conflict(
      'There is an account with this email, and Google cannot prove that it is yours. Please log in with your password.',
    );
  if (sameEmail?.googleSubject)
    throw conflict(
      'The account with this email is linked to another Google account. Please log in with your password.',
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
            auditOfRequest(deps, { action: 'googleLinked', accountId: sameEmail.id }, hasChanged),
            ...noticeStatements(deps, sameEmail, 'google-linked'),
          ]
        : newAccountStatements(deps, { subject, email, isProven }, next),
    );
  } catch (error) {
    // Another window of the same person has just created the account.
    if (!isUniqueViolation(error)) throw error;
  }
  const account = await findAccount(db, { googleSubject: subject });
  if (!account) throw conflict('Your login with Google was not completed. Please try again.');
  return { account, isNew: !sameEmail };
}
