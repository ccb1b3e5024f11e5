/** The history of records: what each save wrote, the removed records, and earlier versions. */
import {
  and,
  count,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
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
import { titleFieldOf } from '#contract/section.ts';
import { articlePath } from '#contract/articles.ts';
import { sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { emailOf } from '../accounts/owner.ts';
import type { Database, Statement } from '../db/client.ts';
import { idsOnPage, readPage, type Page } from '../db/paging.ts';
import { dayMs } from '../http/clock.ts';
import { contentHistory } from './schema.ts';
import type { RecordChange } from './edits.ts';
import type { Values } from './stored.ts';

export type HistoryRow = typeof contentHistory.$inferSelect;

/** The section with a name from the history; undefined if it no longer exists. */
export const sectionOf = (name: string): SectionName | undefined =>
  sectionNames.find((known) => known === name);

/** The email of the account in a column, or `deletedAccount`; null for setup. */
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

/** The query for the history entry that added a record. The entry is kept if the record is changed or removed later. */
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

/** What a save did to one record; undefined if the record's section no longer exists. */
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
  readPage(db, page, db.select({ count: count() }).from(contentHistory).where(condition), (window) =>
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
 * Reads one page of the records that were removed in the last 30 days and not restored since, newest first. Redirects
 * that ended together with their article are not listed, because restoring the article restores them.
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
        // The list is one parameter, because a statement can have only a limited number of them.
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

/** Reads one page of a record's history, newest first. */
export async function readHistory(
  db: Database,
  recordId: string,
  page: PageQuery,
): Promise<Page<HistoryEntry>> {
  // The version comes first, as in the index.
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
