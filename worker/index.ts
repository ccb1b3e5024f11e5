/**
 * The Worker serves the pages and the API from one origin. `publishing/` serves the pages. A call goes through the
 * guard to the routes of its feature. `answerError` turns every error into a response.
 */
import type { Env } from './env.ts';
import { answerInsecure } from './http/insecure.ts';
import { Media } from './media/entrypoint.ts';
import { Pages } from './publishing/pages.ts';
import type { CachedEntrypoint } from './http/through-cache.ts';
import { answerFromMemory, answerThroughCache } from './publishing/serve-content.ts';

export { Media, Pages };

/** Serves a content page through the shared cache, and everything else through the app. */
async function answerRest(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const cached = context.exports as unknown as { readonly Pages: CachedEntrypoint };
  const page = await answerThroughCache(request, cached.Pages);
  if (page) return page;
  const { answerByApp } = await import('./app.ts');
  return answerByApp(request, env, context);
}

export default {
  fetch: (request, env, context) =>
    answerInsecure(request, env) ?? answerFromMemory(request, env) ?? answerRest(request, env, context),

  async email(message, env, context) {
    const { receiveMail } = await import('./incoming-mail.ts');
    await receiveMail(message, env, context);
  },

  async scheduled({ cron }, env) {
    const { runCron } = await import('./cron.ts');
    await runCron(cron, env);
  },
} satisfies ExportedHandler<Env>;
