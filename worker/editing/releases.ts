/**
 * Releases: named sets of changes that stay hidden until they are published together. The audit log records every
 * change with its author. A change is written only if the release still has the version that the change is based on.
 * The same applies to publication (audit/setting-events.ts).
 */
import { and, asc, count, desc, eq, gt, inArray, max, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import type { QueryOf } from '#contract/call.ts';
import type { ChangeAction } from '#contract/history.ts';
import { newId } from '#contract/ids.ts';
import type { ReleaseSummary, releaseCalls } from '#contract/releases.calls.ts';
import { actorId, emailOf } from '../accounts/owner.ts';
import { saveWithRetry, settingEvent, hasVersion } from '../audit/setting-events.ts';
import type { Change, SectionChange } from '../content/release-edit.ts';
import { releaseChanges, releases } from '../content/schema.ts';
import type { Values } from '../content/stored.ts';
import { overtakenAt } from '../content/unpublished-releases.ts';
import { assert } from '../db/assert.ts';
import { readTogether, writeBatch, type Database, type Statement } from '../db/client.ts';
import { idsOnPage, readPage, type Page } from '../db/paging.ts';
import { conflict, notFound } from '../http/errors.ts';
import { checkVersion } from '../http/conditional.ts';
import { previewLinks } from './schema.ts';
import { sectionOf } from '../content/history.ts';
import { momentOf } from '../http/clock.ts';

export type ReleaseRow = typeof releases.$inferSelect;
type ChangeRow = typeof releaseChanges.$inferSelect;

/** A stored change with its author's email. */
export type StoredChange = SectionChange & {
  readonly _id: string;
  readonly version: number;
  readonly at: number;
  readonly byEmail: string | null;
};

interface Emails {
  readonly createdByEmail: string | null;
  readonly publishedByEmail: string | null;
}

export interface StoredRelease {
  readonly release: ReleaseRow & Emails;
  /** Oldest first. Changes to sections that no longer exist are left out. */
  readonly changes: readonly StoredChange[];
  /** The total length of the changed values, as JSON. */
  readonly characters: number;
  /** When the last preview link expires, in ms; null if there is none. */
  readonly previewUntil: number | null;
}

const releaseColumns = {
  release: releases,
  createdByEmail: emailOf(releases.createdBy),
  publishedByEmail: emailOf(releases.publishedBy),
};

export const summaryOf = (
  release: ReleaseRow & Emails,
  { changeCount, isBlocked }: Pick<ReleaseSummary, 'changeCount' | 'isBlocked'>,
): ReleaseSummary => ({
  _id: release._id,
  title: release.title,
  version: release.version,
  status: release.publishedAt === null ? 'open' : 'published',
  changeCount,
  createdAt: new Date(release.createdAt).toISOString(),
  createdBy: release.createdByEmail,
  publishAt: momentOf(release.publishAt),
  failure: release.failure,
  isBlocked,
  revision: release.revision,
  publishedAt: momentOf(release.publishedAt),
  publishedBy: release.publishedByEmail,
});

/** One page of the releases, newest first, with the total. */
export async function listReleases(
  db: Database,
  { status, recordId, section, ...page }: QueryOf<(typeof releaseCalls)['GET /releases']>,
): Promise<Page<ReleaseSummary>> {
  const holding = db
    .select({ id: releaseChanges.releaseId })
    .from(releaseChanges)
    .where(
      and(
        recordId === undefined ? undefined : eq(releaseChanges.recordId, recordId),
        section && eq(releaseChanges.section, section),
      ),
    );
  const isWanted = and(
    status && (status === 'open' ? isNull(releases.publishedAt) : isNotNull(releases.publishedAt)),
    recordId === undefined && !section ? undefined : inArray(releases._id, holding),
  );
  // Includes the table's name, because the changes also have an `_id`, and Drizzle leaves the name out when it selects
  // from a single table.
  const id = sql`${releases}.${sql.identifier(releases._id.name)}`;
  const changeCount = sql<number>`(select count(*) from ${releaseChanges} where ${releaseChanges.releaseId} = ${id})`;
  const { total, rows } = await readPage(
    db,
    page,
    db.select({ count: count() }).from(releases).where(isWanted),
    (window) =>
      db
        .select({ ...releaseColumns, changeCount, overtakenAt: overtakenAt(db) })
        .from(releases)
        .where(inArray(releases._id, idsOnPage(db, releases._id, window, isWanted)))
        .orderBy(desc(releases._id)),
  );
  return {
    total,
    rows: rows.map(({ release, changeCount: count, overtakenAt: overtaken, ...emails }) =>
      summaryOf(
        { ...release, ...emails },
        { changeCount: count, isBlocked: release.publishedAt === null && overtaken !== null },
      ),
    ),
  };
}

function readChange(row: ChangeRow, byEmail: string | null): StoredChange[] {
  const { _id, recordId, action, value, base, version, at } = row;
  const section = sectionOf(row.section);
  const change = { action, recordId, ...(value && { value }), ...(base && { base }) } as Change;
  return section ? [{ ...change, section, _id, version, at, byEmail }] : [];
}

/** @throws ApiError 404 */
export async function readRelease(db: Database, id: string): Promise<StoredRelease> {
  const { value, base } = releaseChanges;
  const [[found], rows, [link]] = await readTogether(db, [
    db.select(releaseColumns).from(releases).where(eq(releases._id, id)),
    db
      .select({
        change: releaseChanges,
        byEmail: emailOf(releaseChanges.by),
        characters: sql<number>`coalesce(length(${value}), 0) + coalesce(length(${base}), 0)`,
      })
      .from(releaseChanges)
      .where(eq(releaseChanges.releaseId, id))
      .orderBy(asc(releaseChanges._id)),
    db
      .select({ until: max(previewLinks.expiresAt) })
      .from(previewLinks)
      .where(and(eq(previewLinks.releaseId, id), gt(previewLinks.expiresAt, Date.now()))),
  ]);
  if (!found) throw notFound('We could not find this release.');
  const { release, ...emails } = found;
  return {
    release: { ...release, ...emails },
    changes: rows.flatMap(({ change, byEmail }) => readChange(change, byEmail)),
    characters: rows.reduce((sum, { characters }) => sum + characters, 0),
    previewUntil: link?.until ?? null,
  };
}

/** Who changes a release: an account, or the cron job. */
type Actor = Pick<Account, 'id'> | undefined;
const idOfActor = (actor: Actor): SQL<string> | string => (actor ? actorId(actor.id) : '');

interface Decision<T = undefined> {
  /** The return value of the change. */
  readonly answer?: T;
  /** Whether the release is already in the requested state. If so, only `statements` are written. */
  readonly isUnchanged?: boolean;
  readonly action?: ChangeAction;
  readonly set?: Partial<ReleaseRow>;
  readonly statements?: readonly Statement[];
  /** Another condition for the write. If it does not hold, `decide` runs again. */
  readonly onlyIf?: SQL | undefined;
  /** What the audit log stores about the change. */
  readonly before?: Values;
  readonly after?: Values;
}

/**
 * The statements of a change to a release. They are written only if the release still has the version that was read.
 */
export function decisionStatements(
  db: Database,
  { _id, version }: ReleaseRow,
  actor: Actor,
  { set = {}, statements = [], onlyIf, ...audited }: Omit<Decision, 'answer' | 'isUnchanged'>,
): readonly Statement[] {
  const event = {
    setting: 'release',
    recordId: _id,
    version: version + 1,
    action: 'updated',
    ...audited,
  } as const;
  return [
    assert(db, hasVersion(releases, { _id, version })),
    ...(onlyIf ? [assert(db, onlyIf)] : []),
    settingEvent(db, event, idOfActor(actor)),
    db
      .update(releases)
      .set({ ...set, version: version + 1 })
      .where(eq(releases._id, _id)),
    ...statements,
  ];
}

/** @throws ApiError 409 the release was published */
export function refuseUnlessOpen({ release }: StoredRelease): void {
  if (release.publishedAt !== null)
    throw conflict('This release was already published. Start another one for new changes.');
}

/**
 * Rejects a decision based on an outdated version of a release.
 * @throws ApiError 412 with its ETag
 */
export const refuseUnlessSeen = (
  { release: { _id, title, version } }: StoredRelease,
  ifMatch: string | undefined,
): void =>
  checkVersion(
    ifMatch,
    { version },
    { _id, title, version },
    'Someone else changed this release in the meantime, so nothing was done. Please look at it again.',
  );

/**
 * Changes an open release. Runs `decide` again if another change came first.
 * @param decide returns what to write
 * @returns the `answer` of the decision
 * @throws ApiError 404, 409 the release was published, or what `decide` throws
 */
export const changeRelease = <T = void>(
  db: Database,
  id: string,
  actor: Actor,
  decide: (stored: StoredRelease) => Decision<T> | Promise<Decision<T>>,
): Promise<T | undefined> =>
  saveWithRetry(db, async () => {
    const stored = await readRelease(db, id);
    refuseUnlessOpen(stored);
    const { isUnchanged = false, answer, ...decision } = await decide(stored);
    const { statements = [] } = decision;
    return {
      statements: isUnchanged ? statements : decisionStatements(db, stored.release, actor, decision),
      answer,
    };
  });

/** @returns its id */
export async function addRelease(db: Database, { id }: Account, title: string): Promise<string> {
  const createdAt = Date.now();
  const _id = newId(createdAt);
  const createdBy = actorId(id);
  const event = { setting: 'release', recordId: _id, version: 1, action: 'added', after: { title } } as const;
  await writeBatch(db, [
    db.insert(releases).values({ _id, title, version: 1, createdAt, createdBy }),
    settingEvent(db, event, createdBy),
  ]);
  return _id;
}

/** @throws ApiError 404, 409 */
export const renameRelease = (db: Database, caller: Account, id: string, title: string): Promise<void> =>
  changeRelease(db, id, caller, ({ release: { title: before } }) =>
    before === title
      ? { isUnchanged: true }
      : { set: { title }, before: { title: before }, after: { title } },
  );

/**
 * Removes a release and its changes. Published content stays.
 * @throws ApiError 404, 412
 */
export async function removeRelease(
  db: Database,
  caller: Account,
  id: string,
  ifMatch: string | undefined,
): Promise<StoredRelease> {
  return saveWithRetry(db, async () => {
    const stored = await readRelease(db, id);
    refuseUnlessSeen(stored, ifMatch);
    const { release } = stored;
    return {
      statements: [
        ...decisionStatements(db, release, caller, {
          action: 'removed',
          before: { title: release.title },
        }),
        db.delete(releaseChanges).where(eq(releaseChanges.releaseId, id)),
        db.delete(previewLinks).where(eq(previewLinks.releaseId, id)),
        db.delete(releases).where(eq(releases._id, id)),
      ],
      answer: stored,
    };
  });
}
