/** What differs between two versions of a record, and how a stale edit meets what somebody else saved meanwhile. */
import { differences } from '#contract/history.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import type { Values } from '../content-calls.ts';
import type { FieldChange } from './difference.tsx';

/** The label of a field; a field that the registry no longer has keeps its name. */
export const fieldLabel = (name: SectionName, field: string): string =>
  sectionNamed(name).fields[field]?.label ?? field;

/** A change of a field as the screens show it. */
export const shownChange = (
  name: SectionName,
  { field, before, after }: Pick<FieldChange, 'field' | 'before' | 'after'>,
): FieldChange => ({
  field,
  before,
  after,
  label: fieldLabel(name, field),
  isPicture: sectionNamed(name).fields[field]?.kind === 'image',
});

/** The fields whose values differ, in the order of the section; null stands for a record that was not there. */
export function changesBetween(
  name: SectionName,
  before: Values | null,
  after: Values | null,
): readonly FieldChange[] {
  return differences(before ?? {}, after ?? {}, Object.keys(sectionNamed(name).fields))
    .filter(({ field }) => field !== '_id')
    .map((change) => shownChange(name, change));
}

/** The labels of a form's fields, in their order. */
export type Labels = Readonly<Record<string, string>>;

/** The labels of a section's fields. */
export const labelsOf = (name: SectionName): Labels =>
  Object.fromEntries(Object.entries(sectionNamed(name).fields).map(([field, { label }]) => [field, label]));

/** One field that two administrators left with different texts. */
export interface ConflictingField {
  readonly field: string;
  readonly label: string;
  readonly theirs: string;
  readonly mine: string;
  /** Both changed it, so a person must choose; otherwise the one change stands until somebody prefers the other. */
  readonly changedByBoth: boolean;
}

export interface Conflict {
  readonly fields: readonly ConflictingField[];
  /** What the form goes on with: their changes, mine, and mine where both changed a field. */
  readonly merged: Values;
}

/**
 * Puts a stale edit on top of the record as it is now.
 * @param base what the edit began from
 */
export function mergeVersions(
  labels: Labels,
  { base, mine, theirs }: { readonly base: Values; readonly mine: Values; readonly theirs: Values },
): Conflict {
  const fields = Object.keys(labels);
  const value = (values: Values, field: string) => values[field] ?? '';
  const isMine = (field: string) => value(mine, field) !== value(base, field);
  return {
    fields: fields
      .filter((field) => value(mine, field) !== value(theirs, field))
      .map((field) => ({
        field,
        label: labels[field] ?? field,
        theirs: value(theirs, field),
        mine: value(mine, field),
        changedByBoth: isMine(field) && value(theirs, field) !== value(base, field),
      })),
    merged: Object.fromEntries(
      fields.map((field) => [field, isMine(field) ? value(mine, field) : value(theirs, field)]),
    ),
  };
}
