/** What the screens call sections and records. */
import { titleFieldOf, titleInText, type FieldKind } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import type { Values } from '../content-calls.ts';

/** Heading of the form that adds or edits a record. */
export function formHeading(name: SectionName, verb: 'add' | 'edit'): string {
  const section = sectionNamed(name);
  return section.screen.headings?.[verb] ?? `${verb === 'add' ? 'Add' : 'Edit'} ${titleInText(section)}`;
}

const longestTitle = 80;

/** A text as the name of something: not longer than a line, and never nothing. */
function asTitle(text: string): string {
  const letters = Array.from(text);
  return letters.length > longestTitle ? `${letters.slice(0, longestTitle).join('')}…` : text || 'Untitled';
}

/** What a picture is called: its file's name, without its folder and the hash of its bytes. */
export const pictureName = (path: string): string =>
  path.slice(path.lastIndexOf('/') + 1).replace(/-[0-9a-f]{24}(?=\.\w+$)/, '');

/** What a record with this value in its title field is called on the screens: the value, the title of the option, or the name of the picture. */
export function titleOf(name: SectionName, value: string): string {
  const section = sectionNamed(name);
  const field = section.fields[titleFieldOf(section)];
  return asTitle(field?.kind === 'image' ? pictureName(value) : (field?.optionTitles?.[value] ?? value));
}

/** What a record is called on the screens. */
export const recordTitle = (name: SectionName, record: Values): string =>
  titleOf(name, record[titleFieldOf(sectionNamed(name))] ?? '');

const shortKinds: readonly FieldKind[] = ['line', 'choice', 'price'];

/** A line about a record beside its title: its text, or else what somebody wrote into its short fields. */
export function recordSummary(name: SectionName, record: Values): string {
  const section = sectionNamed(name);
  const told = [titleFieldOf(section), section.numberField];
  const valuesOf = (...kinds: readonly FieldKind[]) =>
    Object.entries(section.fields)
      .filter(([name, { kind = 'line', fixed }]) => kinds.includes(kind) && !fixed && !told.includes(name))
      .map(([field, { default: preset = '', optionTitles }]) => {
        const value = record[field] ?? '';
        return value === preset ? '' : (optionTitles?.[value] ?? value);
      })
      .filter((value) => value !== '');
  return valuesOf('text')[0] ?? valuesOf(...shortKinds).join(' · ');
}
