import type { ReactNode } from 'react';
import { searchNotes } from '#contract/articles.ts';
import { packageNotes } from '#contract/packages.ts';
import { isFixedField } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import type { Values } from '../content-calls.ts';
import { saveDetailsIn } from '../media/unsaved-details.ts';
import { isRestricted } from '#site/admin/shell/role.ts';
import { EditForm, type EditFormProps } from './edit-form.tsx';
import { FieldInput } from './field-input.tsx';
import { usePendingFocus } from './pending-focus.ts';
import { fieldLabel } from './record-changes.ts';

interface RecordFormProps extends Pick<
  EditFormProps,
  'heading' | 'draft' | 'isDirty' | 'saveLabel' | 'onSubmit' | 'isMain' | 'actions'
> {
  readonly name: SectionName;
  /** The fields of the form, in order. */
  readonly fields: readonly string[];
  /** Shown above the fields. */
  readonly children?: ReactNode;
}

/** Hints about values in relation to the record's other values. */
function notesOf(name: SectionName, values: Values): Values {
  if (name === 'pricingPackage') return packageNotes(values);
  return name === 'article' ? searchNotes(values) : {};
}

/** Why the user cannot change a field; undefined if they can. */
function fixedBecause(name: SectionName, field: string): string | undefined {
  const section = sectionNamed(name);
  const definition = section.fields[field];
  if (definition && isFixedField(section, definition)) return definition.help ?? 'This cannot be changed.';
  const isPrice = name === 'pricingPackage' && ['packagePrice', 'billing'].includes(field);
  return isPrice && isRestricted('prices') ? 'Only an administrator may change this.' : undefined;
}

export function RecordForm({ name, fields, children, ...frame }: RecordFormProps) {
  const { values, setValue } = frame.draft;
  const section = sectionNamed(name);
  const labels = Object.fromEntries(fields.map((field) => [field, fieldLabel(name, field)]));
  const notes = notesOf(name, values);
  usePendingFocus(name, fields);
  async function submit() {
    if (await saveDetailsIn(frame.draft.ref.current)) await frame.onSubmit();
  }
  return (
    <EditForm {...frame} onSubmit={submit} name={name} labels={labels} notice={children}>
      {fields.map((field) => {
        const definition = section.fields[field];
        return (
          definition && (
            <FieldInput
              key={field}
              form={name}
              name={field}
              field={definition}
              fixedBecause={fixedBecause(name, field)}
              value={values[field] ?? ''}
              note={notes[field]}
              onChange={(value) => setValue(field, value)}
            />
          )
        );
      })}
    </EditForm>
  );
}
