/** Values for any section of the registry, derived from what its literal says about each field. */
import type { Field, Section } from '#contract/section.ts';

let count = 0;

function sampleValue(field: Field): string {
  count += 1;
  switch (field.kind) {
    case 'image':
      return 'https://images.example/picture.png';
    case 'link':
      return '/pricing/';
    case 'path':
      return `/old-page-${String(count)}`;
    case 'price':
      return `${String(100 + count)}.50`;
    case 'days':
      return String(count % 366);
    case 'day':
      return '2026-03-09';
    case 'slug':
      return `an-address-${String(count)}`;
    case 'packages':
      return 'Basic, Standard';
    case 'color':
      return `#1040${(count % 256).toString(16).padStart(2, '0')}`;
    case 'choice':
      return field.options?.[0] ?? '';
    default:
      return `${field.label} ${String(count)}`;
  }
}

/** Whether a field's kind accepts any text. */
export const isFreeText = (field: Field): boolean =>
  field.kind === undefined || field.kind === 'line' || field.kind === 'text' || field.kind === 'icon';

/** A full set of values that the section accepts, different on each call. Unique fields may be left out. */
export function sampleOf(section: Section, { withoutUnique = false } = {}): Record<string, string> {
  const fields = Object.entries(section.fields).filter(
    ([, { unique, fixed }]) => !fixed && !(withoutUnique && unique),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleValue(field)]));
}
