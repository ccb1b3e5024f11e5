/**
 * Workers Caching as its documentation describes it, in small and with a clock of its own: what it keeps and for how
 * long, what is part of a key, that a purge reaches one entrypoint alone and that a refused one is an answer. Billing,
 * tiers, `Vary` and the anti-poisoning headers are left out.
 * https://developers.cloudflare.com/workers/cache/, RFC 9111, RFC 5861
 */
import type { PurgeResult } from '#worker/publishing/purge.ts';

interface Stored {
  readonly text: string;
  readonly status: number;
  readonly headers: Headers;
  readonly storedAt: number;
}

/** What the cache says in `Cf-Cache-Status`. */
export type CacheStatus = 'HIT' | 'MISS' | 'EXPIRED' | 'UPDATING' | 'STALE' | 'BYPASS';

type Fetch = (request: Request) => Promise<Response>;

export interface CachedEntrypoint {
  fetch(request: Request, init?: { readonly cf?: { readonly cacheKey?: string } }): Promise<Response>;
  purge(tags: readonly string[]): Promise<PurgeResult>;
}

/** How long an answer is kept that says nothing, in seconds. */
const unsaid: Readonly<Record<number, number>> = {
  200: 7_200,
  301: 1_200,
  404: 180,
  405: 60,
  410: 180,
  501: 60,
};

/** The directives of the most specific header: name to value. */
function directivesOf({ headers, status }: Pick<Response, 'headers' | 'status'>): Map<string, string> {
  const text =
    headers.get('Cloudflare-CDN-Cache-Control') ??
    headers.get('CDN-Cache-Control') ??
    headers.get('Cache-Control') ??
    (unsaid[status] === undefined ? 'no-store' : `max-age=${String(unsaid[status])}`);
  return new Map(
    text.split(',').map((directive) => {
      const [name = '', value = ''] = directive.trim().toLowerCase().split('=');
      return [name, value];
    }),
  );
}

function mayStore(request: Request, answer: Response): boolean {
  const directives = directivesOf(answer);
  if (directives.has('no-store') || directives.has('private') || answer.headers.has('Set-Cookie'))
    return false;
  if (answer.status >= 500 && answer.status !== 501) return false;
  return !request.headers.has('Authorization') || directives.has('public');
}

/** How many seconds after its freshness an answer may still be served; `must-revalidate` and `s-maxage` forbid it. */
function graceOf(stored: Stored, rule: 'stale-while-revalidate' | 'stale-if-error'): number {
  const directives = directivesOf(stored);
  const isForbidden = ['s-maxage', 'must-revalidate', 'proxy-revalidate'].some((name) =>
    directives.has(name),
  );
  return isForbidden ? 0 : Number(directives.get(rule) ?? 0);
}

export class SharedCache {
  readonly #stored = new Map<string, Stored>();
  /** The time in seconds; a test moves it. */
  now = 0;
  /** How many purges are still taken; further ones are refused. */
  purgesLeft = Infinity;

  /** A Worker's entrypoint with the cache before it, as `ctx.exports` has it. */
  before(name: string, origin: Fetch): CachedEntrypoint {
    return {
      fetch: (request, init) => {
        const { pathname, search } = new URL(request.url);
        return this.#answer(`${name} ${init?.cf?.cacheKey || pathname + search}`, request, origin);
      },
      purge: (tags) => Promise.resolve(this.#purge(name, tags)),
    };
  }

  async #answer(key: string, request: Request, origin: Fetch): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return origin(request);
    const stored = this.#stored.get(key);
    if (!stored) return this.#ask(key, request, origin, 'MISS');
    const age = this.now - stored.storedAt;
    const freshFor = Number(directivesOf(stored).get('max-age') ?? 0);
    if (age < freshFor) return toAnswer(stored, request, 'HIT');
    if (age < freshFor + graceOf(stored, 'stale-while-revalidate')) {
      await this.#ask(key, request, origin, 'EXPIRED').catch(() => undefined);
      return toAnswer(stored, request, 'UPDATING');
    }
    const answer = await this.#ask(key, request, origin, 'EXPIRED').catch(() => undefined);
    if (answer && answer.status < 500) return answer;
    if (age < freshFor + graceOf(stored, 'stale-if-error')) return toAnswer(stored, request, 'STALE');
    return answer ?? new Response(null, { status: 500 });
  }

  /** Asks with the caller's headers: what the documents do not say is taken off may reach the entrypoint. */
  async #ask(key: string, request: Request, origin: Fetch, status: CacheStatus): Promise<Response> {
    const answer = await origin(new Request(request.url, { headers: request.headers }));
    const stored: Stored = {
      text: await answer.text(),
      status: answer.status,
      headers: answer.headers,
      storedAt: this.now,
    };
    if (!mayStore(request, answer)) return toAnswer(stored, request, 'BYPASS');
    this.#stored.set(key, stored);
    return toAnswer(stored, request, status);
  }

  #purge(name: string, tags: readonly string[]): PurgeResult {
    if (this.purgesLeft < 1) return { success: false, errors: [{ code: 10_429, message: 'Rate limited' }] };
    this.purgesLeft -= 1;
    const meant = new Set(tags.map((tag) => tag.toLowerCase()));
    for (const [key, { headers }] of this.#stored) {
      const own = (headers.get('Cache-Tag') ?? '').toLowerCase().split(',');
      if (key.startsWith(`${name} `) && own.some((tag) => meant.has(tag.trim()))) this.#stored.delete(key);
    }
    return { success: true, errors: [] };
  }
}

/** What the caller gets: without the headers that are for the cache alone. */
function toAnswer(
  { text, status, headers: kept }: Stored,
  request: Request,
  cacheStatus: CacheStatus,
): Response {
  const headers = new Headers(kept);
  for (const name of ['Cloudflare-CDN-Cache-Control', 'Cache-Tag']) headers.delete(name);
  headers.set('Cf-Cache-Status', cacheStatus);
  if (request.headers.get('If-None-Match') === headers.get('ETag') && headers.has('ETag'))
    return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' || status === 304 ? null : text, { status, headers });
}
