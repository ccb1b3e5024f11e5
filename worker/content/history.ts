/** The history of records: what every save wrote, and the way back to an earlier version or revision. */
import { asc, desc, eq, gt } from 'drizzle-orm';
import type { HistoryEntry } from '#contract/history.ts';
import { newId } from '#contract/ids.ts';
import { isShown, sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import type { Database, Statement } from '../db/client.ts';
import { conflict, notFound } from '../http/errors.ts';
import { contentHistory } from './schema.ts';
import { addRecord, updateRecord, type Edit, type RecordChange } from './edits.ts';
import type { StoredRecord } from './reader.ts';

type HistoryRow = typeof contentHistory.$inferSelect;
type Values = Readonly<Record<string, string>>;

const sectionOf = (name: string): SectionName | undefined => sectionNames.find((known) => known === name);

/** Values as the history keeps them: JSON, null where there were none. */
export const parseValues = (json: string | null): Values | null =>
  json === null ? null : (JSON.parse(json) as Values);

/** The row that the history keeps of one change of one save. */
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
    before: before ? JSON.stringify(before.values) : null,
    after: after ? JSON.stringify(after.values) : null,
    positionBefore: before?.position ?? null,
    positionAfter: after?.position ?? null,
  });
}

/** The history of one record, newest first. */
export async function readHistory(db: Database, recordId: string): Promise<HistoryEntry[]> {
  const rows = await db
    .select()
    .from(contentHistory)
    .where(eq(contentHistory.recordId, recordId))
    .orderBy(desc(contentHistory.revision));
  return rows.map(({ version, action, at, by, before, after }) => ({
    version,
    action,
    at: new Date(at).toISOString(),
    by: by || null,
    before: parseValues(before),
    after: parseValues(after),
  }));
}

/** The values as the section has them now: fields that came later are empty, fields that went are left out. */
const ofToday = (name: SectionName, values: Values): Values =>
  Object.fromEntries(Object.keys(sectionNamed(name).fields).map((field) => [field, values[field] ?? '']));

/** Brings one record to earlier values, whether it still exists or not. */
function restoreRecord(name: SectionName, id: string, values: Values, lastVersion: number): Edit {
  const today = ofToday(name, values);
  return (content) => {
    if (content[name].some(({ _id }) => _id === id))
      return updateRecord(name, id, today, { action: 'restored' })(content);
    if (sectionNamed(name).kind === 'fixed') throw conflict('This record cannot be added again.');
    return addRecord(
      name,
      today,
      id,
    )(content).map((change) => ({
      ...change,
      action: 'restored' as const,
      after: change.after && { ...change.after, version: lastVersion + 1 },
    }));
  };
}

/**
 * The edit that restores a record to one of its versions; itself a save.
 * @throws ApiError 404 when the history knows no such version
 */
export async function restoreVersion(db: Database, recordId: string, version: number): Promise<Edit> {
  const rows = await db.select().from(contentHistory).where(eq(contentHistory.recordId, recordId));
  const row = rows.find((candidate) => candidate.version === version && candidate.after !== null);
  const name = sectionOf(row?.section ?? '');
  const values = parseValues(row?.after ?? null);
  if (!name || !values) throw notFound('There is no such version.');
  return restoreRecord(name, recordId, values, Math.max(...rows.map((candidate) => candidate.version)));
}

/** How one record stood at a revision, by the first save that changed it afterwards; undefined: it was not there. */
function earlierState(row: HistoryRow, version: number): StoredRecord | undefined {
  const values = parseValues(row.before);
  const name = sectionOf(row.section);
  if (!values || !name) return undefined;
  return { _id: row.recordId, version, position: row.positionBefore ?? 0, values: ofToday(name, values) };
}

/**
 * The edit that brings every shown section back to how it stood at a revision; itself a save, and a new revision.
 * @throws ApiError 404 when there was no such revision, or nothing has changed since
 */
export async function goBackTo(db: Database, revision: number): Promise<Edit> {
  const rows = await db
    .select()
    .from(contentHistory)
    .where(gt(contentHistory.revision, revision))
    .orderBy(asc(contentHistory.revision));
  const later = rows.filter((row) => {
    const name = sectionOf(row.section);
    return name !== undefined && isShown(name);
  });
  if (later.length === 0) throw notFound('Nothing has changed since that revision.');
  const first = new Map<string, HistoryRow>();
  const last = new Map<string, number>();
  for (const row of later) {
    if (!first.has(row.recordId)) first.set(row.recordId, row);
    last.set(row.recordId, Math.max(row.version, last.get(row.recordId) ?? 0));
  }
  return (content) =>
    Array.from(first.values()).flatMap((row): RecordChange[] => {
      const section = sectionOf(row.section);
      if (!section) return [];
      const before = content[section].find(({ _id }) => _id === row.recordId);
      const version = (before?.version ?? last.get(row.recordId) ?? 0) + 1;
      const after = earlierState(row, version);
      if (!before && !after) return [];
      return [{ section, action: after ? 'restored' : 'removed', before, after }];
    });
}
