/**
 * The guard runs before every handler of the API. It returns 404 for a call that is not in the contract, 403 for a
 * cross-site write, and 401 or 403 for a caller outside the call's audience.
 */
import { createMiddleware } from 'hono/factory';
import type { Account } from '#contract/accounts.ts';
import { requirementTextFor, requirementTexts, may } from '#contract/audience.ts';
import type { Call } from '#contract/call.ts';
import { allCalls, type ListedCall } from '#contract/all-calls.ts';
import { confirmExtension } from '#contract/problem.ts';
import { pathSource } from '#contract/route-pattern.ts';
import { numberFrom, type Env } from '../env.ts';
import type { AppEnv } from './app.ts';
import { ApiError, notAllowed, notFound, signInFirst } from './errors.ts';

const listed = allCalls.map((call) => ({ call, regexp: new RegExp(`^/api${pathSource(call.path)}$`) }));

/** Finds a call by method and path. `HEAD` finds the call of `GET`. */
export function findCall(method: string, path: string): ListedCall | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return listed.find(({ call, regexp }) => call.method === wanted && regexp.test(path))?.call;
}

/**
 * Whether a page of this origin made a request. Browsers send `Sec-Fetch-Site` and, on writes, `Origin`. A page cannot
 * change either header (https://owasp.org/www-community/attacks/csrf, Fetch Metadata).
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('Sec-Fetch-Site');
  if (site !== null && site !== 'same-origin' && site !== 'none') return false;
  const origin = request.headers.get('Origin');
  if (origin === null) return site !== null;
  // A plain form on a page with `no-referrer` sends `Origin: null`
  // (https://fetch.spec.whatwg.org/#append-a-request-origin-header). `Sec-Fetch-Site` is still `same-origin` then, but
  // `cross-site` for a page without an origin.
  if (origin === 'null') return site === 'same-origin';
  return origin === new URL(request.url).origin;
}

function checkContentType(call: ListedCall, request: Request): void {
  const type = (request.headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json' || request.headers.get('Content-Length') === '0' || !request.body) return;
  if (call.accepts === 'form' && type === 'application/x-www-form-urlencoded') return;
  if (call.accepts === 'file' && type === 'multipart/form-data') return;
  if (call.accepts === 'bytes' && type === 'application/octet-stream') return;
  throw new ApiError(
    403,
    `Send this call as ${call.accepts === 'bytes' ? 'application/octet-stream' : 'application/json'}.`,
  );
}

/**
 * Whether other sites and servers may make a write. A signature in the body or a secret in the address authorizes it.
 */
const isOpenToOthers = ({ accepts }: Pick<ListedCall, 'accepts'>): boolean =>
  accepts === 'signed' || accepts === 'one-click';

/** How long a sign-in or a confirmation of identity stays valid, in ms. */
const confirmedMs = (env: Env): number => numberFrom(env, 'LIMIT_CONFIRMED_MINUTES', 10) * 60_000;

export const hasConfirmed = (env: Env, { confirmedAt }: Account): boolean =>
  confirmedAt >= Date.now() - confirmedMs(env);

/**
 * Whether a caller is confirmed for a call. True for calls that require no confirmation, and for anonymous callers. If
 * the site requires passkeys, a password does not confirm staff who have a passkey. Otherwise a stolen password would
 * be enough to add a passkey, change the email or delete the account.
 */
const isConfirmed = (env: Env, account: Account | undefined, { confirmed }: Call): boolean =>
  !confirmed || !account || (account.lacks !== 'passkeySignIn' && hasConfirmed(env, account));

/** The error that makes the browser ask for confirmation and then repeat the call. */
const confirmFirst = () => new ApiError(403, 'Please confirm that it is you.', { [confirmExtension]: true });

/**
 * @throws ApiError 401 or 403 unless the caller belongs to the audience of a call and, if the call requires it,
 *   confirmed their identity recently
 */
function refuseUnlessAllowed(env: Env, account: Account | undefined, call: Call): void {
  const { who } = call;
  if (may(account, who)) {
    if (isConfirmed(env, account, call)) return;
    throw account?.lacks === 'passkeySignIn' ? notAllowed(requirementTexts[account.lacks]) : confirmFirst();
  }
  if (!account) throw signInFirst();
  throw notAllowed(requirementTextFor(account, who));
}

export const guard = createMiddleware<AppEnv>(async (c, next) => {
  const { call } = c.var;
  if (!call) throw notFound('There is no such call.');
  if (call.method !== 'GET' && !isOpenToOthers(call)) {
    if (!isSameOrigin(c.req.raw)) throw new ApiError(403, 'This call can only be made from the site itself.');
    checkContentType(call, c.req.raw);
  }
  refuseUnlessAllowed(c.env, c.var.account, call);
  await next();
});
