/**
 * Edits of the content. An edit computes its changes from a snapshot, and has no other effect. Publishing applies an
 * edit, renders the pages, and writes everything or nothing. If another save came first, it applies the edit again to
 * the newer snapshot.
 */
import { eq } from 'drizzle-orm';
import type { ChangeAction } from '#contract/history.ts';
import { newId } from '#contract/ids.ts';
import { titleInText } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { contentTableOf } from '../db/content-tables.ts';
import type { Database, Statement } from '../db/client.ts';
import { positionAfter } from '../db/positions.ts';
import { ApiError, conflict, notFound } from '../http/errors.ts';
import { planMoves } from '../http/reorder.ts';
import { checkVersion } from '../http/conditional.ts';
import type { StoredContent, StoredRecord, Values } from './stored.ts';

/** A change to one record. `before` is absent for a new record, `after` for a removed one. */
export interface RecordChange {
  readonly section: SectionName;
  readonly action: ChangeAction;
  readonly before: StoredRecord | undefined;
  readonly after: StoredRecord | undefined;
}

export interface Edit {
  /** Ids of the records whose long texts `changesTo` needs. */
  readonly reads?: readonly string[];
  /**
   * Returns the changes that the edit makes to a snapshot.
   * @throws ApiError if the edit is not valid for the snapshot
   */
  readonly changesTo: (content: StoredContent) => readonly RecordChange[];
}

/** @throws ApiError 404 */
export function findRecord(content: StoredContent, name: SectionName, id: string): StoredRecord {
  const record = content[name].find(({ _id }) => _id === id);
  if (!record)
    throw notFound(
      `We could not find this ${titleInText(sectionNamed(name))}. If it was removed, you can restore it under Publications.`,
    );
  return record;
}

/** The first unique field whose value another record already has. Empty values are filled in later. */
export function findTaken(content: StoredContent, name: SectionName, id: string, values: Values) {
  for (const [field, { unique, label }] of Object.entries(sectionNamed(name).fields)) {
    const value = values[field] ?? '';
    const isOther = (record: StoredRecord) =>
      record._id !== id && record.values[field]?.toLowerCase() === value.toLowerCase();
    const by = unique && value !== '' ? content[name].find(isOther) : undefined;
    if (by) return { field, label, value, by };
  }
  return undefined;
}

function checkUnique(content: StoredContent, name: SectionName, id: string, values: Values): void {
  const taken = findTaken(content, name, id, values);
  if (!taken) return;
  const sentence = `Another ${titleInText(sectionNamed(name))} already uses “${taken.by.values[taken.field] ?? ''}”. Choose something else.`;
  throw conflict(sentence, { errors: { [taken.field]: sentence } });
}

/**
 * Adds a record. If the id already exists, the edit changes nothing. A second record of a singleton is a conflict.
 * @param formerPosition the position before the record was removed; without it, the record comes last
 */
export function addRecord(
  name: SectionName,
  values: Values,
  id: string = newId(),
  formerPosition?: number | null,
): Edit {
  return {
    changesTo(content) {
      const { kind, title } = sectionNamed(name);
      const records = content[name];
      if (records.some(({ _id }) => _id === id)) return [];
      if (kind === 'singleton' && records.length > 0)
        throw conflict(`${title} already exists. Edit it instead of adding another.`);
      checkUnique(content, name, id, values);
      const position = formerPosition ?? positionAfter(records.map((record) => record.position));
      return [
        {
          section: name,
          action: 'added',
          before: undefined,
          after: { _id: id, version: 1, position, values },
        },
      ];
    },
  };
}

/**
 * Changes fields of a record. Absent fields keep their values. If the record already has all the values, the edit
 * changes nothing, even if `ifMatch` is stale (RFC 9110, section 13.1.1).
 * @param ifMatch the ETag that the change is based on; a stale one throws a 412 with the current record
 */
export function updateRecord(
  name: SectionName,
  id: string,
  values: Values,
  { ifMatch, action = 'updated' }: { ifMatch?: string | undefined; action?: 'updated' | 'restored' } = {},
): Edit {
  return {
    reads: [id],
    changesTo(content) {
      const before = findRecord(content, name, id);
      if (Object.entries(values).every(([field, value]) => before.values[field] === value)) return [];
      checkVersion(ifMatch, before, { _id: id, ...before.values });
      const after = { ...before, version: before.version + 1, values: { ...before.values, ...values } };
      checkUnique(content, name, id, after.values);
      return [{ section: name, action, before, after }];
    },
  };
}

export const removeRecord = (name: SectionName, id: string): Edit => ({
  reads: [id],
  changesTo: (content) => [
    { section: name, action: 'removed', before: findRecord(content, name, id), after: undefined },
  ],
});

/** Ids of a list, in order. */
export type Ids = readonly string[];

export const idsOf = (records: readonly StoredRecord[]): Ids => records.map(({ _id }) => _id);

export const isSameOrder = (one: Ids, other: Ids): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index]);

/** Whether the records that are in both lists are in a different order. */
export const wasReordered = (seen: Ids, now: Ids): boolean =>
  !isSameOrder(
    seen.filter((id) => now.includes(id)),
    now.filter((id) => seen.includes(id)),
  );

/**
 * Puts the records of a list into a new order.
 * @param ids exactly the ids of the list, in the new order
 * @param seen the order that the caller saw; throws a 412 if the current order is neither this one nor the new one
 */
export function reorderRecords(name: SectionName, ids: Ids, seen?: Ids): Edit {
  return {
    changesTo(content) {
      const now = idsOf(content[name]);
      if (seen && wasReordered(seen, now) && wasReordered(ids, now))
        throw new ApiError(
          412,
          'Someone else reordered this list in the meantime, so your order was not saved. Check the new order, then move what you still want to move.',
        );
      return planMoves(content[name], ids).map(({ record, position }): RecordChange => ({
        section: name,
        action: 'reordered',
        before: record,
        after: { ...record, position },
      }));
    },
  };
}

/** Merges two changes to a record into one, which counts as one version. */
function joinTwo(first: RecordChange, { after }: RecordChange): RecordChange {
  if (!after) return { ...first, action: 'removed', after };
  const version = first.before ? first.before.version + 1 : (first.after?.version ?? 1);
  return { ...first, after: { ...after, version: Math.min(version, after.version) } };
}

/**
 * Merges the changes to each record into one, from its first state to its last. A record that is added and removed
 * again has none.
 */
export function joinChanges(changes: readonly RecordChange[]): readonly RecordChange[] {
  const joined = new Map<string, RecordChange>();
  for (const change of changes) {
    const key = `${change.section} ${(change.after ?? change.before)?._id ?? ''}`;
    const first = joined.get(key);
    joined.set(key, first ? joinTwo(first, change) : change);
  }
  return [...joined.values()].filter(({ before, after }) => before ?? after);
}

/** Applies changes to the content, and sorts each list in display order. */
export function applyChanges(content: StoredContent, changes: readonly RecordChange[]): StoredContent {
  const next: Record<SectionName, readonly StoredRecord[]> = { ...content };
  for (const { section, before, after } of changes) {
    const others = next[section].filter(({ _id }) => _id !== before?._id);
    next[section] = (after ? [...others, after] : others).toSorted(displayOrderOf(section));
  }
  return next;
}

/** Compares two records by display order, as `inDisplayOrder` does in the database. */
function displayOrderOf(name: SectionName): (a: StoredRecord, b: StoredRecord) => number {
  const { newestBy } = sectionNamed(name);
  if (newestBy === undefined) return (a, b) => a.position - b.position || (a._id < b._id ? -1 : 1);
  const keyOf = ({ _id, values }: StoredRecord) => `${values[newestBy] ?? ''} ${_id}`;
  return (a, b) => (keyOf(a) < keyOf(b) ? 1 : -1);
}

/** Whether a change frees a unique value. */
const isRekeyed = ({ section, before, after }: RecordChange): boolean =>
  Object.entries(sectionNamed(section).fields).some(
    ([field, { unique }]) => unique && before?.values[field] !== after?.values[field],
  );

/**
 * The statements that write changes to different records. Changes that free a singleton's position or a unique value
 * come first, so that the batch succeeds in any order of changes, even if two records swap values.
 */
export function changeStatements(db: Database, changes: readonly RecordChange[]): Statement[] {
  const isUpdate = (change: RecordChange) => change.before && change.after && !isRekeyed(change);
  return [
    ...changes.flatMap((change) => {
      const table = contentTableOf(change.section);
      return change.before && !isUpdate(change)
        ? db.delete(table).where(eq(table._id, change.before._id))
        : [];
    }),
    ...changes.flatMap((change) => {
      if (!change.after) return [];
      const table = contentTableOf(change.section);
      const { _id, version, position, values } = change.after;
      const row = { version, position, ...values };
      return isUpdate(change)
        ? db.update(table).set(row).where(eq(table._id, _id))
        : db.insert(table).values({ _id, ...row });
    }),
  ];
}
