/**
 * Emails the business once about each problem that needs attention: new attention lines, a failed backup, a failing or
 * stopped cron trigger. When a problem is resolved, its alert is deleted, so the problem is reported again if it comes
 * back.
 */
import { eq, inArray } from 'drizzle-orm';
import type { Context } from 'hono';
import { attentionKinds } from '#contract/attention.ts';
import { linkTo } from '#contract/screens.ts';
import { maxPageSize } from '#contract/paging.ts';
import { writeUnlessConflict, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { depsOf, type AppEnv } from '../http/app.ts';
import { runInBackground } from '../http/run-in-background.ts';
import { remainingMs } from '../http/clock.ts';
import type { Log } from '../http/log.ts';
import type { MailContent } from '../mail/layout.ts';
import { deliverMail, queueMail } from '../mail/outbox.ts';
import { mails } from '../mail/schema.ts';
import { hasCronStopped, readJobFaults, type JobFault } from '../operations/jobs.ts';
import { alerts } from '../operations/schema.ts';
import { readNewestAttention } from './attention.ts';
import { keysQuery } from '../payments/stripe-key.ts';
import { findModeProblem } from '../payments/stripe.ts';

/** The kind of these emails. An alert email that cannot be sent causes no further alert. */
const alertKind = 'alert';
/** The maximum number of problems that one email lists. The subject states the total. */
const maxListed = 20;

const alertMail = (siteUrl: string, faults: readonly JobFault[]): MailContent => ({
  subject:
    faults.length === 1 ? 'Your site needs attention' : `Your site needs attention: ${faults.length} items`,
  paragraphs: [
    ...faults.slice(0, maxListed).map(({ text }) => text),
    faults.length > maxListed ? `And ${faults.length - maxListed} more.` : '',
  ],
  action: { label: 'See what needs attention', href: `${siteUrl}${linkTo('needsAttention')}` },
  closing: ['You will get only one email about each item.'],
});

interface Faults {
  /** Each has a unique key. */
  readonly faults: readonly JobFault[];
  /** Whether a fault may exist without being in this list, because each kind is limited. */
  readonly mayHide: (key: string) => boolean;
}

/**
 * Reads the problems that someone should know about right now.
 * @param to the email address that receives the alert
 */
async function readFaults(env: Env, db: Database, now: number, to: string): Promise<Faults> {
  const [items, jobs, ownMails, [paymentKey]] = await Promise.all([
    readNewestAttention(db, env, now),
    readJobFaults(env, db, now),
    db.select({ _id: mails._id }).from(mails).where(eq(mails.kind, alertKind)),
    keysQuery(db),
  ]);
  const mixed = paymentKey && findModeProblem(env, paymentKey.stripeKey);
  const own = new Set(ownMails.map(({ _id }) => _id));
  // The business already gets a separate email about these.
  const listed = items.filter(
    ({ _id, kind }) => !own.has(_id) && !(attentionKinds[kind].hasOwnEmail && to === env.NOTIFY_EMAIL),
  );
  return {
    faults: [
      ...jobs,
      ...(mixed === undefined
        ? []
        : [{ key: 'job:payment-key', text: `Customers cannot pay by card. ${mixed}` }]),
      ...listed.map(({ kind, _id, text }) => ({ key: `${kind}:${_id}`, text })),
    ],
    mayHide: (key) => items.filter(({ kind }) => key.startsWith(`${kind}:`)).length >= maxPageSize,
  };
}

/**
 * Queues one email about all new problems. Only one of several concurrent runs queues it.
 * @param now time in ms
 */
export async function queueAlerts(env: Env, db: Database, now: number = Date.now()): Promise<void> {
  const to = env.ALERT_EMAIL || env.NOTIFY_EMAIL;
  const [{ faults, mayHide }, sent] = await Promise.all([
    readFaults(env, db, now, to),
    db.select({ key: alerts.key }).from(alerts),
  ]);
  const sentKeys = new Set(sent.map(({ key }) => key));
  const presentKeys = new Set(faults.map(({ key }) => key));
  const fresh = faults.filter(({ key }) => !sentKeys.has(key));
  const settled = [...sentKeys].filter((key) => !presentKeys.has(key) && !mayHide(key));
  if (fresh.length === 0 && settled.length === 0) return;
  // Only one of several concurrent runs writes.
  await writeUnlessConflict(db, [
    ...(settled.length > 0 ? [db.delete(alerts).where(inArray(alerts.key, settled))] : []),
    ...fresh.map(({ key }) => db.insert(alerts).values({ key, at: now })),
    ...(fresh.length > 0
      ? [queueMail(db, env, { to, kind: alertKind, content: alertMail(env.SITE_URL, fresh) })]
      : []),
  ]);
}

/** How often an isolate checks the cron trigger, in ms. A new isolate waits this long before its first check. */
const checkEveryMs = 5 * 60_000;
let lookedAt: number | undefined;

/**
 * Checks whether the cron trigger has stopped, which the trigger cannot report itself. API calls run this check, at
 * most every five minutes.
 */
export function watchCron(c: Context<AppEnv>, now: number = Date.now()): void {
  lookedAt ??= now;
  if (remainingMs(lookedAt, checkEveryMs, now) > 0) return;
  lookedAt = now;
  const {
    env,
    var: { db, log },
  } = c;
  runInBackground(
    depsOf(c),
    () => alertIfCronStopped(env, log, db, now),
    (failure) => log('cron.check-failed', failure),
  );
}

/** The check that `watchCron` runs. */
export async function alertIfCronStopped(env: Env, log: Log, db: Database, now: number): Promise<void> {
  if (!(await hasCronStopped(env, db, now))) return;
  await queueAlerts(env, db, now);
  await deliverMail(env, log, db);
}
