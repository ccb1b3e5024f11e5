/**
 * The one gate of the API, before any handler runs: a call that the contract does not list is 404, a cross-site write
 * 403, and a caller outside the call's audience 401 or 403.
 */
import { createMiddleware } from 'hono/factory';
import type { Account } from '#contract/accounts.ts';
import { requirementTextFor, requirementTexts, may } from '#contract/audience.ts';
import type { Call } from '#contract/call.ts';
import { allCalls, type ListedCall } from '#contract/all-calls.ts';
import { confirmExtension } from '#contract/problem.ts';
import { pathSource } from '#contract/route-pattern.ts';
import type { Env } from '../env.ts';
import type { AppEnv } from './app.ts';
import { ApiError, notAllowed, notFound, signInFirst } from './errors.ts';

const listed = allCalls.map((call) => ({ call, regexp: new RegExp(`^/api${pathSource(call.path)}$`) }));

/** The call at a method and path, or undefined; `HEAD` is answered where `GET` is. */
export function findCall(method: string, path: string): ListedCall | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return listed.find(({ call, regexp }) => call.method === wanted && regexp.test(path))?.call;
}

/**
 * Whether a request was made by a page of this origin. Browsers send `Sec-Fetch-Site` and, on writes, `Origin`; both
 * are beyond a page's control (https://owasp.org/www-community/attacks/csrf, Fetch Metadata).
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('Sec-Fetch-Site');
  if (site !== null && site !== 'same-origin' && site !== 'none') return false;
  const origin = request.headers.get('Origin');
  if (origin === null) return site !== null;
  // A plain form on a page with `no-referrer` has its origin hidden (https://fetch.spec.whatwg.org/#append-a-request-origin-header);
  // the browser still says that it is this site's. It says `cross-site` of a page that has no origin.
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
 * Whether another site or server may make a write: a signature in its body, or the secret in its address, proves that
 * it may.
 */
const isOpenToOthers = ({ accepts }: Pick<ListedCall, 'accepts'>): boolean =>
  accepts === 'signed' || accepts === 'one-click';

/** How long a sign-in, or a password typed again, confirms the identity of the caller, in ms. */
const confirmedMs = ({ LIMIT_CONFIRMED_MINUTES: minutes }: Env): number =>
  (minutes ? Number(minutes) : 10) * 60_000;

/** Whether a caller has confirmed their identity recently enough. */
export const hasConfirmed = (env: Env, { confirmedAt }: Account): boolean =>
  confirmedAt >= Date.now() - confirmedMs(env);

/**
 * Whether that holds for a call: true for calls that do not require it, and for anonymous callers. Where the site
 * requires a passkey, a password alone confirms nothing for staff who have one: else a stolen one would be enough to add
 * a passkey, to delete their account or to give it another email.
 */
const isConfirmed = (env: Env, account: Account | undefined, { confirmed }: Call): boolean =>
  !confirmed || !account || (account.lacks !== 'passkeySignIn' && hasConfirmed(env, account));

/** Asks the browser to have the person confirm their identity, and to repeat the call. */
const confirmFirst = () => new ApiError(403, 'Please confirm that it is you.', { [confirmExtension]: true });

/**
 * @throws ApiError 401 or 403 unless the caller belongs to the audience of a call and, if it requires that, has
 *   confirmed their identity recently
 */
export function refuseUnlessAllowed(env: Env, account: Account | undefined, call: Call): void {
  const { who } = call;
  if (may(account, who)) {
    if (isConfirmed(env, account, call)) return;
    throw account?.lacks === 'passkeySignIn' ? notAllowed(requirementTexts[account.lacks]) : confirmFirst();
  }
  if (!account) throw signInFirst();
  throw notAllowed(requirementTextFor(account, who));
}

export const guard = createMiddleware<AppEnv>(async (c, next) => {
  const call = findCall(c.req.method, c.req.path);
  if (!call) throw notFound('There is no such call.');
  if (call.method !== 'GET' && !isOpenToOthers(call)) {
    if (!isSameOrigin(c.req.raw)) throw new ApiError(403, 'This call can only be made from the site itself.');
    checkContentType(call, c.req.raw);
  }
  refuseUnlessAllowed(c.env, c.var.account, call);
  await next();
});
