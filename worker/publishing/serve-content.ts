/**
 * Serves the content pages, which are the same for everyone. A page can come from five places. The first one that
 * can serve it does:
 *
 * | place          | kept in            | answers                                                                          |
 * | -------------- | ------------------ | -------------------------------------------------------------------------------- |
 * | memory         | `live.ts`          | if the database confirmed the page within the last second                        |
 * | Workers Cache  | Cloudflare         | for 30 s, for 30 s more while it asks `Pages` again, for a day while that fails  |
 * | table `pages`  | the database       | if the cache has no page: `Pages` looks up what memory lacks or must confirm     |
 * | copy in R2     | `fallback-copy.ts`     | while the database is down, if memory lacks the page or is older                 |
 * | deployed files | the build's assets | while both are down, if memory lacks the page                                    |
 *
 * While the database is down, memory of any age answers before the copy. An unconfirmed page is `no-store`
 * (docs/decisions/serving-from-memory.md).
 */
import { isCampaign } from '#contract/addresses.ts';
import { isRecordPath } from '#contract/articles.ts';
import { linkTo } from '#contract/screens.ts';
import type { Env } from '../env.ts';
import { matchesEtag } from '../http/conditional.ts';
import { requestIdOf } from '../http/log.ts';
import { commonHeaders } from '../http/security-headers.ts';
import { fetchThroughCache, type CachedEntrypoint } from '../http/through-cache.ts';
import { trustedPage } from './live.ts';
import { contentPaths, type LivePage } from './page-set.ts';
import { policyOfPage } from './policy.ts';
import { cacheTags } from './purge.ts';

/**
 * For the shared cache: fresh for 30 s, then served stale while it revalidates, and for a day while the Worker
 * fails.
 */
const edgeCache = 'max-age=30, stale-while-revalidate=30, stale-if-error=86400';

interface Prepared {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
}

/** Encoded bodies and headers of the pages in memory. Creating them is the largest part of the cost of a response. */
const prepared = new WeakMap<LivePage, Prepared>();

function prepare(env: Env, page: LivePage): Prepared {
  const known = prepared.get(page);
  if (known) return known;
  const headers = new Headers({
    ...commonHeaders,
    'Content-Type': `${page.path.endsWith('.xml') ? 'application/xml' : 'text/html'}; charset=utf-8`,
    'Content-Security-Policy': policyOfPage(env, page),
    'X-Content-Revision': String(page.revision),
    'Cache-Control': 'public, max-age=0, must-revalidate',
    'Cloudflare-CDN-Cache-Control': edgeCache,
    'Cache-Tag': cacheTags(page.path),
    ETag: page.etag,
  });
  const made = { body: new TextEncoder().encode(page.html), headers };
  prepared.set(page, made);
  return made;
}

/** @param fresh whether the page is confirmed as live; if not, no cache may store it */
export function answerLive(request: Request, env: Env, page: LivePage, fresh: boolean): Response {
  const { body, headers } = prepare(env, page);
  const answer = matchesEtag(request.headers.get('If-None-Match'), page.etag)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers });
  answer.headers.set('X-Request-Id', requestIdOf(request));
  if (!fresh) {
    answer.headers.set('Cache-Control', 'no-store');
    answer.headers.delete('Cloudflare-CDN-Cache-Control');
    answer.headers.delete('Cache-Tag');
  }
  return answer;
}

/**
 * Serves a content page from memory, without database, middleware and log. Returns undefined for all other
 * requests, including those with a query, which may match a redirect, and those with `Cache-Control: no-cache`. An
 * editor's browser sends the latter to check that a save is live, because only the shared cache has what
 * visitors get.
 */
export function answerFromMemory(request: Request, env: Env): Response | undefined {
  if (request.method !== 'GET' || request.headers.get('Cache-Control') === 'no-cache') return undefined;
  const { pathname, search } = new URL(request.url);
  const page = isCampaign(search) ? trustedPage(pathname) : undefined;
  return page && answerLive(request, env, page, true);
}

/** Whether a path may be a content page. For pages at the top level, such as `/{slug}`, only the app can decide. */
const isContentPath = (path: string): boolean =>
  contentPaths.includes(path) || (path.startsWith(linkTo('articles')) && isRecordPath(path));

/**
 * Serves a content page through the shared cache.
 * @returns undefined for any other request, and for a page that is not available there: the app then serves the
 *   last publication
 */
export async function answerThroughCache(
  request: Request,
  pages: CachedEntrypoint,
): Promise<Response | undefined> {
  const { pathname, search } = new URL(request.url);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // A path with a query may match a redirect, which the app looks up.
  const isPage = isRead && isContentPath(pathname) && isCampaign(search);
  return isPage ? fetchThroughCache(request, pages) : undefined;
}
