/**
 * Token sync notifies another of the firm's services when a person signs in or out. We send it an ID token, a JWT
 * signed with TOKEN_SIGNING_KEY, by POST at sign-in and by DELETE at sign-out. No request waits for it.
 */
import { sign } from 'hono/jwt';
import type { RequestDeps } from '../http/app.ts';
import { runInBackground } from '../http/run-in-background.ts';

/** We never send a token older than this. */
const maxTokenAgeSeconds = 300;
const timeoutMs = 5_000;

const secondsNow = () => Math.floor(Date.now() / 1_000);

interface IdToken {
  readonly jwt: string;
  /** When it was issued, in seconds. */
  readonly issuedAt: number;
}

/** Creates the ID token of an account (OpenID Connect Core 1.0, section 2), signed with HS256. */
export async function createIdToken(
  account: { readonly id: string; readonly email: string; readonly emailVerified: boolean },
  { issuer, audience, key }: { issuer: string; audience: string; key: string },
): Promise<IdToken> {
  const issuedAt = secondsNow();
  const claims = {
    iss: issuer,
    aud: audience,
    sub: account.id,
    email: account.email,
    email_verified: account.emailVerified,
    iat: issuedAt,
    exp: issuedAt + maxTokenAgeSeconds,
  };
  return { jwt: await sign(claims, key, 'HS256'), issuedAt };
}

/**
 * Sends a token unless it is older than `maxTokenAgeSeconds`.
 * @returns the response's status; undefined if the token was too old to send
 */
export async function sendIdToken(
  url: string,
  method: 'POST' | 'DELETE',
  { jwt, issuedAt }: IdToken,
): Promise<number | undefined> {
  if (secondsNow() - issuedAt > maxTokenAgeSeconds) return undefined;
  const answer = await fetch(url, {
    method,
    headers: { Authorization: `Bearer ${jwt}` },
    signal: AbortSignal.timeout(timeoutMs),
  });
  await answer.body?.cancel();
  return answer.status;
}

/** Notifies the configured service of a sign-in (`POST`) or sign-out (`DELETE`), in the background. */
export function syncToken(
  deps: RequestDeps,
  method: 'POST' | 'DELETE',
  account: Parameters<typeof createIdToken>[0],
): void {
  const { TOKEN_SYNC_URL: url, TOKEN_SIGNING_KEY: key, SITE_URL: issuer } = deps.env;
  if (!url || !key) return;
  const sync = async () => {
    const token = await createIdToken(account, { issuer, audience: new URL(url).origin, key });
    const status = await sendIdToken(url, method, token);
    if (status === undefined || status >= 400) deps.log('token-sync.refused', { method, status });
  };
  runInBackground(deps, sync, (failure) => deps.log('token-sync.failed', { method, ...failure }));
}
