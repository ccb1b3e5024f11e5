/** The content that the page in the editor shows: what was read, with what stands in the forms. */
import { sectionNamed, isShown, type PublicSectionName } from '#contract/sections/index.ts';
import type { SectionProps } from '#site/sections/section-props.ts';
import type { ContentRecord, Values } from '../content/content-calls.ts';
import type { TypedForm } from '../content/editor/form-store.ts';

/** The records of each section that visitors see, in display order. */
export type SiteContent = Readonly<Partial<Record<PublicSectionName, readonly ContentRecord[]>>>;

const isEmpty = (values: Values) => Object.values(values).every((value) => value.trim() === '');

/** A new record as it would be saved: a field that is not asked for is empty. */
const newRecord = (section: PublicSectionName, values: Values): ContentRecord => ({
  ...Object.fromEntries(Object.keys(sectionNamed(section).fields).map((field) => [field, ''])),
  ...values,
  _id: 'new',
});

/**
 * @param only `changed` where the content is not the one that the forms were filled from, as that of a release: then a field
 *   that nobody touched says what the content says
 */
export function withTyped(
  content: SiteContent,
  forms: Iterable<TypedForm>,
  only: 'changed' | 'values' = 'values',
): SiteContent {
  const next: Partial<Record<PublicSectionName, readonly ContentRecord[]>> = { ...content };
  for (const { section, recordId, values, ...form } of forms) {
    if (!isShown(section)) continue;
    const records = next[section] ?? [];
    const typed = only === 'changed' ? form.changed : values;
    if (recordId !== undefined)
      next[section] = records.map((record) =>
        record._id === recordId ? { ...record, ...typed, _id: recordId } : record,
      );
    // A form in which nobody typed adds nothing.
    else if (!isEmpty(form.changed)) next[section] = [...records, newRecord(section, values)];
  }
  return next;
}

/** The records hold every field of their section as text, which is all that the components' type says. */
export const asProps = (content: SiteContent) => content as SectionProps['content'];
