/** The content of the preview: the loaded records with the unsaved values of the forms. */
import { sectionNamed, isShown, type PublicSectionName } from '#contract/sections/index.ts';
import type { ContentRecord } from '#contract/section-calls.ts';
import type { SectionProps } from '#site/sections/section-props.ts';
import type { Values } from '../content/content-calls.ts';
import type { TypedForm } from '../content/editor/form-store.ts';

/** The visible records of each section, in display order. */
export type SiteContent = Readonly<Partial<Record<PublicSectionName, readonly ContentRecord[]>>>;

const isEmpty = (values: Values) => Object.values(values).every((value) => value.trim() === '');

/** The id of the record in the form that adds one. */
export const newRecordId = 'new';

/** A new record as it would be saved. Fields that the form does not have are empty. */
const newRecord = (section: PublicSectionName, values: Values): ContentRecord => ({
  ...Object.fromEntries(Object.keys(sectionNamed(section).fields).map((field) => [field, ''])),
  ...values,
  _id: newRecordId,
});

/**
 * @param only `changed` if the content is not what the forms started from, such as a release's content. Unchanged
 *   fields then keep the content's values.
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
    // A form without changes adds no record.
    else if (!isEmpty(form.changed)) next[section] = [...records, newRecord(section, values)];
  }
  return next;
}

/** Every field of a record is a string, as the components' types require. */
export const asProps = (content: SiteContent) => content as SectionProps['content'];
