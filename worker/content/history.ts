/** The history of records: records what each save wrote, and restores earlier versions and revisions. */
import {
  and,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  not,
  notExists,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { deletedAccount, differences } from '#contract/history.ts';
import type { HistoryEntry, PublishedChange, RemovedRecord } from '#contract/content.calls.ts';
import { newId } from '#contract/ids.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { readMediaPath } from '#contract/media.ts';
import { titleFieldOf, titleInText } from '#contract/section.ts';
import { articlePath } from '#contract/articles.ts';
import { sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { emailOf } from '../accounts/owner.ts';
import { readTogether, type Database, type Statement } from '../db/client.ts';
import { idsOnPage, readPage, type Page } from '../db/paging.ts';
import { conflict, notFound } from '../http/errors.ts';
import { checkVersion } from '../http/conditional.ts';
import { dayMs } from '../http/clock.ts';
import { pathOf, restoredRedirects } from './article-rules.ts';
import { contentHistory } from './schema.ts';
import { addRecord, editReading, findTaken, updateRecord, type Edit, type RecordChange } from './edits.ts';
import type { StoredRecord, Values } from './stored.ts';

type HistoryRow = typeof contentHistory.$inferSelect;

/** The section that a name in the history refers to; undefined if the section no longer exists. */
export const sectionOf = (name: string): SectionName | undefined =>
  sectionNames.find((known) => known === name);

/** The email of the account in a column, or `deletedAccount`; null for the setup. */
export const savedByEmail = (by: SQLiteColumn): SQL<string | null> =>
  sql<string | null>`case when ${by} <> '' then coalesce(${emailOf(by)}, ${deletedAccount}) end`;

export function historyStatement(
  db: Database,
  { section, action, before, after }: RecordChange,
  { id = newId(), revision, at, by }: { id?: string; revision: number; at: number; by: string },
): Statement {
  const record = after ?? before;
  return db.insert(contentHistory).values({
    id,
    revision,
    section,
    recordId: record?._id ?? '',
    version: record?.version ?? 1,
    action,
    at,
    by,
    before: before?.values ?? null,
    after: after?.values ?? null,
    positionBefore: before?.position ?? null,
    positionAfter: after?.position ?? null,
  });
}

/** The query for the entry of a record's addition. It stays if the record is changed or removed later. */
export const addedEntry = (db: Database, recordId: string) =>
  db
    .select({ section: contentHistory.section, after: contentHistory.after })
    .from(contentHistory)
    .where(and(eq(contentHistory.recordId, recordId), eq(contentHistory.action, 'added')));

/** Whether a record was added with these values, even if it was changed or removed later. */
export async function wasAddedAs(db: Database, recordId: string, values: Values): Promise<boolean> {
  const added = await addedEntry(db, recordId).get();
  const original = added?.after ?? {};
  const section = sectionOf(added?.section ?? '');
  const wasFilledIn = (field: string) => section && sectionNamed(section).fields[field]?.filledIn;
  return Object.entries(values).every(
    ([field, value]) => original[field] === value || (value === '' && wasFilledIn(field)),
  );
}

interface DescribedChange extends Pick<PublishedChange, 'section' | 'recordId' | 'action'> {
  readonly before: Values | null | undefined;
  readonly after: Values | null | undefined;
}

export const titleOf = (section: SectionName, values: Values): string =>
  values[titleFieldOf(sectionNamed(section))] ?? '';

export const describeChange = ({ before, after, ...change }: DescribedChange): PublishedChange => ({
  ...change,
  title: titleOf(change.section, after ?? before ?? {}),
  changes: [...differences(before ?? {}, after ?? {})],
});

/** What a save did to one record; undefined for a record of a section that no longer exists. */
export function describeEntry(entry: HistoryRow): PublishedChange | undefined {
  const { recordId, action, before, after } = entry;
  const section = sectionOf(entry.section);
  return section && describeChange({ section, recordId, action, before, after });
}

/**
 * The maximum number of characters of values that one statement reads. Turso rejects responses of more than 10 MB
 * (https://docs.turso.tech/cloud/limits), and a character may take four bytes.
 */
const maxCharacters = 1_000_000;

/**
 * The query for one part of the entries that match a condition, in the order in which they were written. Parts are
 * limited by the maximum response size.
 * @param part the number of the part, from 0
 */
export function entriesQuery(db: Database, condition: SQL | undefined, part = 0) {
  const { before, after } = contentHistory;
  const length = sql`coalesce(length(${before}), 0) + coalesce(length(${after}), 0)`;
  const measured = db
    .select({
      ...getTableColumns(contentHistory),
      row: sql<number>`rowid`.as('row'),
      upTo: sql<number>`sum(${length}) over (order by rowid)`.as('upTo'),
      total: sql<number>`sum(${length}) over ()`.as('total'),
    })
    .from(contentHistory)
    .where(condition)
    .as('measured');
  return db
    .select()
    .from(measured)
    .where(
      sql`${measured.upTo} >= ${part * maxCharacters} AND ${measured.upTo} < ${(part + 1) * maxCharacters}`,
    )
    .orderBy(sql`${measured.row}`);
}

type MeasuredEntry = Awaited<ReturnType<typeof entriesQuery>>[number];

/**
 * Reads the remaining entries that match a condition.
 * @param first the result of `entriesQuery`
 * @returns all entries
 */
export async function readRemainingEntries(
  db: Database,
  condition: SQL | undefined,
  first: readonly MeasuredEntry[],
): Promise<readonly MeasuredEntry[]> {
  const entries = [...first];
  const lastPart = Math.floor((first[0]?.total ?? 0) / maxCharacters);
  for (let part = 1; part <= lastPart; part += 1) entries.push(...(await entriesQuery(db, condition, part)));
  return entries;
}

/** Reads one page of the entries that match a condition, sorted by columns in descending order. */
const readEntries = (
  db: Database,
  page: PageQuery,
  condition: SQL | undefined,
  order: readonly SQLiteColumn[],
) =>
  readPage(
    db,
    page,
    db
      .select({ count: sql<number>`count(*)` })
      .from(contentHistory)
      .where(condition),
    (window) =>
      db
        .select({ ...getTableColumns(contentHistory), by: savedByEmail(contentHistory.by) })
        .from(contentHistory)
        .where(inArray(contentHistory.id, idsOnPage(db, contentHistory.id, window, condition, order)))
        .orderBy(...order.map((column) => desc(column))),
  );

/** How long a removed record can be restored, in ms. Its history stays longer. */
export const restorableMs = 30 * dayMs;

/**
 * The condition that an entry is about a redirect to an article that the same save removed, or moved to the redirect's
 * own address.
 */
function endedWithArticle(db: Database): SQL {
  const article = alias(contentHistory, 'article');
  const isPathOf = (path: SQL, values: SQLiteColumn) => {
    const slug = sql`json_extract(${values}, '$.slug')`;
    return sql`${path} IN ('/' || ${slug}, ${articlePath({ kind: 'guide', slug: '' })} || ${slug})`;
  };
  const { before } = contentHistory;
  return exists(
    db
      .select({ id: article.id })
      .from(article)
      .where(
        and(
          sql`${contentHistory.section} = 'redirect'`,
          eq(article.revision, contentHistory.revision),
          sql`${article.section} = 'article'`,
          isPathOf(sql`json_extract(${before}, '$.to')`, article.before),
          or(isNull(article.after), isPathOf(sql`json_extract(${before}, '$.from')`, article.after)),
        ),
      ),
  );
}

/**
 * One page of the records that were removed in the last 30 days and not restored since, newest first. Redirects that
 * ended with their article are not listed, because they come back with it.
 */
export async function readRemoved(db: Database, now: number, page: PageQuery): Promise<Page<RemovedRecord>> {
  const later = alias(contentHistory, 'later');
  const isRemoved = and(
    sql`${contentHistory.action} = 'removed'`,
    gt(contentHistory.at, now - restorableMs),
    inArray(contentHistory.section, sectionNames),
    notExists(
      db
        .select({ id: later.id })
        .from(later)
        .where(and(eq(later.recordId, contentHistory.recordId), gt(later.revision, contentHistory.revision))),
    ),
    not(endedWithArticle(db)),
  );
  const order = [contentHistory.at, contentHistory.revision, contentHistory.id];
  const { total, rows } = await readEntries(db, page, isRemoved, order);
  return {
    total,
    rows: rows.flatMap(({ section, recordId, version, at, by, before }): RemovedRecord[] => {
      const name = sectionOf(section);
      if (!name) return [];
      const title = titleOf(name, before ?? {});
      return [{ section: name, recordId, version, title, at: new Date(at).toISOString(), by }];
    }),
  };
}

export async function removedTitles(
  db: Database,
  recordIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (recordIds.length === 0) return new Map();
  const { recordId, section, before, action, version } = contentHistory;
  const rows = await db
    .select({ recordId, section, before })
    .from(contentHistory)
    .where(
      and(
        eq(action, 'removed'),
        // The list is one parameter, because a statement takes a limited number of them.
        sql`${recordId} IN (SELECT value FROM json_each(${JSON.stringify(recordIds)}))`,
      ),
    )
    .orderBy(version);
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const name = sectionOf(row.section);
      return name ? [[row.recordId, titleOf(name, row.before ?? {})]] : [];
    }),
  );
}

/** One page of the history of a record, newest first. */
export async function readHistory(
  db: Database,
  recordId: string,
  page: PageQuery,
): Promise<Page<HistoryEntry>> {
  // The version comes first because it comes first in the index.
  const order = [contentHistory.version, contentHistory.revision];
  const { total, rows } = await readEntries(db, page, eq(contentHistory.recordId, recordId), order);
  return {
    total,
    rows: rows.map(({ version, action, at, by, before, after }) => ({
      version,
      action,
      at: new Date(at).toISOString(),
      by,
      before,
      after,
    })),
  };
}

/** The values of the section's current fields: new fields are empty, former fields are dropped. */
const withCurrentFields = (name: SectionName, values: Values): Values =>
  Object.fromEntries(Object.keys(sectionNamed(name).fields).map((field) => [field, values[field] ?? '']));

/** The last entry of a record. */
interface Last extends Pick<HistoryRow, 'version' | 'before' | 'positionBefore'> {
  /** The redirects that the same save removed, with their next versions. */
  readonly redirects: readonly StoredRecord[];
}

/**
 * Restores a record to earlier values. A removed record returns to its former position, and an article with the
 * redirects that led to it.
 */
function restoreRecord(
  name: SectionName,
  id: string,
  values: Values,
  last: Last,
  ifMatch: string | undefined,
): Edit {
  const restored = withCurrentFields(name, values);
  return editReading([id], (content) => {
    const taken = findTaken(content, name, id, restored);
    if (taken) {
      const record = titleInText(sectionNamed(name));
      throw conflict(
        `${taken.label} “${taken.value}” is taken by the ${record} “${titleOf(name, taken.by.values)}”. Change it there, then restore this ${record}.`,
      );
    }
    if (content[name].some(({ _id }) => _id === id))
      return updateRecord(name, id, restored, { ifMatch, action: 'restored' })(content);
    checkVersion(ifMatch, last, { _id: id });
    if (sectionNamed(name).kind === 'fixed') throw conflict('This record cannot be added again.');
    return addRecord(
      name,
      restored,
      id,
      last.positionBefore,
    )(content).flatMap((change): RecordChange[] => {
      const after = change.after && { ...change.after, version: last.version + 1 };
      const own: RecordChange = { ...change, action: 'restored', after };
      if (name !== 'article' || !after || !last.before) return [own];
      const formerPath = pathOf({ ...after, values: last.before });
      const ofArticle = last.redirects.filter((redirect) => redirect.values['to'] === formerPath);
      return [own, ...restoredRedirects(content, after, ofArticle)];
    });
  });
}

/**
 * Returns the edit that restores a record to one of its versions, and the record's section.
 * @throws ApiError 404 if the history has no such version; the edit throws 412 if the caller saw a version other
 *   than the current one
 */
export async function restoreVersion(
  db: Database,
  recordId: string,
  version: number,
  ifMatch?: string,
): Promise<{ readonly name: SectionName; readonly edit: Edit }> {
  const ofRecord = eq(contentHistory.recordId, recordId);
  const newestFirst = desc(contentHistory.revision);
  const { version: lastVersion, before, positionBefore } = contentHistory;
  const lastRevision = db
    .select({ revision: contentHistory.revision })
    .from(contentHistory)
    .where(ofRecord)
    .orderBy(newestFirst)
    .limit(1);
  const [[row], [last], removed] = await readTogether(db, [
    db
      .select({ section: contentHistory.section, after: contentHistory.after })
      .from(contentHistory)
      .where(and(ofRecord, eq(contentHistory.version, version), isNotNull(contentHistory.after)))
      .orderBy(newestFirst)
      .limit(1),
    db
      .select({ version: lastVersion, before, positionBefore })
      .from(contentHistory)
      .where(ofRecord)
      .orderBy(newestFirst)
      .limit(1),
    db
      .select()
      .from(contentHistory)
      .where(
        and(
          eq(contentHistory.revision, lastRevision),
          eq(contentHistory.section, 'redirect'),
          eq(contentHistory.action, 'removed'),
        ),
      ),
  ]);
  const name = sectionOf(row?.section ?? '');
  const values = row?.after;
  if (!name || !values || !last) throw notFound('We could not find this version.');
  const redirects = removed.flatMap((entry) => earlierState(entry, entry.version + 1) ?? []);
  return { name, edit: restoreRecord(name, recordId, values, { ...last, redirects }, ifMatch) };
}

/** The first change of a record after a revision. Its `before` is the state at the revision. */
type FirstChange = Pick<HistoryRow, 'section' | 'recordId' | 'before' | 'positionBefore'>;

/** What happened to a record after a revision. */
interface Since {
  readonly first: FirstChange;
  readonly lastVersion: number;
  readonly isGone: boolean;
}

/**
 * Reads what happened to each record that changed after a revision, in the order of the changes. It reads two rows per
 * record, however often the record was saved.
 */
async function readSince(db: Database, revision: number): Promise<readonly Since[]> {
  const { revision: at, recordId, section, before, positionBefore, version, after } = contentHistory;
  const isLater = and(gt(at, revision), inArray(section, sectionNames));
  // With a single min() or max(), SQLite takes the other columns from the row with that value:
  // https://www.sqlite.org/lang_select.html#bareagg
  const [firsts, lasts] = await readTogether(db, [
    db
      .select({ section, recordId, before, positionBefore, first: sql<number>`min(${at})`.as('first') })
      .from(contentHistory)
      .where(isLater)
      .groupBy(recordId)
      .orderBy(sql`first`),
    db
      .select({ recordId, version, isGone: isNull(after), last: sql<number>`max(${at})` })
      .from(contentHistory)
      .where(isLater)
      .groupBy(recordId),
  ]);
  const lastOf = new Map(lasts.map((last) => [last.recordId, last]));
  return firsts.map((first) => {
    const last = lastOf.get(first.recordId);
    return { first, lastVersion: last?.version ?? 1, isGone: Boolean(last?.isGone) };
  });
}

/** The state of a record at a revision, from its first change after that; undefined if it did not exist. */
function earlierState(row: FirstChange, version: number): StoredRecord | undefined {
  const values = row.before;
  const name = sectionOf(row.section);
  if (!values || !name) return undefined;
  return {
    _id: row.recordId,
    version,
    position: row.positionBefore ?? 0,
    values: withCurrentFields(name, values),
  };
}

const isSame = (one: StoredRecord, other: StoredRecord): boolean =>
  one.position === other.position && differences(one.values, other.values).length === 0;

/** The pictures of a revision that were removed later and whose files are gone. */
async function lostPictures(
  changed: readonly Since[],
  hasFile: (path: string) => Promise<boolean>,
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  for (const { first, isGone } of changed) {
    const path = first.before?.['path'];
    if (first.section !== 'media' || path === undefined || !isGone) continue;
    if (!(await hasFile(path))) lost.add(first.recordId);
  }
  return lost;
}

/** A restored record without lost pictures: a field with a lost picture keeps its current value. */
const withoutLost = (
  section: SectionName,
  after: StoredRecord,
  before: StoredRecord | undefined,
  lost: ReadonlySet<string>,
): StoredRecord => ({
  ...after,
  values: Object.fromEntries(
    Object.entries(after.values).map(([field, value]) => [
      field,
      sectionNamed(section).fields[field]?.kind === 'image' && lost.has(readMediaPath(value)?.id ?? '')
        ? (before?.values[field] ?? '')
        : value,
    ]),
  ),
});

/**
 * Whether going back to a revision makes this change. It never removes pictures, and restores only those that other
 * changes use.
 */
const isWanted = ({ section, before, after }: RecordChange, all: readonly RecordChange[]): boolean => {
  if (section !== 'media') return true;
  if (before || !after) return before !== undefined && after !== undefined;
  const address = `/media/${after._id}/`;
  return all.some(
    (other) =>
      other.section !== 'media' &&
      Object.values(other.after?.values ?? {}).some((value) => value.includes(address)),
  );
};

/**
 * The edit that restores every section to a revision. Publishing it makes a new revision. The library keeps all its
 * pictures, because other content may use them now or later.
 * @param hasFile whether the file of the picture at a path is stored
 * @throws ApiError 404 if the revision does not exist, or nothing changed after it
 */
export async function restoreRevision(
  db: Database,
  revision: number,
  hasFile: (path: string) => Promise<boolean>,
): Promise<Edit> {
  const changed = await readSince(db, revision);
  if (changed.length === 0) throw notFound('Nothing has changed since that revision.');
  const lost = await lostPictures(changed, hasFile);
  const ids = changed.map(({ first }) => first.recordId);
  return editReading(ids, (content) => {
    const changes = changed.flatMap(({ first, lastVersion }): RecordChange[] => {
      const { recordId } = first;
      const section = sectionOf(first.section);
      if (!section || lost.has(recordId)) return [];
      const before = content[section].find(({ _id }) => _id === recordId);
      const version = (before?.version ?? lastVersion) + 1;
      const earlier = earlierState(first, version);
      const after = earlier && withoutLost(section, earlier, before, lost);
      // A fixed record that a newer version of the product added stays.
      if (!after && (!before || sectionNamed(section).kind === 'fixed')) return [];
      if (before && after && isSame(before, after)) return [];
      return [{ section, action: after ? 'restored' : 'removed', before, after }];
    });
    return changes.filter((change) => isWanted(change, changes));
  });
}
