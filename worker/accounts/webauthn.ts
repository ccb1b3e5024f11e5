/**
 * WebAuthn (https://www.w3.org/TR/webauthn-3/): what a device is asked, and whether what it answers holds. A challenge is
 * signed rather than stored: it says for what and until when it is good, and only one that was answered leaves a row,
 * whose primary key makes of two answers one.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import type { Assertion, CreationOptions, NewCredential, RequestOptions } from '#contract/accounts.ts';
import type { Database, Statement } from '../db/client.ts';
import { sealingKeys, type Env } from '../env.ts';
import type { AppEnv } from '../http/app.ts';
import { fromBase64Url, toBase64Url } from '../http/base64url.ts';
import { conflict } from '../http/errors.ts';
import { describeError } from '../http/log.ts';
import { hashSecret, secretsEqual } from '../http/secrets.ts';
import { senderIn } from '../settings.ts';
import { type passkeys, spentChallenges } from './schema.ts';

const minuteMs = 60_000;
/** How long a device has to answer. The page that asks for a sign-in asks anew before that (islands/account/passkey.ts). */
const lastsMs = 10 * minuteMs;

/** ES256 and RS256: one of them every authenticator has. https://www.w3.org/TR/webauthn-3/#dom-publickeycredentialcreationoptions-pubkeycredparams */
const algorithms = [-7, -257] as const;

/** What a challenge is good for, and the one who may answer it: a session, a mailed link, or nobody in particular. */
export interface Purpose {
  readonly purpose: 'add' | 'signIn' | 'confirm' | 'invitation';
  readonly by: string;
}

/** In letters: 18 random bytes, when it is over, and a signature. Each part is a multiple of four, so that all of it is base64url. */
const nonceLetters = 24;
const headLetters = nonceLetters + 8;
const macLetters = 40;

const macOf = (key: string, { purpose, by }: Purpose, head: string): string =>
  createHmac('sha256', key)
    .update(`challenge\n${purpose}\n${by}\n${head}`)
    .digest('base64url')
    .slice(0, macLetters);

/** A new challenge: at random, with when it is over, and signed with what it is for. */
function newChallenge(env: Env, whatFor: Purpose): string {
  const expiresAt = (Date.now() + lastsMs).toString(36).padStart(headLetters - nonceLetters, '0');
  const head = randomBytes((nonceLetters / 4) * 3).toString('base64url') + expiresAt;
  const [key = ''] = sealingKeys(env);
  return head + macOf(key, whatFor, head);
}

/** Whether a challenge is ours, for this, and not over. */
function isChallenge(env: Env, whatFor: Purpose, challenge: string): boolean {
  const head = challenge.slice(0, headLetters);
  const mac = challenge.slice(headLetters);
  const isSigned = sealingKeys(env).some((key) => secretsEqual(mac, macOf(key, whatFor, head)));
  return isSigned && Number.parseInt(head.slice(nonceLetters), 36) > Date.now();
}

/** The statement that lets nobody answer a challenge again: of two batches with it the second fails. */
export const spendChallenge = (db: Database, challenge: string): Statement =>
  db.insert(spentChallenges).values({ id: hashSecret(challenge), expiresAt: Date.now() + lastsMs });

/** A name for an account that tells nobody whose it is, for one that has none yet: out of its challenge, so that it need not be kept meanwhile. */
export const handleFrom = (challenge: string): string => hashSecret(`handle\n${challenge}`);

type StoredPasskey = Pick<typeof passkeys.$inferSelect, 'credentialId' | 'publicKey' | 'transports'>;

const toCredential = ({ credentialId, transports }: Omit<StoredPasskey, 'publicKey'>) => ({
  id: credentialId,
  type: 'public-key' as const,
  transports: JSON.parse(transports) as string[],
});

/**
 * The site as devices know it.
 * @throws ApiError 409 at another address than the configured one, for which a device would make a passkey that is good for nothing
 */
function relyingParty(c: Context<AppEnv>): { readonly id: string; readonly name: string } {
  const { SITE_URL, MAIL_FROM } = c.env;
  if (new URL(c.req.url).origin !== new URL(SITE_URL).origin)
    throw conflict(`Fingerprint, face and screen lock work at ${SITE_URL} only. Please open the site there.`);
  const { hostname } = new URL(SITE_URL);
  return { id: hostname, name: senderIn(MAIL_FROM)?.name ?? hostname };
}

/** @param exclude the passkeys that the account has, so that no device makes a second one */
export function creationOptions(
  c: Context<AppEnv>,
  whatFor: Purpose,
  { email, handle, exclude }: { email: string; handle?: string; exclude: readonly StoredPasskey[] },
): CreationOptions {
  const challenge = newChallenge(c.env, whatFor);
  return {
    challenge,
    rp: relyingParty(c),
    user: { id: handle ?? handleFrom(challenge), name: email, displayName: email },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: 5 * minuteMs,
    attestation: 'none',
    excludeCredentials: exclude.map(toCredential),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  };
}

/** @param allowed the passkeys that will do; without them any of the site's, which tells nothing about whose there are */
export function requestOptions(
  c: Context<AppEnv>,
  whatFor: Purpose,
  allowed?: readonly StoredPasskey[],
): RequestOptions {
  return {
    challenge: newChallenge(c.env, whatFor),
    rpId: relyingParty(c).id,
    timeout: 5 * minuteMs,
    userVerification: 'required',
    ...(allowed && { allowCredentials: allowed.map(toCredential) }),
  };
}

/** The challenge that a device answered; undefined unless it is ours, good for this, and answered in a page of the site itself. */
function answeredChallenge(env: Env, whatFor: Purpose, clientDataJSON: string): string | undefined {
  let said: unknown;
  try {
    said = JSON.parse(new TextDecoder().decode(fromBase64Url(clientDataJSON)));
  } catch {
    return undefined;
  }
  if (typeof said !== 'object' || said === null || !('challenge' in said)) return undefined;
  const { challenge } = said;
  if (typeof challenge !== 'string' || ('crossOrigin' in said && said.crossOrigin === true)) return undefined;
  return isChallenge(env, whatFor, challenge) ? challenge : undefined;
}

/** What both checks expect; the library checks origin, site, presence and that the owner showed who they are. */
const expected = ({ SITE_URL }: Env, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: SITE_URL,
  expectedRPID: new URL(SITE_URL).hostname,
  requireUserVerification: true,
});

/** What a check came to: what was thrown says that something does not hold, and belongs in the log. */
async function orRefused<T>(c: Context<AppEnv>, check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch (error) {
    c.var.log('passkey.refused', describeError(error));
    return undefined;
  }
}

/** A device's answer that holds. */
export interface Checked {
  readonly challenge: string;
  /** How often the passkey has signed, or 0. */
  readonly counter: number;
}

/** A passkey that was checked and is not kept yet. */
export type NewlyMade = Checked & StoredPasskey;

/** Checks a passkey that a device has just made. @returns undefined where something does not hold */
export async function checkNewCredential(
  c: Context<AppEnv>,
  whatFor: Purpose,
  { id, clientDataJSON, attestationObject, transports = [] }: NewCredential,
): Promise<NewlyMade | undefined> {
  const challenge = answeredChallenge(c.env, whatFor, clientDataJSON);
  if (challenge === undefined) return undefined;
  return orRefused(c, async () => {
    // It is large, and most of the Worker's instances never need it.
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      ...expected(c.env, challenge),
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!verified || registrationInfo.credential.id !== id) return undefined;
    const { publicKey, counter } = registrationInfo.credential;
    return {
      challenge,
      counter,
      credentialId: id,
      publicKey: toBase64Url(publicKey),
      transports: JSON.stringify(transports),
    };
  });
}

/**
 * Checks that a device has shown a passkey. Its counter is left to the batch that writes the new one, which no other
 * answer can come before.
 * @returns undefined where something does not hold
 */
export async function checkAssertion(
  c: Context<AppEnv>,
  whatFor: Purpose,
  { id, clientDataJSON, authenticatorData, signature }: Assertion,
  publicKey: string,
): Promise<Checked | undefined> {
  const challenge = answeredChallenge(c.env, whatFor, clientDataJSON);
  if (challenge === undefined) return undefined;
  return orRefused(c, async () => {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      ...expected(c.env, challenge),
      credential: { id, publicKey: fromBase64Url(publicKey), counter: 0 },
    });
    return verified ? { challenge, counter: authenticationInfo.newCounter } : undefined;
  });
}
