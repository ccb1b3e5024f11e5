/** What a release holds already about the record, or the order, that a new change is about: nobody replaces it unseen. */
import type { Release, ReleaseChange } from '#contract/releases.calls.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import { addChange, readRelease, type NewChange } from './release-calls.ts';

/** A change, and the release that holds it. */
export interface ExistingChange {
  readonly release: Release;
  readonly change: ReleaseChange;
}

/** What a release makes of the same fields, and differently. */
export const collidingFields = ({ values = {} }: NewChange, held: ReleaseChange) =>
  held.changes.filter(({ field, after }) => field in values && values[field] !== after);

/** Whether a release puts the list into another order. */
const isOtherOrder = ({ order }: NewChange, { order: held }: ReleaseChange): boolean =>
  !!order && !!held && held.ids.filter((id) => order.includes(id)).join() !== order.join();

/** What a release holds about the same record, or the same order. */
export const changeHeld = (
  { changes }: Release,
  { section, action, recordId }: NewChange,
): ReleaseChange | undefined =>
  changes.find(
    (held) => action !== 'add' && held.section === section && held.recordId === (recordId ?? null),
  );

/** Whether a change would take the place of what is held, or of a part of it. */
export const replaces = (wanted: NewChange, held: ReleaseChange): boolean =>
  held.action !== wanted.action || isOtherOrder(wanted, held) || collidingFields(wanted, held).length > 0;

/** What came of adding a change to a release: added; held there already; or not added, because it would replace `other`. */
export type Addition = 'added' | 'held' | { readonly other: ExistingChange };

/**
 * Adds a change to a release, unless it would replace what somebody else has put there since the release was read.
 * @param seen the version of the change that the release held then
 * @param idempotencyKey with the same one, a new record that is sent again is added once
 * @throws CallError 412 where the record itself was saved meanwhile
 */
export async function addUnlessReplacing(
  id: string,
  wanted: NewChange,
  seen: number | undefined,
  idempotencyKey?: string,
): Promise<Addition> {
  try {
    const added = changeHeld(await addChange(id, wanted, seen, idempotencyKey), wanted);
    return seen !== undefined && added?.version === seen ? 'held' : 'added';
  } catch (thrown) {
    // The server refuses with 412 for either: the change of the release, or the record, is not what was seen.
    if (callErrorOf(thrown).status !== 412) throw thrown;
    const release = await readRelease(id);
    const change = changeHeld(release, wanted);
    if (change?.version === seen) throw thrown;
    return change && replaces(wanted, change)
      ? { other: { release, change } }
      : addUnlessReplacing(id, wanted, change?.version, idempotencyKey);
  }
}
