/** A form of something that others may change meanwhile: a stale save is put on top of what they saved. */
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
  /** Where what is typed is kept when the form is left. */
  readonly form?: FormKey;
  /** What the record is about, for who has left its form when they are told that it was not saved. */
  readonly title?: string;
  readonly labels: Labels;
  readonly start: VersionedRecord;
  /** The version that a draft of the form names as the one from which it was typed; that of the ETag where it is absent. */
  readonly readVersion?: (etag: string | undefined) => number;
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
  /** The version from which it is typed: an earlier one than the record's while somebody has to decide between the two. */
  readonly typedFrom: number | undefined;
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
  readonly resumeDraft: (typed: Values, version: number | null) => void;
  /**
   * Goes on from a version that was saved in another way.
   * @param before the fields as that began: what was typed since stays
   */
  readonly take: (saved: VersionedRecord, before: Values) => void;
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

/** Texts of which somebody has to choose. */
interface Collision {
  readonly fields: readonly ConflictingField[];
  /** The version from which the person's own were typed. */
  readonly typedFrom: number | undefined;
}

/** The record as it was last read or saved, and what has to be decided on it. */
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

/** The server keeps texts without the space around them. */
const isSame = (one: Values, other: Values): boolean =>
  Object.entries(one).every(([field, value]) => value.trim() === (other[field] ?? '').trim());

/**
 * Saves. A save whose answer was lost may have arrived: sent again, it is refused as stale because of itself. Then the
 * record holds what was sent, and the save goes on from there.
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
  // Who has left their own text nowhere has decided.
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
