/**
 * Calls an entrypoint that wrangler.toml puts behind the cache. The entrypoint gets a request with only the path, so
 * that queries, cookies and headers do not split the cache key.
 * https://developers.cloudflare.com/workers/cache/examples/
 */
import { matchesEtag } from './conditional.ts';
import { requestIdOf } from './log.ts';

export interface CachedEntrypoint {
  fetch(request: Request): Promise<Response>;
}

/** The cached entrypoints of the Worker. The runtime's types do not know the names that index.ts exports. */
export const cachedEntrypoints = ({ exports }: Pick<ExecutionContext, 'exports'>) =>
  exports as unknown as { readonly Media: CachedEntrypoint; readonly Pages: CachedEntrypoint };

/**
 * The response to a GET or HEAD. Conditional requests are handled here, so that the cache is asked only for whole
 * bodies.
 * @returns undefined if the entrypoint fails or has nothing at the path
 */
export async function fetchThroughCache(
  request: Request,
  entrypoint: CachedEntrypoint,
): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  const answer = await entrypoint.fetch(new Request(new URL(pathname, request.url))).catch(() => undefined);
  if (!answer?.ok) {
    await answer?.body?.cancel();
    return undefined;
  }
  const headers = new Headers(answer.headers);
  headers.set('X-Request-Id', requestIdOf(request));
  const isUnchanged = matchesEtag(request.headers.get('If-None-Match'), headers.get('ETag') ?? '');
  if (!isUnchanged && request.method === 'GET') return new Response(answer.body, { headers });
  await answer.body?.cancel();
  return new Response(null, { status: isUnchanged ? 304 : 200, headers });
}
