/** All redirects. The linter allows no other module to redirect. */
import type { Context } from 'hono';
import { safeNext } from '#contract/account-rules.ts';
import { resolvePath } from '#contract/addresses.ts';
import type { AppEnv } from './app.ts';

/** The length of an address, in characters, that every recipient should support (RFC 9110, section 4.1). */
const maxAddressLength = 8_000;

/**
 * Redirects to a path on this site; anything else redirects to the landing page. A path that is too long loses its
 * query, which may contain arbitrary text from a form.
 * @param status 303 after a form, 302 or 308 between pages
 */
export function redirectWithin(
  c: Context<AppEnv>,
  path: string | undefined,
  status: 302 | 303 | 308 = 303,
): Response {
  const targets = [path, path?.split('?')[0]].map(safeNext);
  return c.redirect(
    targets.find((target = '') => target && target.length <= maxAddressLength) ?? '/',
    status,
  );
}

/**
 * Redirects permanently to the new address of a page that was moved. The address comes from the content,
 * never from a request.
 */
export const redirectMoved = (c: Context<AppEnv>, { host, pathname, search, hash, href }: URL): Response =>
  c.redirect(host === new URL(c.req.url).host ? (resolvePath(pathname + search + hash) ?? '/') : href, 301);

/** Redirects to another service. The address comes from the settings, never from a request. */
export const redirectAway = (c: Context<AppEnv>, url: URL): Response => c.redirect(url.href, 302);
