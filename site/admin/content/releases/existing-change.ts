/** A release's own change to the same record or order. It is never replaced before the user has seen it. */
import type { Release, ReleaseChange } from '#contract/releases.calls.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import { addChange, readRelease, type NewChange } from './release-calls.ts';

export interface ExistingChange {
  readonly release: Release;
  readonly change: ReleaseChange;
}

/** The release's different values for the same fields. */
export const collidingFields = ({ values = {} }: NewChange, existing: ReleaseChange) =>
  existing.changes.filter(({ field, after }) => field in values && values[field] !== after);

const isOtherOrder = ({ order }: NewChange, { order: existing }: ReleaseChange): boolean =>
  !!order && !!existing && existing.ids.filter((id) => order.includes(id)).join() !== order.join();

/** Returns a release's change to the same record or order. */
export const findExisting = (
  { changes }: Release,
  { section, action, recordId }: NewChange,
): ReleaseChange | undefined =>
  changes.find(
    (existing) =>
      action !== 'add' && existing.section === section && existing.recordId === (recordId ?? null),
  );

/** Whether a new change would replace all or part of the existing one. */
export const replaces = (wanted: NewChange, existing: ReleaseChange): boolean =>
  existing.action !== wanted.action ||
  isOtherOrder(wanted, existing) ||
  collidingFields(wanted, existing).length > 0;

/** The result of adding a change: added, already there, or not added because it would replace `other`. */
type Addition = 'added' | 'present' | { readonly other: ExistingChange };

/**
 * Adds a change to a release, unless it would replace a change that someone else has added since the release was
 * loaded.
 * @param seen the version of the release's change at that time
 * @param idempotencyKey requests with the same key add a new record only once
 * @throws CallError 412 if the record itself was saved in the meantime
 */
export async function addUnlessReplacing(
  id: string,
  wanted: NewChange,
  seen: number | undefined,
  idempotencyKey?: string,
): Promise<Addition> {
  try {
    const added = await addChange(id, wanted, seen, idempotencyKey);
    return seen !== undefined && added?.version === seen ? 'present' : 'added';
  } catch (thrown) {
    // The server returns 412 in both cases: the release's change was modified, or the record was.
    if (callErrorOf(thrown).status !== 412) throw thrown;
    const release = await readRelease(id);
    const change = findExisting(release, wanted);
    if (change?.version === seen) throw thrown;
    return change && replaces(wanted, change)
      ? { other: { release, change } }
      : addUnlessReplacing(id, wanted, change?.version, idempotencyKey);
  }
}
