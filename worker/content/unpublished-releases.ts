/**
 * Releases that were not published on schedule, or cannot be published in their current state. A person must decide.
 */
import { and, desc, eq, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { attentionQueries } from '../operations/attention-line.ts';
import { contentHistory, releaseChanges, releases } from './schema.ts';

/**
 * When a conflicting live save or removal happened, in ms; null if the release has no conflict with the live content.
 * Finds the conflicts of texts and of removed records that `evaluate` (release-edit.ts) finds. The last entry of a
 * record's history is what is live. Other conflicts, such as a list in another order, show only when the release is
 * opened or published.
 */
export function overtakenAt(db: Database): SQL<number | null> {
  const { action, base, value } = releaseChanges;
  const ofRecord = db
    .select({ id: contentHistory.id })
    .from(contentHistory)
    .where(eq(contentHistory.recordId, releaseChanges.recordId))
    .orderBy(desc(contentHistory.revision))
    .limit(1);
  // Each row of `json_each` is a field and its live value at the time of the change.
  const theirs = sql`coalesce(json_extract(${contentHistory.after}, field.fullkey), '')`;
  const mine = sql`json_extract(${value}, field.fullkey)`;
  const differs = sql`exists (
    select 1 from json_each(${base}) as field
    where ${theirs} <> field.value and (${action} = 'remove' or ${theirs} <> ${mine})
  )`;
  const conflicts = db
    .select({ at: sql`max(${contentHistory.at})` })
    .from(releaseChanges)
    .innerJoin(contentHistory, eq(contentHistory.id, ofRecord))
    .where(
      and(
        // Includes the table's name, because the changes also have an `_id`.
        eq(releaseChanges.releaseId, sql`${releases}.${sql.identifier(releases._id.name)}`),
        inArray(action, ['update', 'remove']),
        // If a record was removed, changes to it are blocked, but not its removal.
        sql`case when ${contentHistory.after} is null then ${action} = 'update' else ${differs} end`,
      ),
    );
  return sql<number | null>`(${conflicts})`;
}

/** How late a scheduled release may be before we report it, in ms. */
const lateMs = 15 * 60_000;

/**
 * Releases that were not published on schedule, or that conflict with a later save before their
 * scheduled time.
 * @param now time in ms
 */
export function unpublishedReleases(db: Database, now: number) {
  const isListed = and(
    isNull(releases.publishedAt),
    isNotNull(releases.publishAt),
    or(isNotNull(releases.failure), lt(releases.publishAt, now - lateMs), isNotNull(overtakenAt(db))),
  );
  /** Since when someone has been needed, in ms. */
  const since = sql<number>`case when ${releases.publishAt} <= ${now} then ${releases.publishAt} else ${overtakenAt(db)} end`;
  const { _id, title, failure, publishAt } = releases;
  return attentionQueries(db, {
    rows: () => db.select({ _id, title, failure, publishAt, since }).from(releases).where(isListed),
    since,
    toLine(release) {
      const isLate = release.failure !== null || (release.publishAt ?? 0) < now - lateMs;
      return {
        _id: release._id,
        text: isLate
          ? `The release “${release.title}” could not be published on time. ${release.failure ?? 'We will keep trying.'} All of its changes are kept.`
          : `The release “${release.title}” will not be published on schedule, because something it changes was saved or removed since. Open the release to choose what to publish.`,
        time: release.since,
      };
    },
  });
}
