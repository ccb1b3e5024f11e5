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
import { systemCalls } from '#contract/all-calls.ts';
import { revisionPath } from '#contract/history.ts';
import { openBatchingDatabase, openDatabase, type Database } from './db/client.ts';
import { conversationsOfPerson } from './fulfillment/conversation-personal-data.ts';
import { mountConversations } from './fulfillment/conversation-routes.ts';
import { sweepConversations, sweepFiles } from './fulfillment/sweep.ts';
import { customersOfPerson } from './customers/personal-data.ts';
import { mountCustomers } from './customers/routes.ts';
import { settingsErrors, type Env } from './env.ts';
import { createApp } from './http/app.ts';
import { answerError, notFound, problemResponse, unavailable } from './http/errors.ts';
import { findCall, guard } from './http/guard.ts';
import { createLog, describeError, requestIdOf, type Log } from './http/log.ts';
import { mount } from './http/mount.ts';
import { describeApi } from './http/openapi.ts';
import { securityHeaders } from './http/security-headers.ts';
import { sweepInbox } from './inbox/sweep.ts';
import { mountInbox } from './inbox/routes.ts';
import { unsubscribe } from './inbox/subscribers.ts';
import { mountMail } from './mail/routes.ts';
import { deliverDueMail } from './mail/outbox.ts';
import { queueOrderDigest } from './orders/digest.ts';
import { inboxOfPerson } from './inbox/personal-data.ts';
import { claimLeftOrders, ordersOfPerson } from './orders/personal-data.ts';
import { makeBackup } from './operations/backup.ts';
import { cronTriggers, hasCronStopped, isClockWrong, noteRun } from './operations/jobs.ts';
import { deleteTombstoned } from './operations/tombstones.ts';
import { Media } from './media/entrypoint.ts';
import { answerPicture, readPicture, type MediaEntrypoint } from './media/serve.ts';
import { sweepMedia } from './media/sweep.ts';
import { mountOrders } from './orders/routes.ts';
import { queueAlerts, watchCron } from './attention/alerts.ts';
import { openPaymentContext } from './payments/context.ts';
import { checkKeyWhenDue } from './payments/key-check.ts';
import { reconcilePayments } from './payments/reconcile.ts';
import { refundsOfPerson } from './payments/personal-data.ts';
import { mountRefunds } from './payments/refund-routes.ts';
import { mountAttention } from './attention/routes.ts';
import { mountPayments } from './payments/routes.ts';
import { followUpUnpaidOrders } from './payments/unpaid.ts';
import { remindOfBriefs } from './fulfillment/awaited-briefs.ts';
import { workOfPerson } from './fulfillment/plan-personal-data.ts';
import { mountWork } from './fulfillment/plan-routes.ts';
import { answerInsecure } from './http/insecure.ts';
import { answerFrame } from './publishing/frames.ts';
import { answerThroughCache, type PagesEntrypoint } from './publishing/gateway.ts';
import { liveState } from './publishing/live.ts';
import { mountPublishing } from './publishing/routes.ts';
import { checkCopy, keepPublished } from './publishing/keep.ts';
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
mountAttention(api);
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
app.get('/media/*', async (c, next) => (await readPicture(c.req.raw, c.env)) ?? next());
app.get('/preview/*', async (c, next) => (await answerPreview(c)) ?? next());
app.all('*', answerPage);

export { Media, Pages };

/** Content pages and pictures go through the shared cache; all else, and what cannot be had there, through the app. */
async function answerRest(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const cached = context.exports as unknown as { Pages: PagesEntrypoint; Media: MediaEntrypoint };
  return (
    (await answerThroughCache(request, cached.Pages)) ??
    (await answerPicture(request, cached.Media)) ??
    app.fetch(request, env, context)
  );
}

/** Waits for jobs and logs those that failed. @returns the names of their errors */
async function runJobs(jobs: readonly Promise<unknown>[], log: Log): Promise<string[]> {
  const failures = (await Promise.allSettled(jobs)).flatMap((result) =>
    result.status === 'rejected' ? [result.reason instanceof Error ? result.reason.name : 'unknown'] : [],
  );
  for (const error of failures) log('cron.failed', { error });
  return failures;
}

/** What may wait an hour: gives orders to their owners, deletes old words, looks after the bucket, makes the nightly backup. */
async function runHourly(env: Env, log: Log, db: Database): Promise<void> {
  const jobs = [
    claimLeftOrders(db),
    sweepConversations(env, log, db),
    sweepMedia(env, db, log, Date.now()),
    checkCopy(env, log, db),
  ];
  await runJobs(jobs, log);
  // Last, because it may use up what processor time a run has.
  await runJobs([makeBackup(env, log, db)], log);
}

/**
 * Settles payments that nobody reported, publishes the releases whose time has come, reminds of briefs, tells of new
 * unpaid orders once an hour, sends mails that wait, deletes what has run out, tells of what needs a person. The reads
 * by which each part learns whether it has something to do are one round trip.
 */
async function runEveryMinute(env: Env, log: Log, db: Database): Promise<void> {
  const again: Parameters<typeof deleteTombstoned>[2] = {
    account: (database, ids, fail) =>
      deleteAccountsAgain({ db: database, env, log }, ids, peoplesRecords, fail),
    subscriber: unsubscribe,
  };
  const jobs = [
    reconcilePayments(env, log, db),
    checkKeyWhenDue(openPaymentContext(env, log, db)),
    followUpUnpaidOrders(env, log, db),
    remindOfBriefs(env, db),
    queueOrderDigest(env, db).finally(() => deliverDueMail(env, log, db)),
    sweepAccounts(env, log, peoplesRecords, db),
    deleteTombstoned(env, log, again, db),
    sweepInbox(env, log, db),
    publishDueReleases(env, log, db).finally(() => keepPublished(env, log, db)),
    sweepEditor(env, db),
  ];
  const failures = await runJobs(jobs, log);
  try {
    await noteRun(db, 'cron', failures.join(', ') || null);
    await queueAlerts(env, db);
  } catch (error) {
    // An error that leaves here would be logged by the runtime, with the query that failed and its values.
    log('cron.not-noted', describeError(error));
  }
}

export default {
  fetch: (request, env, context) =>
    answerInsecure(request, env) ?? answerFromMemory(request, env) ?? answerRest(request, env, context),

  /** The cron triggers. Each part of a run goes on when another one fails. */
  async scheduled({ cron }, env) {
    const log = createLog({ requestId: `cron-${crypto.randomUUID()}` });
    const errors = settingsErrors(env);
    if (errors.length > 0) {
      log('settings.wrong', { errors: errors.join(' ') });
      return;
    }
    const db = openBatchingDatabase(env);
    // While the database is away each part says so by itself.
    if (await isClockWrong(db).catch(() => false)) {
      log('cron.clock-wrong');
      return;
    }
    if (cron === cronTriggers.hourly) await runHourly(env, log, db);
    else if (cron === cronTriggers.nightly) await runJobs([sweepFiles(env, db, log, Date.now())], log);
    else await runEveryMinute(env, log, db);
  },
} satisfies ExportedHandler<Env>;
