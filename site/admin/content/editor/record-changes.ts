/** Compares versions of a record, and merges a stale edit with changes that someone else has saved. */
import { differences } from '#contract/history.ts';
import { shownValue } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import type { Values } from '../content-calls.ts';
import type { FieldChange } from './difference.tsx';

/** Returns the label of a field. A field that is no longer in the registry keeps its name. */
export const fieldLabel = (name: SectionName, field: string): string =>
  sectionNamed(name).fields[field]?.label ?? field;

/** A changed field for display. */
export const shownChange = (
  name: SectionName,
  { field, before, after }: Pick<FieldChange, 'field' | 'before' | 'after'>,
): FieldChange => {
  const definition = sectionNamed(name).fields[field];
  return {
    field,
    before: shownValue(definition, before),
    after: shownValue(definition, after),
    label: fieldLabel(name, field),
    isPicture: definition?.kind === 'image',
  };
};

/** Returns the different fields in the section's order. null means that the record did not exist. */
export function changesBetween(
  name: SectionName,
  before: Values | null,
  after: Values | null,
): readonly FieldChange[] {
  return differences(before ?? {}, after ?? {}, Object.keys(sectionNamed(name).fields))
    .filter(({ field }) => field !== '_id')
    .map((change) => shownChange(name, change));
}

/** The labels of a form's fields, in order. */
export type Labels = Readonly<Record<string, string>>;

export const labelsOf = (name: SectionName): Labels =>
  Object.fromEntries(Object.entries(sectionNamed(name).fields).map(([field, { label }]) => [field, label]));

/** A field to which two administrators gave different values. */
export interface ConflictingField {
  readonly field: string;
  readonly label: string;
  readonly theirs: string;
  readonly mine: string;
  /** Whether both changed it, so that the user must choose. If only one did, that change applies by default. */
  readonly changedByBoth: boolean;
}

interface Conflict {
  readonly fields: readonly ConflictingField[];
  /** The merged values: the other person's changes and mine. If both changed a field, it has my value. */
  readonly merged: Values;
}

/** Applies a stale edit to the current record. @param base the version that the edit started from */
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
