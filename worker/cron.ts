/** The jobs of the cron triggers. If one fails, the others still run. */
import { repeatAccountDeletions } from './accounts/personal-data.ts';
import { sweepAccounts } from './accounts/sweep.ts';
import { sweepConversations, sweepFiles } from './fulfillment/sweep.ts';
import { sweepReplyFiles } from './inbox/reply-files.ts';
import { openBatchingDatabase, type Database } from './db/client.ts';
import { sweepDrafts } from './editing/drafts.ts';
import { sweepPreviewLinks } from './editing/preview-links.ts';
import { publishDueReleases } from './editing/release-publication.ts';
import { settingsErrors, type Env } from './env.ts';
import { createLog, describeError, type Log } from './http/log.ts';
import { unsubscribe } from './inbox/subscribers.ts';
import { sweepInbox } from './inbox/sweep.ts';
import { deliverDueMail } from './mail/outbox.ts';
import { sweepMedia } from './media/sweep.ts';
import { makeBackup } from './operations/backup.ts';
import { cronTriggers, isClockSkewed, recordRun } from './operations/jobs.ts';
import { deleteTombstoned, type Deletions } from './operations/tombstones.ts';
import { queueOrderDigest } from './orders/digest.ts';
import { claimUnclaimedOrders } from './orders/personal-data.ts';
import { queueAlerts } from './attention/alerts.ts';
import { openPaymentContext } from './payments/context.ts';
import { checkKeyWhenDue } from './payments/key-check.ts';
import { reconcileEvents, reconcileIntents } from './payments/reconcile.ts';
import { reconcileRefunds } from './payments/refund-requests.ts';
import { reconcileSubscriptions } from './payments/sync-subscription.ts';
import { followUpUnpaidOrders } from './payments/unpaid.ts';
import { personalRecords } from './personal-records.ts';
import { checkFallbackCopy, runPublishingJobs } from './publishing/publishing-jobs.ts';
import { remindOfBriefs } from './fulfillment/awaited-briefs.ts';

/** Waits for jobs and logs those that failed. @returns the names of their errors */
async function runJobs(jobs: readonly Promise<unknown>[], log: Log): Promise<string[]> {
  const failures = (await Promise.allSettled(jobs)).flatMap((result) =>
    result.status === 'rejected' ? [describeError(result.reason).error] : [],
  );
  for (const error of failures) log('cron.failed', { error });
  return failures;
}

/**
 * The hourly jobs: assign orders to their owners, delete the text of old messages on orders, delete unused pictures,
 * check the copy of the pages, and create the nightly backup.
 */
async function runHourly(env: Env, log: Log, db: Database): Promise<void> {
  const jobs = [
    claimUnclaimedOrders(db),
    sweepConversations(env, log, db),
    sweepMedia(env, db, log, Date.now()),
    checkFallbackCopy(env, log, db),
  ];
  await runJobs(jobs, log);
  // The backup is last, because it may use up the processor time of the run.
  await runJobs([makeBackup(env, log, db)], log);
}

/** Queues the digest of orders and sends due emails, even if the digest fails. */
async function sendMail(env: Env, log: Log, db: Database): Promise<void> {
  try {
    await queueOrderDigest(env, db);
  } finally {
    await deliverDueMail(env, log, db);
  }
}

/** Publishes the releases that are due and runs the publishing jobs, even if a release fails. */
async function publish(env: Env, log: Log, db: Database): Promise<void> {
  try {
    await publishDueReleases(env, log, db);
  } finally {
    await runPublishingJobs(env, log, db);
  }
}

/**
 * The jobs that run every minute: settle unreported payments, publish due releases, send reminders, report new unpaid
 * orders once an hour, send queued emails, delete expired data, and report what needs attention.
 * The reads with which the parts check whether they have work are one round trip.
 */
async function runEveryMinute(env: Env, log: Log, db: Database): Promise<void> {
  const deletions: Deletions = {
    account: (database, ids, fail) =>
      repeatAccountDeletions({ db: database, env, log }, ids, personalRecords, fail),
    subscriber: unsubscribe,
  };
  const payments = openPaymentContext(env, log, db);
  const jobs = [
    reconcileIntents(payments),
    reconcileRefunds(payments),
    reconcileSubscriptions(payments),
    reconcileEvents(payments),
    checkKeyWhenDue(payments),
    followUpUnpaidOrders(payments, Date.now()),
    remindOfBriefs(env, db),
    sendMail(env, log, db),
    sweepAccounts(env, log, personalRecords, db),
    deleteTombstoned(env, log, deletions, db),
    sweepInbox(env, log, db),
    publish(env, log, db),
    sweepDrafts(db, Date.now()),
    sweepPreviewLinks(db, Date.now()),
  ];
  const failures = await runJobs(jobs, log);
  try {
    await recordRun(db, 'cron', failures.join(', ') || null);
    await queueAlerts(env, db);
  } catch (error) {
    // The runtime would log an uncaught error with the failed query and its values.
    log('cron.record-failed', describeError(error));
  }
}

/** Runs a cron trigger. If a job fails, the others still run. */
export async function runCron(cron: string, env: Env): Promise<void> {
  const log = createLog({ requestId: `cron-${crypto.randomUUID()}` });
  const errors = settingsErrors(env);
  if (errors.length > 0) {
    log('settings.invalid', { errors: errors.join(' ') });
    return;
  }
  const db = openBatchingDatabase(env);
  // While the database is unavailable, each job reports that itself.
  if (await isClockSkewed(db).catch(() => false)) {
    log('cron.clock-skew');
    return;
  }
  if (cron === cronTriggers.hourly) await runHourly(env, log, db);
  else if (cron === cronTriggers.nightly)
    await runJobs([sweepFiles(env, db, log, Date.now()), sweepReplyFiles(env, db, log, Date.now())], log);
  else await runEveryMinute(env, log, db);
}
