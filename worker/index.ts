/**
 * The Worker: one origin for pages and API. A page's request goes to `publishing/`, a call's through the guard to the
 * routes of its feature; errors become answers in one place.
 */
import { auditCallsMade, mountAudit } from './accounts/audit.ts';
import { deleteAccountsAgain } from './accounts/personal-data.ts';
import { mountAccounts } from './accounts/routes.ts';
import { loadAccount } from './accounts/session.ts';
import { sweepAccounts } from './accounts/sweep.ts';
import { answerPreview } from './editing/preview.ts';
import { draftsOfPerson } from './editing/drafts.ts';
import { sweepEditor } from './editing/sweep.ts';
import { publishDueReleases } from './editing/release-publication.ts';
import { mountReleases } from './editing/release-routes.ts';
import { mountEditing } from './editing/routes.ts';
import { systemCalls } from '#contract/calls/index.ts';
import { revisionPath } from '#contract/history.ts';
import { openDatabase } from './db/client.ts';
import { runMs } from './http/clock.ts';
import { conversationsOfPerson } from './conversations/personal-data.ts';
import { mountConversations } from './conversations/routes.ts';
import { sweepConversationsHourly, sweepFilesNightly } from './conversations/sweep.ts';
import { customersOfPerson } from './customers/personal-data.ts';
import { mountCustomers } from './customers/routes.ts';
import { settingsErrors, type Env } from './env.ts';
import { createApp } from './http/app.ts';
import { answerError, notFound, problemResponse, unavailable } from './http/errors.ts';
import { findCall, guard } from './http/guard.ts';
import { createLog, describeError, requestIdOf } from './http/log.ts';
import { mount } from './http/mount.ts';
import { describeApi } from './http/openapi.ts';
import { securityHeaders } from './http/security-headers.ts';
import { sweepInbox } from './inbox/sweep.ts';
import { mountInbox } from './inbox/routes.ts';
import { unsubscribe } from './inbox/subscribers.ts';
import { mountMail } from './mail/routes.ts';
import { deliverMail } from './mail/outbox.ts';
import { queueOrderDigest } from './orders/digest.ts';
import { inboxOfPerson } from './inbox/personal-data.ts';
import { claimHourly, ordersOfPerson } from './orders/personal-data.ts';
import { makeBackup } from './operations/backup.ts';
import { hasCronStopped, isClockWrong, noteRun } from './operations/jobs.ts';
import { deleteTombstoned } from './operations/tombstones.ts';
import { answerMedia } from './media/serve.ts';
import { sweepMediaHourly } from './media/sweep.ts';
import { mountOrders } from './orders/routes.ts';
import { queueAlerts, watchCron } from './payments/alerts.ts';
import { reconcilePayments } from './payments/reconcile.ts';
import { refundsOfPerson } from './payments/personal-data.ts';
import { mountRefunds } from './payments/refund-routes.ts';
import { mountPayments } from './payments/routes.ts';
import { followUpUnpaidOrders } from './payments/unpaid.ts';
import { remindOfBriefs } from './work/awaited-briefs.ts';
import { workOfPerson } from './work/personal-data.ts';
import { mountWork } from './work/routes.ts';
import { answerFrame } from './publishing/frames.ts';
import { answerThroughCache, type PagesEntrypoint } from './publishing/gateway.ts';
import { liveState } from './publishing/live.ts';
import { mountPublishing } from './publishing/routes.ts';
import { keepPublished } from './publishing/keep.ts';
import { Pages } from './publishing/pages.ts';
import { answerFromMemory, answerPage } from './publishing/serve.ts';

/** What a log may say of a path: the pattern of a call, never what somebody typed or was mailed. */
const routeOf = (method: string, path: string): string =>
  path.startsWith('/api/') ? (findCall(method, path)?.path ?? 'no call') : 'page';

/** What each feature holds of a person. */
const peoplesRecords = [
  refundsOfPerson,
  workOfPerson,
  conversationsOfPerson,
  ordersOfPerson,
  inboxOfPerson,
  customersOfPerson,
  draftsOfPerson,
];

const app = createApp();

app.use(async (c, next) => {
  c.set('requestId', requestIdOf(c.req.raw));
  c.set('log', createLog({ requestId: c.var.requestId }));
  c.set('db', openDatabase(c.env));
  const startedAt = Date.now();
  await next();
  c.var.log('request.answered', {
    method: c.req.method,
    route: routeOf(c.req.method, c.req.path),
    status: c.res.status,
    ms: Date.now() - startedAt,
  });
  if (c.req.path.startsWith('/api/')) watchCron(c);
});
app.use(securityHeaders);
app.use(async (c, next) => {
  const errors = settingsErrors(c.env);
  if (errors.length === 0) return next();
  c.var.log('settings.wrong', { errors: errors.join(' ') });
  return problemResponse({ title: 'Not set up', status: 500, detail: errors.join(' ') });
});
app.onError(answerError);
app.notFound((c) => answerError(notFound(), c));

app.use(loadAccount);

const api = createApp();
api.use(guard);
api.use(auditCallsMade);
mount(api, systemCalls, {
  'GET /health': async ({ c }) => {
    if (await hasCronStopped(c.var.db, Date.now()))
      throw unavailable('The cron trigger has stopped: emails wait, and payments are not looked after.');
    return { status: 'ok' as const };
  },
  'GET /openapi.json': ({ c }) => describeApi(c.env.SITE_URL),
});
mountAccounts(api, peoplesRecords);
mountAudit(api);
mountEditing(api);
mountReleases(api);
mountOrders(api);
mountConversations(api);
mountWork(api);
mountPayments(api);
mountRefunds(api);
mountInbox(api, answerFrame);
mountCustomers(api);
mountMail(api);
mountPublishing(api);
api.all('*', (c) => answerError(notFound(), c));

app.route('/api', api);
app.get(revisionPath, async (c) => {
  const { live } = await liveState(c.var.db, c.env, (work) => c.executionCtx.waitUntil(work));
  return c.json({ revision: live?.revision ?? null });
});
app.get('/media/*', async (c, next) => (await answerMedia(c)) ?? next());
app.get('/preview/*', async (c, next) => (await answerPreview(c)) ?? next());
app.all('*', answerPage);

export { Pages };

/** Content pages go through the shared cache; everything else, and a page that cannot be had there, through the app. */
async function answerRest(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const { Pages: pages } = context.exports as unknown as { Pages: PagesEntrypoint };
  return (await answerThroughCache(request, pages)) ?? app.fetch(request, env, context);
}

export default {
  fetch: (request, env, context) => answerFromMemory(request, env) ?? answerRest(request, env, context),

  /**
   * The cron trigger: settles payments that nobody reported, publishes the releases whose time has come, reminds of briefs, tells of new unpaid orders once an hour, sends mails that
   * wait, deletes what has run out, tells of what needs a person, makes the nightly backup.
   */
  async scheduled(_controller, env) {
    const log = createLog({ requestId: `cron-${crypto.randomUUID()}` });
    const errors = settingsErrors(env);
    if (errors.length > 0) {
      log('settings.wrong', { errors: errors.join(' ') });
      return;
    }
    // While the database is away each part says so by itself.
    if (await isClockWrong(openDatabase(env)).catch(() => false)) {
      log('cron.clock-wrong');
      return;
    }
    const results = await Promise.allSettled([
      reconcilePayments(env, log),
      followUpUnpaidOrders(env, log),
      claimHourly(env),
      remindOfBriefs(env),
      queueOrderDigest(env).finally(() => deliverMail(env, log, openDatabase(env), runMs)),
      sweepAccounts(env, log, peoplesRecords),
      deleteTombstoned(env, log, {
        account: (db, ids, fail) => deleteAccountsAgain({ db, env, log }, ids, peoplesRecords, fail),
        subscriber: unsubscribe,
      }),
      sweepInbox(env, log),
      publishDueReleases(env, log).finally(() => keepPublished(env, log)),
      sweepMediaHourly(env, log),
      sweepEditor(env),
      sweepFilesNightly(env, log),
      sweepConversationsHourly(env, log),
    ]);
    const failures = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason instanceof Error ? result.reason.name : 'unknown'] : [],
    );
    for (const error of failures) log('cron.failed', { error });
    try {
      await noteRun(openDatabase(env), 'cron', failures.join(', ') || null);
      await queueAlerts(env);
    } catch (error) {
      // An error that leaves here would be logged by the runtime, with the query that failed and its values.
      log('cron.not-noted', describeError(error));
    }
    // Last, because it may use up what processor time a run has.
    await makeBackup(env, log).catch((error: unknown) => log('backup.not-made', describeError(error)));
  },
} satisfies ExportedHandler<Env>;
