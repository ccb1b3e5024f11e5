/** Names of sections, records and changes on screens. */
import type { FieldKind } from '#contract/field-kinds.ts';
import { shownValue, titleFieldOf, titleInText } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import type { PublishedChange } from '#contract/content.calls.ts';
import type { ChangeAction } from '#contract/history.ts';
import type { Values } from '../content-calls.ts';

/** The heading of a form that adds or edits a record. */
export function formHeading(name: SectionName, verb: 'add' | 'edit'): string {
  const section = sectionNamed(name);
  return section.screen.headings?.[verb] ?? `${verb === 'add' ? 'Add' : 'Edit'} ${titleInText(section)}`;
}

const maxTitleLength = 80;

/** Shortens a text to a one-line name. The result is never empty. */
function asTitle(text: string): string {
  const letters = Array.from(text);
  return letters.length > maxTitleLength
    ? `${letters.slice(0, maxTitleLength).join('')}…`
    : text || 'Untitled';
}

/** The name of a picture: its file name without folder and hash. */
export const pictureName = (path: string): string =>
  path.slice(path.lastIndexOf('/') + 1).replace(/-[0-9a-f]{24}(?=\.\w+$)/, '');

/** The name of a record with this title: the value, the label of the option, or the name of the picture. */
export function titleOf(name: SectionName, value: string): string {
  const section = sectionNamed(name);
  const field = section.fields[titleFieldOf(section)];
  return asTitle(field?.kind === 'image' ? pictureName(value) : shownValue(field, value));
}

export const recordTitle = (name: SectionName, record: Values): string =>
  titleOf(name, record[titleFieldOf(sectionNamed(name))] ?? '');

const shortKinds: readonly FieldKind[] = ['line', 'choice', 'price'];

/** A line about a record next to its title: its long text, or otherwise its short fields, or its links. */
export function recordSummary(name: SectionName, record: Values): string {
  const section = sectionNamed(name);
  const told = [titleFieldOf(section), section.numberField];
  const valuesOf = (...kinds: readonly FieldKind[]) =>
    Object.entries(section.fields)
      .filter(([name, { kind = 'line', fixed }]) => kinds.includes(kind) && !fixed && !told.includes(name))
      .map(([field, definition]) => {
        const value = record[field] ?? '';
        if (value === (definition.default ?? '')) return '';
        const shown = shownValue(definition, value);
        return ['Yes', 'No'].includes(shown) ? `${definition.label}: ${shown}` : shown;
      })
      .filter((value) => value !== '');
  return valuesOf('text')[0] ?? (valuesOf(...shortKinds).join(' · ') || valuesOf('link').join(' · '));
}

/** The verbs for the actions of a save on a record. */
export const actionTexts: Readonly<Record<ChangeAction, string>> = {
  added: 'added',
  updated: 'changed',
  removed: 'removed',
  restored: 'restored',
  reordered: 'moved',
};

/** A publication in one line. */
export function summaryText(summary: readonly PublishedChange[]): string {
  const [first, ...others] = summary;
  if (!first) return '';
  const text = `${sectionNamed(first.section).title} ${actionTexts[first.action]}: ${titleOf(first.section, first.title)}`;
  return others.length === 0 ? text : `${text} (and ${others.length} more)`;
}
