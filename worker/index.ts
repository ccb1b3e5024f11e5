/**
 * The Worker serves the pages and the API from one origin. `publishing/` serves the pages. A call goes through the
 * guard to the routes of its feature. `answerError` turns every error into a response.
 */
import type { Env } from './env.ts';
import { Media } from './media/entrypoint.ts';
import { Pages } from './publishing/pages.ts';
import { cachedEntrypoints } from './http/through-cache.ts';
import { answerFromMemory, answerThroughCache } from './publishing/serve-content.ts';

export { Media, Pages };

/**
 * Redirects a plain HTTP request to the same address over HTTPS (RFC 9110, 308). Cloudflare passes such requests on
 * unless a setting of the zone turns that off.
 * @returns undefined for HTTPS, and on a local site
 */
function answerInsecure({ url }: Request, { ENVIRONMENT }: Pick<Env, 'ENVIRONMENT'>): Response | undefined {
  if (ENVIRONMENT === 'local' || !url.startsWith('http://')) return undefined;
  const headers = { Location: url.replace('http:', 'https:'), 'Cache-Control': 'no-store' };
  return new Response(null, { status: 308, headers });
}

/** Serves a content page through the shared cache, and everything else through the app. */
async function answerRest(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const page = await answerThroughCache(request, cachedEntrypoints(context).Pages);
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
