/**
 * The Worker: one origin for pages and API. A visitor's page is answered with what is loaded here; the app and the jobs of
 * the cron triggers are loaded when they are first needed, so that a new isolate answers its first visitor sooner.
 */
import type { Env } from './env.ts';
import { answerInsecure } from './http/insecure.ts';
import { Media } from './media/entrypoint.ts';
import { Pages } from './publishing/pages.ts';
import { answerFromMemory, answerThroughCache, type PagesEntrypoint } from './publishing/serve-content.ts';

export { Media, Pages };

/** A content page through the shared cache, and all else through the app. */
async function answerRest(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const cached = context.exports as unknown as { readonly Pages: PagesEntrypoint };
  const page = await answerThroughCache(request, cached.Pages);
  if (page) return page;
  const { answerByApp } = await import('./app.ts');
  return answerByApp(request, env, context);
}

export default {
  fetch: (request, env, context) =>
    answerInsecure(request, env) ?? answerFromMemory(request, env) ?? answerRest(request, env, context),

  async scheduled({ cron }, env) {
    const { runCron } = await import('./cron.ts');
    await runCron(cron, env);
  },
} satisfies ExportedHandler<Env>;
