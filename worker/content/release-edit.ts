/**
 * Turns a release into an edit of the content. The changes are applied one after the other, with the same functions as
 * a save. Each change stores what was live when it was made. If someone else changed that later, there is a conflict
 * that a person must resolve.
 */
import type { ReleaseConflict } from '#contract/releases.calls.ts';
import { titleInText } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { counted } from '#contract/counted.ts';
import { ApiError, conflict as refuse } from '../http/errors.ts';
import {
  addRecord,
  applyChanges,
  idsOf,
  isSameOrder,
  removeRecord,
  reorderRecords,
  updateRecord,
  wasReordered,
  type Edit,
  type Ids,
  type RecordChange,
} from './edits.ts';
import { filterValues, type StoredContent, type StoredRecord, type Values } from './stored.ts';

/** A change to a record, or to the order of a section. `base` is what was live when the change was made. */
export type Change =
  | { readonly action: 'add'; readonly recordId: string; readonly value: Values }
  | { readonly action: 'update'; readonly recordId: string; readonly value: Values; readonly base: Values }
  | { readonly action: 'remove'; readonly recordId: string; readonly base: Values }
  | { readonly action: 'reorder'; readonly recordId: ''; readonly value: Ids; readonly base: Ids };

export type SectionChange = Change & { readonly section: SectionName };

export interface Outcome<C extends SectionChange = SectionChange> {
  readonly change: C;
  readonly before: StoredRecord | undefined;
  /** The resulting changes to records. If texts conflict, they contain the release's text. */
  readonly changes: readonly RecordChange[];
  readonly conflict: ReleaseConflict | undefined;
}

/** Puts ids into a new order. Ids that are missing from the new order stay behind their current neighbor. */
export function mergeSequence(now: Ids, wanted: Ids): Ids {
  const known = new Set(wanted);
  const present = new Set(now);
  const arranged = wanted.filter((id) => present.has(id));
  now.forEach((id, index) => {
    if (!known.has(id)) arranged.splice(arranged.indexOf(now[index - 1] ?? '') + 1, 0, id);
  });
  return arranged;
}

const findBefore = (content: StoredContent, { section, recordId }: SectionChange) =>
  content[section].find(({ _id }) => _id === recordId);

type Found = Pick<Outcome, 'changes' | 'conflict'>;

const done: Found = { changes: [], conflict: undefined };
const conflictOf = (kind: ReleaseConflict['kind'], detail: string, fields: ReleaseConflict['fields'] = []) =>
  ({ kind, detail, fields }) satisfies ReleaseConflict;

/** The fields that someone else changed later, unless the change sets them to the same value. */
const changedSince = (base: Values, live: Values, mine: Values | undefined): ReleaseConflict['fields'] =>
  Object.entries(base)
    .map(([field, value]) => ({
      field,
      base: value,
      theirs: live[field] ?? '',
      mine: mine?.[field] ?? '',
    }))
    .filter(({ base: was, theirs, mine: wanted }) => theirs !== was && (!mine || theirs !== wanted));

/** @throws ApiError if the change is invalid for this content */
export function evaluate(content: StoredContent, change: SectionChange): Found {
  const { section } = change;
  const before = findBefore(content, change);
  const { fields: known } = sectionNamed(section);
  const currentFields = (values: Values) => filterValues(values, (field) => field in known);
  const record = titleInText(sectionNamed(section));
  const conflictOver = (fields: ReleaseConflict['fields']) =>
    fields.length === 0
      ? undefined
      : conflictOf('changed', `This ${record} was saved in the meantime.`, fields);
  switch (change.action) {
    case 'add':
      return { ...done, changes: addRecord(section, change.value, change.recordId).changesTo(content) };
    case 'update': {
      if (!before)
        return { ...done, conflict: conflictOf('removed', `This ${record} was removed in the meantime.`) };
      const value = currentFields(change.value);
      const fields = changedSince(currentFields(change.base), before.values, value);
      return {
        changes: updateRecord(section, change.recordId, value).changesTo(content),
        conflict: conflictOver(fields),
      };
    }
    case 'remove': {
      if (!before) return done;
      const fields = changedSince(currentFields(change.base), before.values, undefined);
      return {
        changes: removeRecord(section, change.recordId).changesTo(content),
        conflict: conflictOver(fields),
      };
    }
    case 'reorder': {
      const now = idsOf(content[section]);
      const wanted = mergeSequence(now, change.value);
      if (isSameOrder(now, wanted)) return done;
      return {
        changes: reorderRecords(section, wanted).changesTo(content),
        conflict: wasReordered(change.base, now)
          ? conflictOf('changed', 'Someone else reordered this list in the meantime.')
          : undefined,
      };
    }
  }
}

/** The outcome of one change. A change that is invalid for this content changes nothing. */
export function outcomeOf<C extends SectionChange>(content: StoredContent, change: C): Outcome<C> {
  const before = findBefore(content, change);
  try {
    return { change, before, ...evaluate(content, change) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { change, before, changes: [], conflict: conflictOf('refused', error.message) };
  }
}

interface Applied<C extends SectionChange> {
  readonly content: StoredContent;
  readonly outcomes: readonly Outcome<C>[];
}

/**
 * Applies each change as soon as no other change blocks it. For example, a redirect may only get an address after
 * another redirect gives it up.
 */
function applyEach<C extends SectionChange>(content: StoredContent, changes: readonly C[]): Applied<C> {
  const outcomes: Outcome<C>[] = [];
  let next = content;
  for (let waiting = changes; ;) {
    const refused: Outcome<C>[] = [];
    for (const change of waiting) {
      const outcome = outcomeOf(next, change);
      (outcome.conflict?.kind === 'refused' ? refused : outcomes).push(outcome);
      next = applyChanges(next, outcome.changes);
    }
    if (refused.length === 0 || refused.length === waiting.length)
      return { content: next, outcomes: [...outcomes, ...refused] };
    waiting = refused.map(({ change }) => change);
  }
}

/**
 * Applies the changes of a release. Changes to the order of a list come last, when the list has its final records.
 * @returns also the record changes that it made
 */
export function applyRelease<C extends SectionChange>(
  content: StoredContent,
  changes: readonly C[],
): Applied<C> & { readonly made: readonly RecordChange[] } {
  const records = applyEach(
    content,
    changes.filter(({ action }) => action !== 'reorder'),
  );
  const orders = applyEach(
    records.content,
    changes.filter(({ action }) => action === 'reorder'),
  );
  const outcomes = [...records.outcomes, ...orders.outcomes];
  return { content: orders.content, outcomes, made: outcomes.flatMap((outcome) => outcome.changes) };
}

export const recordsOf = (changes: readonly SectionChange[]): readonly string[] =>
  changes.map(({ recordId }) => recordId).filter((id) => id !== '');

/**
 * The edit that makes all changes of a release, or none.
 * @throws ApiError 409 if a change conflicts with what is live
 */
export const releaseEdit = (changes: readonly SectionChange[]): Edit => ({
  reads: recordsOf(changes),
  changesTo(content) {
    const { outcomes, made } = applyRelease(content, changes);
    const conflicts = outcomes.filter(({ conflict }) => conflict);
    const [first] = conflicts;
    if (first)
      throw refuse(
        `${counted(conflicts.length, 'change conflicts', 'changes conflict')} with what is live now, so nothing was published. ${first.conflict?.detail ?? ''} Open the release and choose what to publish.`,
      );
    return made;
  },
});
