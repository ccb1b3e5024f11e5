/** Puts the firm's name into the content. It replaces `{name}` in any section. */
import { ruleOf } from './field-kinds.ts';
import { fillName, placeholder } from './fill-name.ts';
import type { Field } from './section.ts';
import { only, sectionNamed, sectionNames, type SectionName } from './sections/index.ts';

/** Whether a field may contain the name: only texts that people write may, not addresses, numbers or choices. */
export const isNamedField = (field: Field): boolean => !field.fixed && ruleOf(field).isText === true;

type Records = readonly Readonly<Record<string, string>>[];

const namedFields = new Map(
  sectionNames.map((section) => {
    const fields = Object.entries(sectionNamed(section).fields);
    return [section, fields.flatMap(([name, field]) => (isNamedField(field) ? [name] : []))];
  }),
);

const filledLists = new WeakMap<Records, { readonly name: string; readonly filled: Records }>();

/**
 * The records with the name filled in. A record without the placeholder stays the same object. The same list always
 * gives the same result, so that `recordPages` computes the pages of a list only once.
 */
function fillRecords(section: SectionName, records: Records, name: string): Records {
  const known = filledLists.get(records);
  if (known?.name === name) return known.filled;
  const fields = namedFields.get(section) ?? [];
  const isNamed = (record: Records[number]) => fields.some((field) => record[field]?.includes(placeholder));
  const fill = (record: Records[number]) => {
    const texts = fields.flatMap((field) => {
      const text = record[field];
      return text === undefined ? [] : [[field, fillName(text, name)]];
    });
    return { ...record, ...(Object.fromEntries(texts) as Records[number]) };
  };
  const filled = records.some(isNamed)
    ? records.map((record) => (isNamed(record) ? fill(record) : record))
    : records;
  filledLists.set(records, { name, filled });
  return filled;
}

interface Branded {
  readonly brand?: readonly (Readonly<Record<string, string>> | { readonly name: string })[];
}

/** The name of the firm; '' if the content has none. */
export const firmNameIn = ({ brand = [] }: Branded): string => only(brand)?.['name'] ?? '';

/** The content with the firm's name filled in. The brand itself is unchanged. */
export function withFirmName<C extends Branded>(content: C): C {
  const name = firmNameIn(content);
  const filled = Object.entries(content).map(([section, records]) => [
    section,
    section === 'brand'
      ? (records as Records)
      : fillRecords(section as SectionName, records as Records, name),
  ]);
  return Object.fromEntries(filled) as C;
}
