/** The production Worker with the local mailbox beside it; only the local set-up has this entry. */
import worker from '../worker/index.ts';
import type { Env } from '../worker/env.ts';

interface LocalEnv extends Env {
  readonly MAILBOX: Fetcher;
}

export default {
  ...worker,
  fetch(request, env, context) {
    if (new URL(request.url).pathname === '/dev/mailbox') return env.MAILBOX.fetch(request);
    return worker.fetch(request, env, context);
  },
} satisfies ExportedHandler<LocalEnv>;
