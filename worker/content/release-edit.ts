/**
 * A release as an edit of the content: its changes one after the other, each by the same functions as a save. A change
 * records what was live when it was made; if somebody else has changed that since, it is a conflict, which a person
 * resolves.
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
import type { StoredContent, StoredRecord } from './reader.ts';

type Values = Readonly<Record<string, string>>;

/** A change of a record, or of the order of a section; `base` is what was live when the change was made. */
export type Change =
  | { readonly action: 'add'; readonly recordId: string; readonly value: Values }
  | { readonly action: 'update'; readonly recordId: string; readonly value: Values; readonly base: Values }
  | { readonly action: 'remove'; readonly recordId: string; readonly base: Values }
  | { readonly action: 'reorder'; readonly recordId: ''; readonly value: Ids; readonly base: Ids };

export type SectionChange = Change & { readonly section: SectionName };

/** The outcome of a change on a state of the content. */
export interface Outcome<C extends SectionChange = SectionChange> {
  readonly change: C;
  /** The record as it stands before, where there is one. */
  readonly before: StoredRecord | undefined;
  /** The records that it changes; in a conflict between texts, with the release's text. */
  readonly changes: readonly RecordChange[];
  readonly conflict: ReleaseConflict | undefined;
}

/** The ids in a wanted order; ids that it does not contain stay behind the same neighbor as now. */
export function arrange(now: Ids, wanted: Ids): Ids {
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
const isConflict = (kind: ReleaseConflict['kind'], detail: string, fields: ReleaseConflict['fields'] = []) =>
  ({ kind, detail, fields }) satisfies ReleaseConflict;

/** The fields that somebody else has changed since to something other than the change does. */
const changedSince = (base: Values, live: Values, mine: Values | undefined): ReleaseConflict['fields'] =>
  Object.entries(base)
    .map(([field, value]) => ({
      field,
      base: value,
      theirs: live[field] ?? '',
      mine: mine?.[field] ?? '',
    }))
    .filter(({ base: was, theirs, mine: wanted }) => theirs !== was && (!mine || theirs !== wanted));

/**
 * What one change comes to.
 * @param before the record that it is about, where there is one
 * @throws ApiError where it does not go with the content
 */
export function evaluate(
  content: StoredContent,
  change: SectionChange,
  before = findBefore(content, change),
): Found {
  const { section } = change;
  const { fields: known } = sectionNamed(section);
  const today = (values: Values): Values =>
    Object.fromEntries(Object.entries(values).filter(([field]) => field in known));
  const record = titleInText(sectionNamed(section));
  switch (change.action) {
    case 'add':
      return { ...done, changes: addRecord(section, change.value, change.recordId)(content) };
    case 'update': {
      if (!before)
        return { ...done, conflict: isConflict('removed', `This ${record} was removed meanwhile.`) };
      const value = today(change.value);
      const fields = changedSince(today(change.base), before.values, value);
      const differs = Object.entries(value).some(([field, text]) => before.values[field] !== text);
      return {
        changes: differs ? updateRecord(section, change.recordId, value)(content) : [],
        conflict:
          fields.length === 0
            ? undefined
            : isConflict('changed', `Somebody else saved this ${record} meanwhile.`, fields),
      };
    }
    case 'remove': {
      if (!before) return done;
      const fields = changedSince(today(change.base), before.values, undefined);
      return {
        changes: removeRecord(section, change.recordId)(content),
        conflict:
          fields.length === 0
            ? undefined
            : isConflict('changed', `Somebody else saved this ${record} meanwhile.`, fields),
      };
    }
    case 'reorder': {
      const now = idsOf(content[section]);
      const wanted = arrange(now, change.value);
      if (isSameOrder(now, wanted)) return done;
      return {
        changes: reorderRecords(section, wanted)(content),
        conflict: wasReordered(change.base, now)
          ? isConflict('changed', 'Somebody else put this list in another order meanwhile.')
          : undefined,
      };
    }
  }
}

/** The outcome of one change; a change that is invalid on this content changes nothing. */
export function outcomeOf<C extends SectionChange>(content: StoredContent, change: C): Outcome<C> {
  const before = findBefore(content, change);
  try {
    return { change, before, ...evaluate(content, change, before) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { change, before, changes: [], conflict: isConflict('refused', error.message) };
  }
}

interface Applied<C extends SectionChange> {
  readonly content: StoredContent;
  readonly outcomes: readonly Outcome<C>[];
}

/**
 * Applies each change as soon as no other one prevents it: an address of a redirect may be free only after another
 * redirect has given it up.
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
 * The outcomes of the changes of a release, one after the other. The order of a list is applied last, when its records
 * are final.
 */
export function applyRelease<C extends SectionChange>(
  content: StoredContent,
  changes: readonly C[],
): Applied<C> {
  const records = applyEach(
    content,
    changes.filter(({ action }) => action !== 'reorder'),
  );
  const orders = applyEach(
    records.content,
    changes.filter(({ action }) => action === 'reorder'),
  );
  return { content: orders.content, outcomes: [...records.outcomes, ...orders.outcomes] };
}

/** Merges the changes of each record into one, from its first state to its last. */
export function joinChanges(changes: readonly RecordChange[]): readonly RecordChange[] {
  const joined = new Map<string, RecordChange>();
  for (const change of changes) {
    const key = `${change.section} ${(change.after ?? change.before)?._id ?? ''}`;
    const first = joined.get(key);
    joined.set(key, first ? { ...first, after: change.after } : change);
  }
  return [...joined.values()];
}

/**
 * The edit that makes all changes of a release, or none.
 * @throws ApiError 409 where a change conflicts with what is live
 */
export const releaseEdit =
  (changes: readonly SectionChange[]): Edit =>
  (content) => {
    const { outcomes } = applyRelease(content, changes);
    const conflicts = outcomes.filter(({ conflict }) => conflict);
    const [first] = conflicts;
    if (first)
      throw refuse(
        `${counted(conflicts.length, 'change conflicts', 'changes conflict')} with what is live now, so nothing was published. ${first.conflict?.detail ?? ''} Open the release and choose what to publish.`,
      );
    return joinChanges(outcomes.flatMap((outcome) => outcome.changes));
  };
