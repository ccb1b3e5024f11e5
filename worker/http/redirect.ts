/** The one place from which answers lead the browser on; the linter holds every other module to it. */
import type { Context } from 'hono';
import { safeNext } from '#contract/accounts.ts';
import type { AppEnv } from './app.ts';

/**
 * Leads the browser on to a path of this site. It never leads away: what is
 * no path on this origin leads to the landing page.
 * @param status 303 after a form, 302 or 308 from page to page
 */
export const redirectWithin = (
  c: Context<AppEnv>,
  path: string | undefined,
  status: 302 | 303 | 308 = 303,
): Response => c.redirect(safeNext(path) ?? '/', status);

/** Leads the browser on for good to where an administrator says that a page has moved: a redirect of the content, never of a request. */
export const redirectMoved = (c: Context<AppEnv>, { origin, pathname, search, hash, href }: URL): Response =>
  c.redirect(origin === new URL(c.req.url).origin ? pathname + search + hash : href, 301);

/** Leads the browser to another service, at an address that the settings name and no request. */
export const redirectAway = (c: Context<AppEnv>, url: URL): Response => c.redirect(url.href, 302);
