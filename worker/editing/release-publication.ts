/**
 * Publishes a release, either immediately or on schedule by the cron job. All of its changes go live in one
 * publication, or none do.
 */
import { and, asc, isNull, lte, sql, type SQL } from 'drizzle-orm';
import { dayIn, displayTimeIn } from '#contract/zoned-time.ts';
import { actorId } from '../accounts/owner.ts';
import { auditOfRequest, auditStatement } from '../audit/audit.ts';
import { withArticleRules } from '../content/article-rules.ts';
import { applyRelease, recordsOf, releaseEdit } from '../content/release-edit.ts';
import { releases } from '../content/schema.ts';
import {
  isFailedAssertion,
  retryUntilWritten,
  writeBatch,
  type Database,
  type Statement,
} from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Caller, RequestDeps } from '../http/app.ts';
import { ApiError, conflict, invalid, unavailable } from '../http/errors.ts';
import { describeError, type Log } from '../http/log.ts';
import { readLive } from '../publishing/live-content.ts';
import { publish, type Published, type SaveContext } from '../publishing/publish.ts';
import {
  changeRelease,
  decisionStatements,
  readRelease,
  refuseUnlessOpen,
  refuseUnlessSeen,
  type StoredRelease,
} from './releases.ts';

/** How many times a publication is retried if the release changes in the meantime. */
const tries = 20;

function refuseEmpty({ changes }: StoredRelease): void {
  if (changes.length === 0) throw conflict('This release has no changes yet.');
}

interface PublicationRules {
  /** Throws if the release has changed since the decision to publish it. */
  readonly check: (stored: StoredRelease) => void;
  readonly statements?: readonly Statement[];
}

/**
 * Publishes an open release: all of its changes in one revision. If all of its changes are already live, it counts as
 * published.
 * @throws ApiError what `check` throws, 404, 409 already published, without changes or in conflict with what is live,
 *   422 for the reasons of a save, 503
 */
export function publishRelease(
  context: SaveContext,
  id: string,
  { check, statements = [] }: PublicationRules,
): Promise<Published> {
  const { db, account } = context;
  return retryUntilWritten(
    async () => {
      const stored = await readRelease(db, id);
      refuseUnlessOpen(stored);
      check(stored);
      refuseEmpty(stored);
      const { release, changes } = stored;
      const published = (revision: number | null) =>
        decisionStatements(db, release, account, {
          set: {
            publishedAt: Date.now(),
            publishedBy: account?.id ?? '',
            revision,
            publishAt: null,
            failure: null,
          },
          after: { published: String(revision ?? '') },
          statements,
        });
      try {
        const done = await publish({ ...context, releaseId: id }, releaseEdit(changes), published);
        if (done.changes.length === 0) await writeBatch(db, published(null));
        return done;
      } catch (error) {
        // The release was changed in the meantime, so nothing was written.
        if (isFailedAssertion(error, 'unchanged')) return undefined;
        throw error;
      }
    },
    tries,
    () => unavailable('Many people are working on this release right now. Please publish it again.'),
  );
}

/** Describes what was done to a release, with its title, for the audit log. */
export const describeReleaseAs = (done: string, id: string): SQL<string> =>
  sql<string>`(SELECT ${done} || ' “' || ${releases.title} || '”' FROM ${releases} WHERE ${releases._id} = ${id})`;

/** @throws ApiError 422 an article of the release would still have a future day at this time */
async function refuseEarly(
  { db, env }: Caller,
  { changes }: StoredRelease,
  publishAt: number,
): Promise<void> {
  const { content } = await readLive(db, recordsOf(changes));
  const { made } = applyRelease(content, changes);
  withArticleRules(content, made, { today: dayIn(env.SITE_TIMEZONE, publishAt) });
}

/**
 * @param at ISO 8601 with offset; null removes the schedule
 * @throws ApiError 404, 409 already published or without changes, 412, 422 a time in the past, or before the day of an
 *   article
 */
export function scheduleRelease(
  caller: Caller & RequestDeps,
  id: string,
  { at, ifMatch }: { readonly at: string | null; readonly ifMatch?: string | undefined },
): Promise<void> {
  const publishAt = at === null ? null : Date.parse(at);
  if (publishAt !== null && publishAt <= Date.now()) throw invalid({ at: 'Choose a time in the future.' });
  const { db, account } = caller;
  return changeRelease(db, id, account, async (stored) => {
    const { release } = stored;
    if (release.publishAt === publishAt && release.failure === null) return { isUnchanged: true };
    refuseUnlessSeen(stored, ifMatch);
    if (publishAt !== null) {
      refuseEmpty(stored);
      await refuseEarly(caller, stored, publishAt);
    }
    return {
      set: { publishAt, scheduledBy: publishAt === null ? null : account.id, failure: null },
      before: { publishAt: String(release.publishAt ?? '') },
      after: { publishAt: String(publishAt ?? '') },
      statements: [
        auditOfRequest(caller, {
          action: 'release',
          accountId: actorId(account.id),
          recordId: id,
          details:
            publishAt === null
              ? `Cancelled the schedule of the release “${release.title}”`
              : `Scheduled the release “${release.title}” for ${displayTimeIn(publishAt, caller.env.SITE_TIMEZONE)}`,
        }),
      ],
    };
  });
}

const runLength = 20;

/**
 * Publishes one scheduled release. If that is impossible, stores the reason and leaves the release unchanged.
 * @throws ApiError 404, 409 it was just published or removed, or its schedule was removed; 503
 */
async function publishDue(context: SaveContext, id: string, now: number): Promise<void> {
  const { db, log, account } = context;
  const refuseUnlessDue = ({ release: { publishAt } }: StoredRelease) => {
    if (publishAt === null || publishAt > now) throw conflict('This release is no longer due.');
  };
  try {
    const auditEntry = auditStatement(db, {
      action: 'release',
      accountId: account?.id ?? '',
      recordId: id,
      details: describeReleaseAs('Published the release', id),
    });
    const rules = { check: refuseUnlessDue, statements: [auditEntry] };
    const { revision } = await publishRelease(context, id, rules);
    log('release.published', { revision });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 503) throw error;
    const failure = error.message;
    await changeRelease(db, id, undefined, (stored) => {
      refuseUnlessDue(stored);
      return { set: { failure }, after: { failure } };
    });
    log('release.not-published', { status: error.status });
  }
}

/**
 * Publishes the releases that are due, each on behalf of the account that scheduled it, even if that account has lost
 * its role or was deleted. A release belongs to all editors, and any of them may remove its schedule. The cron job runs
 * this. It waits for background work only after all releases are live, because a shared purge takes up to twelve
 * seconds.
 */
export async function publishDueReleases(env: Env, log: Log, db: Database): Promise<void> {
  const now = Date.now();
  const due = await db
    .select({ _id: releases._id, scheduledBy: releases.scheduledBy })
    .from(releases)
    .where(and(isNull(releases.publishedAt), isNull(releases.failure), lte(releases.publishAt, now)))
    .orderBy(asc(releases.publishAt))
    .limit(runLength);
  const errors: unknown[] = [];
  const work: Promise<unknown>[] = [];
  for (const { _id, scheduledBy } of due) {
    const context = {
      db,
      env,
      log,
      account: scheduledBy === null ? undefined : { id: scheduledBy },
      waitUntil: (part: Promise<unknown>) => void work.push(part),
    };
    await publishDue(context, _id, now).catch((error: unknown) => {
      if (error instanceof ApiError && error.status !== 503) return;
      log('release.not-published', describeError(error));
      errors.push(error);
    });
  }
  await Promise.all(work);
  if (errors.length > 0)
    throw new Error('A release could not be published right now; the next run tries again.');
}
