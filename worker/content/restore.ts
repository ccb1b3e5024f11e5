/** Restores earlier states from the history: one version of a record, or every section as of a revision. */
import { and, desc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { differences } from '#contract/history.ts';
import { readMediaPath } from '#contract/media.ts';
import { titleInText } from '#contract/section.ts';
import { sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { readTogether, type Database } from '../db/client.ts';
import { conflict, notFound } from '../http/errors.ts';
import { checkVersion } from '../http/conditional.ts';
import { pathOf, restoredRedirects } from './article-rules.ts';
import { addRecord, findTaken, updateRecord, type Edit, type RecordChange } from './edits.ts';
import { sectionOf, titleOf, type HistoryRow } from './history.ts';
import { contentHistory } from './schema.ts';
import type { StoredRecord, Values } from './stored.ts';

/** The values for the section's current fields: new fields are empty, former fields are dropped. */
const withCurrentFields = (name: SectionName, values: Values): Values =>
  Object.fromEntries(Object.keys(sectionNamed(name).fields).map((field) => [field, values[field] ?? '']));

/** The last entry of a record. */
interface Last extends Pick<HistoryRow, 'version' | 'before' | 'positionBefore'> {
  /** The redirects that the same save removed, with their next versions. */
  readonly redirects: readonly StoredRecord[];
}

/**
 * Restores a record to earlier values. A removed record returns to its former position, and an article is restored with
 * the redirects that led to it.
 */
function restoreRecord(
  name: SectionName,
  id: string,
  values: Values,
  last: Last,
  ifMatch: string | undefined,
): Edit {
  const restored = withCurrentFields(name, values);
  return {
    reads: [id],
    changesTo(content) {
      const taken = findTaken(content, name, id, restored);
      if (taken) {
        const record = titleInText(sectionNamed(name));
        throw conflict(
          `${taken.label} “${taken.value}” is taken by the ${record} “${titleOf(name, taken.by.values)}”. Change it there, then restore this ${record}.`,
        );
      }
      if (content[name].some(({ _id }) => _id === id))
        return updateRecord(name, id, restored, { ifMatch, action: 'restored' }).changesTo(content);
      checkVersion(ifMatch, last, { _id: id });
      if (sectionNamed(name).kind === 'fixed') throw conflict('This record cannot be added again.');
      return addRecord(name, restored, id, last.positionBefore)
        .changesTo(content)
        .flatMap((change): RecordChange[] => {
          const after = change.after && { ...change.after, version: last.version + 1 };
          const own: RecordChange = { ...change, action: 'restored', after };
          if (name !== 'article' || !after || !last.before) return [own];
          const formerPath = pathOf({ ...after, values: last.before });
          const ofArticle = last.redirects.filter((redirect) => redirect.values['to'] === formerPath);
          return [own, ...restoredRedirects(content, after, ofArticle)];
        });
    },
  };
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
  ifMatch: string | undefined,
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
 * Reads what happened to each record that changed after a revision, in the order of the changes. Reads two rows per
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
 * Whether restoring a revision makes this change. It never removes pictures, and restores only pictures that other
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
 * The edit that restores every section to a revision. Publishing it creates a new revision. The library keeps all its
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
  return {
    reads: ids,
    changesTo(content) {
      const changes = changed.flatMap(({ first, lastVersion }): RecordChange[] => {
        const { recordId } = first;
        const section = sectionOf(first.section);
        if (!section || lost.has(recordId)) return [];
        const before = content[section].find(({ _id }) => _id === recordId);
        const version = (before?.version ?? lastVersion) + 1;
        const earlier = earlierState(first, version);
        const after = earlier && withoutLost(section, earlier, before, lost);
        // Keep a fixed record that a newer version of the product added.
        if (!after && (!before || sectionNamed(section).kind === 'fixed')) return [];
        if (before && after && isSame(before, after)) return [];
        return [{ section, action: after ? 'restored' : 'removed', before, after }];
      });
      return changes.filter((change) => isWanted(change, changes));
    },
  };
}
