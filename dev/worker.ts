/**
 * The production Worker with what only the local set-up has: the mailbox, the dashboard of the Stripe stand-in,
 * the demo's files, and an address for its cached entrypoint.
 */
import worker from '#worker/index.ts';
import type { Env } from '#worker/env.ts';

interface LocalEnv extends Env {
  readonly MAILBOX: Fetcher;
}

const filesPrefix = '/dev/files/';

/** Stores a file of the demo's initial content (dev/seed/pictures.ts). */
async function putFile(request: Request, { FILES }: LocalEnv): Promise<Response> {
  const key = new URL(request.url).pathname.slice(filesPrefix.length);
  const contentType = request.headers.get('Content-Type') ?? '';
  const bytes = await request.arrayBuffer();
  if (!(await FILES.head(key))) await FILES.put(key, bytes, { httpMetadata: { contentType } });
  return new Response(null, { status: 204 });
}

const pagesPrefix = '/dev/pages';
const stripePrefix = '/dev/stripe';

export { Media, Pages } from '#worker/index.ts';

export default {
  ...worker,
  fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === '/dev/mailbox') return env.MAILBOX.fetch(request);
    // With a real key, Stripe's own dashboard does this.
    if (pathname.startsWith(stripePrefix) && env.STRIPE_API_URL)
      return fetch(new Request(new URL(pathname, env.STRIPE_API_URL), request), { redirect: 'manual' });
    if (pathname.startsWith(filesPrefix) && request.method === 'PUT') return putFile(request, env);
    // The entrypoint behind the shared cache. Tests call it in place of that cache.
    if (pathname.startsWith(pagesPrefix)) {
      const { Pages } = context.exports as unknown as { readonly Pages: Fetcher };
      return Pages.fetch(new Request(new URL(pathname.slice(pagesPrefix.length), request.url), request));
    }
    return worker.fetch(request, env, context);
  },
} satisfies ExportedHandler<LocalEnv>;
