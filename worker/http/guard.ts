/**
 * The one gate of the API, before any handler runs: a call that the contract does not list is 404, a cross-site write
 * 403, and a caller outside the call's audience 401 or 403.
 */
import { createMiddleware } from 'hono/factory';
import { allCalls, type ListedCall } from '#contract/calls/index.ts';
import { pathSource } from '#contract/route-pattern.ts';
import type { AppEnv } from './app.ts';
import { awaitCaller, refuseUnlessAllowed } from './early.ts';
import { ApiError, notFound } from './errors.ts';

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

export const guard = createMiddleware<AppEnv>(async (c, next) => {
  const call = findCall(c.req.method, c.req.path);
  if (!call) throw notFound('There is no such call.');
  if (call.method !== 'GET' && !isOpenToOthers(call)) {
    if (!isSameOrigin(c.req.raw)) throw new ApiError(403, 'This call can only be made from the site itself.');
    checkContentType(call, c.req.raw);
  }
  await awaitCaller(c, call);
  refuseUnlessAllowed(c.env, c.var.account, call);
  await next();
});
