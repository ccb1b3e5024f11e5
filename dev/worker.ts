/** The production Worker with the local mailbox, and its cached entrypoint by an address; only the local set-up has this entry. */
import worker from '#worker/index.ts';
import type { Env } from '#worker/env.ts';

interface LocalEnv extends Env {
  readonly MAILBOX: Fetcher;
}

const pagesPrefix = '/dev/pages';

export { Pages } from '#worker/index.ts';

export default {
  ...worker,
  fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === '/dev/mailbox') return env.MAILBOX.fetch(request);
    // The entrypoint behind the shared cache, which tests stand in for.
    if (pathname.startsWith(pagesPrefix)) {
      const { Pages } = context.exports as unknown as { readonly Pages: Fetcher };
      return Pages.fetch(new Request(new URL(pathname.slice(pagesPrefix.length), request.url), request));
    }
    return worker.fetch(request, env, context);
  },
} satisfies ExportedHandler<LocalEnv>;
