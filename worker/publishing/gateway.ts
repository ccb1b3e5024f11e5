/**
 * Content pages through the shared cache. The default entrypoint is the gateway: it requests a page from the cached
 * entrypoint by its path alone, so that queries, cookies and headers do not split the cache key.
 * https://developers.cloudflare.com/workers/cache/examples/
 */
import { isCampaign } from '#contract/addresses.ts';
import { contentPages } from '#contract/screens.ts';
import { isKnown } from '../http/conditional.ts';
import { requestIdOf } from '../http/log.ts';

/** The cached entrypoint as the gateway sees it (`ctx.exports.Pages`). */
export interface PagesEntrypoint {
  fetch(request: Request): Promise<Response>;
}

/** The paths of the content pages, as they are spelled. */
const contentPaths: ReadonlySet<string> = new Set(contentPages.map(({ pattern }) => pattern));

/**
 * A content page through the cache.
 * @returns undefined for any other request, and for a page that is not available there: the app then answers the last
 *   publication
 */
export async function answerThroughCache(
  request: Request,
  pages: PagesEntrypoint,
): Promise<Response | undefined> {
  const { pathname, search } = new URL(request.url);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // A page with a query may be an old address, from which a redirect leads on: the app looks that up.
  if (!isRead || !contentPaths.has(pathname) || !isCampaign(search)) return undefined;
  const answer = await pages.fetch(new Request(new URL(pathname, request.url))).catch(() => undefined);
  if (!answer?.ok) {
    await answer?.body?.cancel();
    return undefined;
  }
  const headers = new Headers(answer.headers);
  headers.set('X-Request-Id', requestIdOf(request));
  // Conditional requests are answered here, so that the cache is only ever asked for whole pages.
  const isUnchanged = isKnown(request.headers.get('If-None-Match'), headers.get('ETag') ?? '');
  if (!isUnchanged && request.method === 'GET') return new Response(answer.body, { headers });
  await answer.body?.cancel();
  return new Response(null, { status: isUnchanged ? 304 : 200, headers });
}
