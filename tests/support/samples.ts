/** Values for any section of the registry, derived from what its literal says about each field. */
import { ruleOf } from '#contract/field-kinds.ts';
import type { Field, Section } from '#contract/section.ts';

let count = 0;

/** Whether a field's kind accepts any text. */
export const isFreeText = (field: Field): boolean =>
  field.kind === undefined || field.kind === 'line' || field.kind === 'text' || field.kind === 'icon';

/** A full set of values that the section accepts, different on each call. Unique fields may be left out. */
export function sampleOf(section: Section, { withoutUnique = false } = {}): Record<string, string> {
  const fields = Object.entries(section.fields).filter(
    ([, { unique, fixed }]) => !fixed && !(withoutUnique && unique),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, ruleOf(field).sample((count += 1), field)]));
}
