/** Describes a release for its screen: what each change does to the live content, and what blocks the release. */
import { eq } from 'drizzle-orm';
import { differences, type ChangeAction } from '#contract/history.ts';
import type { Release, ReleaseChange } from '#contract/releases.calls.ts';
import type { ReleaseAction } from '#contract/releases.ts';
import {
  describeEntry,
  entriesQuery,
  removedTitles,
  titleOf,
  readRemainingEntries,
} from '../content/history.ts';
import { filterValues, type StoredContent } from '../content/stored.ts';
import { idsOf } from '../content/edits.ts';
import {
  applyRelease,
  mergeSequence,
  recordsOf,
  releaseEdit,
  type Outcome,
} from '../content/release-edit.ts';
import { contentHistory, publications } from '../content/schema.ts';
import { readTogether, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { ApiError } from '../http/errors.ts';
import { readLive } from '../publishing/live-content.ts';
import type { LiveContent } from '../publishing/page-set.ts';
import { dryRun } from '../publishing/dry-run.ts';
import { momentOf } from '../http/clock.ts';
import {
  readRelease,
  summaryOf,
  type ReleaseRow,
  type StoredChange,
  type StoredRelease,
} from './releases.ts';

function differencesOf({ change, before }: Outcome<StoredChange>): ReleaseChange['changes'] {
  const live = before?.values ?? {};
  switch (change.action) {
    case 'add':
      return differences({}, change.value);
    case 'update':
      return differences(
        before ? filterValues(live, (field) => field in change.value) : change.base,
        change.value,
      );
    case 'remove':
      return differences(live, {});
    case 'reorder':
      return [];
  }
}

function orderOf(
  live: StoredContent,
  content: StoredContent,
  { section, ...change }: StoredChange,
): ReleaseChange['order'] {
  if (change.action !== 'reorder') return null;
  const records = [...live[section], ...content[section]];
  const titles = new Map(records.map(({ _id, values }) => [_id, titleOf(section, values)]));
  const titlesOf = (ids: readonly string[]) => ids.map((id) => titles.get(id) ?? '');
  const ids = mergeSequence(idsOf(content[section]), change.value);
  const idsBefore = idsOf(live[section]);
  return { before: titlesOf(idsBefore), idsBefore, after: titlesOf(ids), ids: [...ids] };
}

/**
 * Describes a change in a release and its effect.
 * @param content the live content with the other changes of the release applied, or all of them
 */
export function describeOutcome(
  live: StoredContent,
  content: StoredContent,
  outcome: Outcome<StoredChange>,
): ReleaseChange {
  const { change, before, conflict } = outcome;
  const { _id, section, recordId, action, version, at, byEmail } = change;
  const values = {
    ...('base' in change && action !== 'reorder' && change.base),
    ...before?.values,
    ...('value' in change && action !== 'reorder' && change.value),
  };
  return {
    _id,
    section,
    recordId: recordId || null,
    action,
    title: titleOf(section, values),
    version,
    recordVersion: live[section].find((record) => record._id === recordId)?.version ?? null,
    changes: [...differencesOf(outcome)],
    order: orderOf(live, content, change),
    conflict: conflict ?? null,
    at: new Date(at).toISOString(),
    by: byEmail,
  };
}

/**
 * Describes the effects of publishing a release on schedule, or why that would be rejected although no change
 * conflicts.
 */
async function describeEffects(
  env: Env,
  db: Database,
  { release, changes }: StoredRelease,
  live: LiveContent,
): Promise<Pick<Release, 'problem' | 'pages'>> {
  const at = Math.max(release.publishAt ?? 0, Date.now());
  try {
    const { pages } = await dryRun(live, releaseEdit(changes), { db, env, releaseId: release._id, at });
    return { problem: null, pages: pages.map(({ path }) => path) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { problem: error.message, pages: [] };
  }
}

async function describeOpen(
  env: Env,
  db: Database,
  stored: StoredRelease,
): Promise<Pick<Release, 'changes' | 'problem' | 'pages'>> {
  const live = await readLive(db, recordsOf(stored.changes));
  const { content, outcomes } = applyRelease(live.content, stored.changes);
  const byId = new Map(outcomes.map((outcome) => [outcome.change._id, outcome]));
  const foreseen = outcomes.some(({ conflict }) => conflict)
    ? { problem: null, pages: [] }
    : await describeEffects(env, db, stored, live);
  const removed = outcomes.filter(({ conflict }) => conflict?.kind === 'removed');
  const titles = await removedTitles(
    db,
    removed.map(({ change }) => change.recordId),
  );
  return {
    changes: stored.changes.flatMap(({ _id, recordId }) => {
      const outcome = byId.get(_id);
      if (!outcome) return [];
      const described = describeOutcome(live.content, content, outcome);
      return [{ ...described, title: titles.get(recordId) ?? described.title }];
    }),
    ...foreseen,
  };
}

const actionsBefore: Readonly<Record<ChangeAction, ReleaseAction>> = {
  added: 'add',
  updated: 'update',
  restored: 'update',
  removed: 'remove',
  reordered: 'reorder',
};

/** Describes what the publication of a release changed, from the history. */
async function describePublished(
  db: Database,
  { revision, publishedAt }: ReleaseRow,
  by: string | null,
): Promise<Pick<Release, 'changes' | 'problem' | 'pages'>> {
  if (revision === null) return { changes: [], problem: null, pages: [] };
  const isPart = eq(contentHistory.revision, revision);
  const [[publication], first] = await readTogether(db, [
    db.select().from(publications).where(eq(publications.revision, revision)),
    entriesQuery(db, isPart),
  ]);
  const rows = await readRemainingEntries(db, isPart, first);
  const changes = rows.flatMap((row): ReleaseChange[] => {
    const described = describeEntry(row);
    if (!described) return [];
    return [
      {
        ...described,
        _id: row.id,
        action: actionsBefore[row.action],
        version: 1,
        recordVersion: row.version,
        order: null,
        conflict: null,
        at: new Date(publishedAt ?? row.at).toISOString(),
        by,
      },
    ];
  });
  return { changes, problem: null, pages: [...(publication?.changedPages ?? [])] };
}

/** @throws ApiError 404 */
export async function describeRelease(env: Env, db: Database, id: string): Promise<Release> {
  const stored = await readRelease(db, id);
  const { release } = stored;
  const described =
    release.publishedAt === null
      ? await describeOpen(env, db, stored)
      : await describePublished(db, release, release.publishedByEmail);
  const { changes, problem } = described;
  const isBlocked = problem !== null || changes.some(({ conflict }) => conflict !== null);
  return {
    ...summaryOf(release, { changeCount: changes.length, isBlocked }),
    ...described,
    previewUntil: momentOf(stored.previewUntil),
    timeZone: env.SITE_TIMEZONE,
  };
}
