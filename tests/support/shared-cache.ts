/**
 * A shared cache as Workers Cache is one, in small, with a clock of its own: it keeps what the answer's
 * `Cloudflare-CDN-Cache-Control` (or else `Cache-Control`) allows, serves it stale while it asks again or while the
 * origin fails, and drops what is purged by tag. Its key ignores cookies.
 * https://developers.cloudflare.com/workers/cache/ and RFC 9111, RFC 5861
 */

interface Stored {
  readonly text: string;
  readonly headers: Headers;
  readonly storedAt: number;
}

export interface Cached {
  readonly text: string;
  readonly headers: Headers;
  readonly from: 'origin' | 'cache';
}

/** The directives of a cache header: name to value. */
function directivesOf(headers: Headers): Map<string, string> {
  const text = headers.get('Cloudflare-CDN-Cache-Control') ?? headers.get('Cache-Control') ?? 'max-age=7200';
  return new Map(
    text.split(',').map((directive) => {
      const [name = '', value = ''] = directive.trim().toLowerCase().split('=');
      return [name, value];
    }),
  );
}

export class SharedCache {
  readonly #origin: (path: string) => Promise<Response>;
  readonly #stored = new Map<string, Stored>();
  /** The time in seconds; a test moves it. */
  now = 0;

  constructor(origin: (path: string) => Promise<Response>) {
    this.#origin = origin;
  }

  async #ask(path: string): Promise<Cached> {
    const answer = await this.#origin(path);
    const { headers } = answer;
    const text = await answer.text();
    const directives = directivesOf(headers);
    if (answer.status >= 500) throw new Error(`The origin answered ${String(answer.status)}.`);
    if (answer.status === 200 && !directives.has('no-store') && !directives.has('private'))
      this.#stored.set(path, { text, headers, storedAt: this.now });
    return { text, headers, from: 'origin' };
  }

  /** What a visitor is answered. @throws when the origin fails and nothing may stand in for it */
  async get(path: string): Promise<Cached> {
    const stored = this.#stored.get(path);
    if (!stored) return this.#ask(path);
    const age = this.now - stored.storedAt;
    const directives = directivesOf(stored.headers);
    const seconds = (name: string) => Number(directives.get(name) ?? 0);
    const fromCache: Cached = { text: stored.text, headers: stored.headers, from: 'cache' };
    if (age < seconds('max-age')) return fromCache;
    if (age < seconds('max-age') + seconds('stale-while-revalidate')) {
      await this.#ask(path).catch(() => undefined);
      return fromCache;
    }
    try {
      return await this.#ask(path);
    } catch (error) {
      if (age < seconds('max-age') + seconds('stale-if-error')) return fromCache;
      throw error;
    }
  }

  /** Drops everything that carries one of the tags. */
  purge(tags: readonly string[]): void {
    for (const [path, { headers }] of this.#stored)
      if ((headers.get('Cache-Tag') ?? '').split(',').some((tag) => tags.includes(tag.trim())))
        this.#stored.delete(path);
  }
}
