/**
 * The Hono app: calls, screens, and everything else that index.ts did not serve. A call goes through the guard to
 * the routes of its feature, and a page goes to `publishing/`. Errors become responses in one place.
 */
import { auditMiddleware } from './audit/audited-calls.ts';
import { mountAudit } from './audit/routes.ts';
import { emailOf, nameOf } from './accounts/owner.ts';
import { mountAccounts } from './accounts/routes.ts';
import { loadAccount } from './accounts/session-cookies.ts';
import { mountFulfillment } from './fulfillment/routes.ts';
import { mountNotes } from './customers/note-routes.ts';
import { mountCustomers } from './customers/routes.ts';
import { openDatabase } from './db/client.ts';
import { answerPreview } from './editing/preview.ts';
import { mountReleases } from './editing/release-routes.ts';
import { mountEditing } from './editing/routes.ts';
import { settingsErrors, type Env } from './env.ts';
import { createApp, depsOf } from './http/app.ts';
import { answerError, notFound, problemResponse, unavailable } from './http/errors.ts';
import { findCall, guard } from './http/guard.ts';
import { createLog, requestIdOf } from './http/log.ts';
import { mount } from './http/mount.ts';
import { describeApi } from './http/openapi.ts';
import { securityHeaders } from './http/security-headers.ts';
import { mountInbox } from './inbox/routes.ts';
import { cachedEntrypoints } from './http/through-cache.ts';
import { deliverQueued } from './mail/outbox.ts';
import { answerPicture, readPicture } from './media/serve.ts';
import { hasCronStopped } from './operations/jobs.ts';
import { mountOrders } from './orders/routes.ts';
import { watchCron } from './attention/alerts.ts';
import { mountAttention } from './attention/routes.ts';
import { mountRefunds } from './payments/refund-routes.ts';
import { mountPayments } from './payments/routes.ts';
import { mountSubscriptions } from './payments/subscription-routes.ts';
import { personalRecords } from './personal-records.ts';
import { answerFrame } from './publishing/frames.ts';
import { liveState } from './publishing/live.ts';
import { mountPublishing } from './publishing/routes.ts';
import { answerPage } from './publishing/serve-screens.ts';
import { systemCalls } from '#contract/all-calls.ts';
import { revisionPath } from '#contract/history.ts';

const app = createApp();

app.use(async (c, next) => {
  const isApi = c.req.path.startsWith('/api/');
  const call = isApi ? findCall(c.req.method, c.req.path) : undefined;
  c.set('call', call);
  c.set('requestId', requestIdOf(c.req.raw));
  c.set('log', createLog({ requestId: c.var.requestId }));
  c.set('db', openDatabase(c.env));
  const startedAt = Date.now();
  await next();
  c.var.log('request.answered', {
    method: c.req.method,
    // The pattern of a path, never the path itself, which may contain typed text or a secret.
    route: isApi ? (call?.path ?? 'no call') : 'page',
    status: c.res.status,
    ms: Date.now() - startedAt,
  });
  if (isApi) watchCron(c);
});
app.use(securityHeaders);
app.use(async (c, next) => {
  const errors = settingsErrors(c.env);
  if (errors.length === 0) return next();
  c.var.log('settings.invalid', { errors: errors.join(' ') });
  return problemResponse({ title: 'Not set up', status: 500, detail: errors.join(' ') });
});
app.onError(answerError);
app.notFound((c) => answerError(notFound(), c));

app.use(loadAccount);

const api = createApp();
api.use(guard);
api.use(auditMiddleware);
api.use(async (c, next) => {
  await next();
  deliverQueued(depsOf(c));
});
mount(api, systemCalls, {
  'GET /health': async ({ c }) => {
    if (await hasCronStopped(c.env, c.var.db, Date.now()))
      throw unavailable('The cron trigger has stopped: emails wait, and payments are not checked.');
    return { status: 'ok' as const };
  },
  'GET /openapi.json': ({ c }) => describeApi(c.env.SITE_URL),
});
mountAccounts(api, personalRecords);
mountAudit(api, { emailOf, nameOf });
mountEditing(api);
mountReleases(api);
mountOrders(api);
mountFulfillment(api);
mountPayments(api);
mountAttention(api);
mountRefunds(api);
mountSubscriptions(api);
mountInbox(api, answerFrame);
mountCustomers(api);
mountNotes(api);
mountPublishing(api);
api.all('*', (c) => answerError(notFound(), c));

app.route('/api', api);
app.get(revisionPath, async (c) => {
  const { live } = await liveState(c.var.db, c.env, (work) => c.executionCtx.waitUntil(work));
  return c.json({ revision: live?.revision ?? null });
});
app.get('/media/*', async (c, next) => (await readPicture(c.req.raw, c.env)) ?? next());
app.get('/preview/*', async (c, next) => (await answerPreview(c)) ?? next());
app.all('*', answerPage);

/** Serves a picture through the shared cache, and everything else through the app. */
export async function answerByApp(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const { Media } = cachedEntrypoints(context);
  return (await answerPicture(request, Media)) ?? app.fetch(request, env, context);
}
