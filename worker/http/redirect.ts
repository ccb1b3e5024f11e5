/** The one place that redirects; the linter allows no other module to do it. */
import type { Context } from 'hono';
import { safeNext } from '#contract/accounts.ts';
import { resolvePath } from '#contract/addresses.ts';
import type { AppEnv } from './app.ts';

/** Longest address, in characters, that everything on the way is to read (RFC 9110, section 4.1). */
const maxAddressLength = 8_000;

/**
 * Redirects to a path of this site, never to another one: anything that is not a path on this origin becomes the landing
 * page. What is too long for an address loses its query, in which a form may have sent anything.
 * @param status 303 after a form, 302 or 308 from page to page
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
 * Redirects permanently to the new address of a page that an administrator moved. The address comes from the content,
 * never from a request.
 */
export const redirectMoved = (c: Context<AppEnv>, { host, pathname, search, hash, href }: URL): Response =>
  c.redirect(host === new URL(c.req.url).host ? (resolvePath(pathname + search + hash) ?? '/') : href, 301);

/** Redirects to another service. The address comes from the settings, never from a request. */
export const redirectAway = (c: Context<AppEnv>, url: URL): Response => c.redirect(url.href, 302);
