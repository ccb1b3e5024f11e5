/**
 * WebAuthn (https://www.w3.org/TR/webauthn-3/): creates the options for a device, and verifies its response. We sign
 * challenges instead of storing them; the signature covers purpose and expiry. Only an answered challenge gets a row,
 * whose primary key makes a second response fail.
 */
import * as z from 'zod';
import type { Assertion, CreationOptions, NewCredential, RequestOptions } from '#contract/passkeys.calls.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { RequestDeps } from '../http/app.ts';
import { fromBase64Url, toBase64Url } from '../http/base64url.ts';
import { conflict } from '../http/errors.ts';
import { describeError } from '../http/log.ts';
import { hashSecret, newSecret } from '../http/secrets.ts';
import { isSignatureOf, signatureOf } from '../http/signatures.ts';
import { minuteMs } from '../http/clock.ts';
import { type passkeys, spentChallenges } from './schema.ts';

/** @throws if the text is not base64url */
const textOf = (base64Url: string): string => new TextDecoder().decode(fromBase64Url(base64Url));

/**
 * How long a device has to answer, in ms. The login page requests a new challenge before that
 * (site/account/passkey-sign-in.ts).
 */
const challengeMs = 10 * minuteMs;

/**
 * ES256 and RS256; every authenticator supports one of them.
 * https://www.w3.org/TR/webauthn-3/#dom-publickeycredentialcreationoptions-pubkeycredparams
 */
const algorithms = [-7, -257] as const;

/** What a challenge is for, and who may answer it: a session, the holder of an emailed link, or anyone. */
export interface Purpose {
  readonly purpose: 'add' | 'signIn' | 'confirm' | 'invitation';
  readonly by: string;
}

const signedText = ({ purpose, by }: Purpose, nonce: string, expiresAt: string): string =>
  `challenge\n${purpose}\n${by}\n${nonce}\n${expiresAt}`;

/** A new challenge: a random text and an expiry, signed together with its purpose. */
function newChallenge(env: Env, whatFor: Purpose): string {
  const nonce = newSecret();
  const expiresAt = String(Date.now() + challengeMs);
  const signature = signatureOf(env, signedText(whatFor, nonce, expiresAt));
  return toBase64Url(new TextEncoder().encode(`${nonce}.${expiresAt}.${signature}`));
}

/** Whether we issued a challenge for this purpose and it has not expired. */
function isChallenge(env: Env, whatFor: Purpose, challenge: string): boolean {
  const [nonce = '', expiresAt = '', signature = ''] = textOf(challenge).split('.');
  return (
    isSignatureOf(env, signedText(whatFor, nonce, expiresAt), signature) && Number(expiresAt) > Date.now()
  );
}

/** The statement that uses up a challenge. If two batches contain it, the second one fails. */
export const spendChallenge = (db: Database, challenge: string): Statement =>
  db.insert(spentChallenges).values({ id: hashSecret(challenge), expiresAt: Date.now() + challengeMs });

/**
 * An opaque handle for an account that does not exist yet. It is derived from the challenge, so it does not have to
 * be stored.
 */
export const handleFrom = (challenge: string): string => hashSecret(`handle\n${challenge}`);

type StoredPasskey = Pick<typeof passkeys.$inferSelect, 'credentialId' | 'publicKey' | 'transports'>;

const toCredential = ({ credentialId, transports }: Omit<StoredPasskey, 'publicKey'>) => ({
  id: credentialId,
  type: 'public-key' as const,
  transports: JSON.parse(transports) as string[],
});

/**
 * The relying party. Browsers show only the host
 * (https://www.w3.org/TR/webauthn-3/#dom-publickeycredentialentity-name).
 * @throws ApiError 409 at any address other than the configured one, where a passkey would be useless
 */
function relyingParty({ env, origin }: RequestDeps): { readonly id: string; readonly name: string } {
  const { SITE_URL } = env;
  if (origin !== new URL(SITE_URL).origin)
    throw conflict(`Fingerprint, face and screen lock work at ${SITE_URL} only. Please open the site there.`);
  const { hostname } = new URL(SITE_URL);
  return { id: hostname, name: hostname };
}

/** @param exclude the account's existing passkeys, so that no device creates a second one */
export function creationOptions(
  deps: RequestDeps,
  whatFor: Purpose,
  { email, handle, exclude }: { email: string; handle?: string; exclude: readonly StoredPasskey[] },
): CreationOptions {
  const challenge = newChallenge(deps.env, whatFor);
  return {
    challenge,
    rp: relyingParty(deps),
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

/**
 * @param allowed the passkeys that may answer; without them, any passkey of the site may answer, which reveals nothing
 *   about accounts
 */
export function requestOptions(
  deps: RequestDeps,
  whatFor: Purpose,
  allowed?: readonly StoredPasskey[],
): RequestOptions {
  return {
    challenge: newChallenge(deps.env, whatFor),
    rpId: relyingParty(deps).id,
    timeout: 5 * minuteMs,
    userVerification: 'required',
    ...(allowed && { allowCredentials: allowed.map(toCredential) }),
  };
}

/** The parts of a browser's client data that we read (https://www.w3.org/TR/webauthn-3/#dictionary-client-data). */
const clientData = z.object({ challenge: z.string(), crossOrigin: z.unknown() });

/**
 * The challenge that a device answered; undefined unless it is valid for this purpose and was answered on a page
 * of this site.
 */
function answeredChallenge(env: Env, whatFor: Purpose, clientDataJSON: string): string | undefined {
  try {
    const { challenge, crossOrigin } = clientData.parse(JSON.parse(textOf(clientDataJSON)));
    return crossOrigin !== true && isChallenge(env, whatFor, challenge) ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The expected values in both checks. The library also checks the origin, the site, user presence and user
 * verification.
 */
const expected = ({ SITE_URL }: Env, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: SITE_URL,
  expectedRPID: new URL(SITE_URL).hostname,
  requireUserVerification: true,
});

/** The result of a check. If the check throws, the error is logged and the answer is invalid. */
async function orRefused<T>(deps: RequestDeps, check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch (error) {
    deps.log('passkey.refused', describeError(error));
    return undefined;
  }
}

/** A verified response of a device. */
export interface Checked {
  readonly challenge: string;
  /** The signature counter of the passkey; 0 if it has none. */
  readonly counter: number;
}

/** A new passkey that was verified but not stored yet. */
export type NewlyMade = Checked & StoredPasskey;

/**
 * Verifies a new passkey.
 * @returns undefined if it is invalid
 */
export async function checkNewCredential(
  deps: RequestDeps,
  whatFor: Purpose,
  { id, clientDataJSON, attestationObject, transports = [] }: NewCredential,
): Promise<NewlyMade | undefined> {
  const challenge = answeredChallenge(deps.env, whatFor, clientDataJSON);
  if (challenge === undefined) return undefined;
  return orRefused(deps, async () => {
    // Loaded on demand: the library is large, and most isolates never need it.
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      ...expected(deps.env, challenge),
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
 * Verifies that a device has presented a passkey. The batch that writes the new counter checks it, so that concurrent
 * answers cannot both succeed.
 * @returns undefined if it is invalid
 */
export async function checkAssertion(
  deps: RequestDeps,
  whatFor: Purpose,
  { id, clientDataJSON, authenticatorData, signature }: Assertion,
  publicKey: string,
): Promise<Checked | undefined> {
  const challenge = answeredChallenge(deps.env, whatFor, clientDataJSON);
  if (challenge === undefined) return undefined;
  return orRefused(deps, async () => {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      ...expected(deps.env, challenge),
      credential: { id, publicKey: fromBase64Url(publicKey), counter: 0 },
    });
    return verified ? { challenge, counter: authenticationInfo.newCounter } : undefined;
  });
}
