/** A form of something that others may change meanwhile: a stale save is put on top of what they saved. */
import { useState } from 'react';
import type { CallError } from '#site/islands/shared/call.ts';
import type { FieldErrors } from '#contract/problem.ts';
import type { Values, VersionedRecord } from '../content-calls.ts';
import { mergeVersions, type ConflictingField, type Labels } from './record-changes.ts';
import { changedFields, differs, useDraft, type Draft } from './use-draft.ts';

export interface VersionedDraftOptions {
  readonly labels: Labels;
  readonly start: VersionedRecord;
  readonly check: (values: Values) => FieldErrors;
  readonly read: () => Promise<VersionedRecord>;
  /** @param etag the version that the change was made from; a stale one is refused with status 412 */
  readonly update: (values: Values, etag: string | undefined) => Promise<VersionedRecord>;
  /** Called once the server has confirmed a save. */
  readonly onSaved: () => void;
}

export interface VersionedDraft {
  readonly draft: Draft;
  /** The record as it was last read or saved. */
  readonly base: VersionedRecord;
  readonly isDirty: boolean;
  /** The fields that say something else than the record. */
  readonly changed: Values;
  /** The fields that somebody else left with a different text. */
  readonly conflict: readonly ConflictingField[] | undefined;
  /** Counts the saves, those of others too. */
  readonly saves: number;
  readonly save: () => Promise<void>;
  /** Hands the changed fields to something else than a save; then the form stands as what is live. */
  readonly sendElsewhere: (
    send: (changed: Values, etag: string | undefined) => Promise<unknown>,
  ) => Promise<void>;
  readonly discard: () => void;
  /** Goes on with fields that were typed before; of another version, each is compared with what is there now. */
  readonly goOnWith: (typed: Values, version: number | null) => void;
  /** Goes on from a version that was saved in another way. */
  readonly take: (saved: VersionedRecord) => void;
}

/** Each field that was typed, beside what is there now. */
const comparedWith = (labels: Labels, typed: Values, now: Values): readonly ConflictingField[] =>
  Object.entries(typed)
    .filter(([field, mine]) => field in labels && mine !== now[field])
    .map(([field, mine]) => ({
      field,
      label: labels[field] ?? field,
      theirs: now[field] ?? '',
      mine,
      changedByBoth: false,
    }));

export function useVersionedDraft(options: VersionedDraftOptions): VersionedDraft {
  const { labels, start, check, read, update, onSaved } = options;
  const [base, setBase] = useState(start);
  const [conflict, setConflict] = useState<readonly ConflictingField[]>();
  const [saves, setSaves] = useState(0);
  const valuesOf = ({ record }: VersionedRecord): Values =>
    Object.fromEntries(Object.keys(labels).map((field) => [field, record[field] ?? '']));
  const draft = useDraft(valuesOf(start), check);
  const baseValues = valuesOf(base);

  const onStale = async ({ status }: CallError) => status === 412 && mergeWithTheirs();

  function goOnFrom(next: VersionedRecord, fields?: readonly ConflictingField[]) {
    setBase(next);
    setConflict(fields);
    setSaves((count) => count + 1);
  }

  async function mergeWithTheirs() {
    const current = await read();
    const { fields, merged } = mergeVersions(labels, {
      base: baseValues,
      mine: draft.values,
      theirs: valuesOf(current),
    });
    goOnFrom(current, fields);
    draft.replace(merged);
    return true;
  }

  return {
    draft,
    base,
    conflict,
    saves,
    isDirty: differs(draft.values, baseValues),
    changed: changedFields(draft.values, baseValues),
    save: () =>
      draft.submit(async (values) => {
        const saved = await update(values, base.etag);
        goOnFrom(saved);
        onSaved();
        return valuesOf(saved);
      }, onStale),
    sendElsewhere: (send) =>
      draft.submit(async (values) => {
        await send(changedFields(values, baseValues), base.etag);
        return baseValues;
      }, onStale),
    discard() {
      draft.replace(baseValues);
      setConflict(undefined);
    },
    goOnWith(typed, version) {
      draft.replace({ ...draft.values, ...typed });
      if (`"${String(version)}"` === base.etag) return;
      setConflict(comparedWith(labels, typed, baseValues));
    },
    take(saved) {
      goOnFrom(saved);
      draft.replace(valuesOf(saved));
    },
  };
}
