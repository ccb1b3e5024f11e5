/** The form of any section: its fields, and the preview beside it. */
import type { ReactNode } from 'react';
import { isFixedField } from '#contract/section.ts';
import { isShown, sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { EditForm, type EditFormProps } from './edit-form.tsx';
import { FieldInput } from './field-input.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import { fieldLabel } from './record-changes.ts';
import css from './record-form.module.css';

export interface RecordFormProps extends Pick<
  EditFormProps,
  'heading' | 'draft' | 'isDirty' | 'saveLabel' | 'onSubmit' | 'isMain' | 'actions'
> {
  readonly name: SectionName;
  /** The fields that the form asks for, in order. */
  readonly fields: readonly string[];
  /** The record being edited; absent while one is added. */
  readonly id?: string;
  /** Counts the saves, those of others too, so that the preview reads the records around this one anew. */
  readonly saves: number;
  /** Stands above the fields. */
  readonly children?: ReactNode;
}

export function RecordForm({ name, fields, id, saves, children, ...frame }: RecordFormProps) {
  const { values, errors, setValue } = frame.draft;
  const section = sectionNamed(name);
  const labels = Object.fromEntries(fields.map((field) => [field, fieldLabel(name, field)]));
  return (
    <div className={css['editor']} data-preview={isShown(name) || undefined}>
      <EditForm {...frame} name={name} labels={labels} notice={children}>
        {fields.map((field) => {
          const definition = section.fields[field];
          return (
            definition && (
              <FieldInput
                key={field}
                form={name}
                name={field}
                field={definition}
                isFixed={isFixedField(section, definition)}
                value={values[field] ?? ''}
                error={errors[field]}
                onChange={(value) => setValue(field, value)}
              />
            )
          );
        })}
      </EditForm>
      {isShown(name) && <PreviewFrame section={name} id={id} values={values} generation={saves} />}
    </div>
  );
}
