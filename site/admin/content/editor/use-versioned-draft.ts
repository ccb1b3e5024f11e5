/** A form for a record that others may change at the same time. A stale save is merged with their changes. */
import { useRef, useState } from 'react';
import { callErrorOf } from '#site/app/call-error.ts';
import type { CallError } from '#site/app/call.ts';
import { refetchScreen } from '#site/app/query.ts';
import { versionOf } from '#contract/etag.ts';
import type { FieldErrors } from '#contract/problem.ts';
import { type Values, type VersionedRecord } from '../content-calls.ts';
import { mergeVersions, type ConflictingField, type Labels } from './record-changes.ts';
import { markSent } from './form-store.ts';
import type { FormKey } from './server-drafts.ts';
import { withTypedSince } from '#site/app/with-typed-since.ts';
import { changedFields, differs, useDraft, type Draft } from './use-draft.ts';

export interface VersionedDraftOptions {
  /** The key under which unsaved values are stored. */
  readonly form?: FormKey;
  /** The name of the record, for the message if a save fails after the form was closed. */
  readonly title?: string;
  readonly labels: Labels;
  readonly start: VersionedRecord;
  /** Returns the version that a draft of the form is based on; the version in the ETag by default. */
  readonly readVersion?: (etag: string | undefined) => number;
  readonly check: (values: Values) => FieldErrors;
  readonly read: () => Promise<VersionedRecord>;
  /** @param etag the version that was edited; the server rejects an old one with 412 */
  readonly update: (values: Values, etag: string | undefined) => Promise<VersionedRecord>;
  /** Called after each confirmed save. */
  readonly onSaved: () => void;
}

export interface VersionedDraft {
  readonly draft: Draft;
  /** The record as last loaded or saved. */
  readonly base: VersionedRecord;
  /** The version that the values are based on. During a conflict, it is older than the record's. */
  readonly typedFrom: number | undefined;
  readonly isDirty: boolean;
  /** The fields that differ from the record. */
  readonly changed: Values;
  /** The fields to which someone else gave a different value. */
  readonly conflict: readonly ConflictingField[] | undefined;
  /** The number of saves, including other people's. */
  readonly saves: number;
  readonly save: () => Promise<void>;
  /** Sends the changed fields elsewhere, such as to a release. The form then shows the live record again. */
  readonly sendElsewhere: (
    send: (changed: Values, etag: string | undefined) => Promise<unknown>,
  ) => Promise<void>;
  readonly discard: () => void;
  /** Continues with earlier values. If they are based on another version, each is compared with the current one. */
  readonly resumeDraft: (typed: Values, version: number | null) => void;
  /** Continues from another save. @param before the values at its start; later changes are kept */
  readonly take: (saved: VersionedRecord, before: Values) => void;
}

/** Compares each typed field with its current value. */
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

/** The values to choose between. */
interface Collision {
  readonly fields: readonly ConflictingField[];
  /** The version that the user's own values are based on. */
  readonly typedFrom: number | undefined;
}

/** The record as last loaded or saved, and the open conflicts. */
function useBase(start: VersionedRecord) {
  const [base, setBase] = useState(start);
  const [collision, setCollision] = useState<Collision>();
  const [saves, setSaves] = useState(0);
  function goOnFrom(next: VersionedRecord, decide?: Collision) {
    setBase(next);
    setCollision(decide);
    setSaves((count) => count + 1);
    void refetchScreen();
  }
  return { base, collision, setCollision, saves, goOnFrom };
}

/** The server trims texts. */
const isSame = (one: Values, other: Values): boolean =>
  Object.entries(one).every(([field, value]) => value.trim() === (other[field] ?? '').trim());

/**
 * Saves. If the response of a save was lost, the save may have arrived, and a retry is then rejected as stale because
 * of the first attempt. In that case, the record contains the sent values, and the save counts as successful.
 */
function useUpdate({ read, update }: Pick<VersionedDraftOptions, 'read' | 'update'>) {
  const unanswered = useRef<Values>(undefined);
  return async (values: Values, etag: string | undefined): Promise<VersionedRecord> => {
    try {
      const saved = await update(values, etag);
      unanswered.current = undefined;
      return saved;
    } catch (thrown) {
      const { status, isUnanswered } = callErrorOf(thrown);
      const sent = unanswered.current;
      unanswered.current = isUnanswered ? values : undefined;
      if (status !== 412 || !sent) throw thrown;
      const current = await read();
      if (!isSame(sent, current.record)) throw thrown;
      return isSame(values, sent) ? current : update(values, current.etag);
    }
  };
}

export function useVersionedDraft(options: VersionedDraftOptions): VersionedDraft {
  const { form, labels, start, readVersion = versionOf, check, read, onSaved } = options;
  const update = useUpdate(options);
  const { base, collision, setCollision, saves, goOnFrom } = useBase(start);
  const valuesOf = ({ record }: VersionedRecord): Values =>
    Object.fromEntries(Object.keys(labels).map((field) => [field, record[field] ?? '']));
  const baseValues = valuesOf(base);
  const draft = useDraft(valuesOf(start), check, options.title);
  // If the user has kept none of their own values, the conflict is resolved.
  const isUndecided = collision?.fields.some(({ field }) => draft.values[field] !== baseValues[field]);
  const typedFrom = isUndecided ? collision?.typedFrom : readVersion(base.etag);

  async function mergeIfStale({ status }: CallError) {
    if (status !== 412) return false;
    const current = await read();
    const versions = { base: baseValues, mine: draft.now(), theirs: valuesOf(current) };
    const { fields, merged } = mergeVersions(labels, versions);
    goOnFrom(current, { fields, typedFrom });
    draft.replace(merged);
    return true;
  }

  return {
    draft,
    base,
    typedFrom,
    conflict: collision?.fields,
    saves,
    isDirty: differs(draft.values, baseValues),
    changed: changedFields(draft.values, baseValues),
    save: () =>
      draft.submit(async (values) => {
        const saved = await update(values, base.etag);
        goOnFrom(saved);
        if (form) markSent(form, values, readVersion(saved.etag));
        onSaved();
        return valuesOf(saved);
      }, mergeIfStale),
    sendElsewhere: (send) =>
      draft.submit(async (values) => {
        await send(changedFields(values, baseValues), base.etag);
        if (form) markSent(form, values);
        void refetchScreen();
        return baseValues;
      }, mergeIfStale),
    discard() {
      draft.replace(baseValues);
      setCollision(undefined);
    },
    resumeDraft(typed, version) {
      draft.replace({ ...draft.now(), ...typed });
      if (version === readVersion(base.etag)) return;
      const others = collision?.fields.filter(({ field }) => !(field in typed)) ?? [];
      const fields = [...others, ...comparedWith(labels, typed, baseValues)];
      setCollision({ fields, typedFrom: version ?? undefined });
    },
    take(saved, before) {
      goOnFrom(saved);
      draft.replace(withTypedSince(before, draft.now(), valuesOf(saved)));
    },
  };
}
