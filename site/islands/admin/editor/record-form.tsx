/**
 * The form of any section: its fields, what is wrong beside them and in a summary, Save by button, Enter or Ctrl/Cmd+S,
 * and the preview beside it.
 */
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { isFixedField } from '../../../../worker/contract/section.ts';
import { isShown, sectionNamed, type SectionName } from '../../../../worker/contract/sections/index.ts';
import { Alert } from '../../../components/alert.tsx';
import { Button } from '../../../components/button.tsx';
import { Failure } from '../../shared/failure.tsx';
import { FieldInput, fieldId } from './field-input.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import type { Draft } from './use-draft.ts';
import { useUnsavedGuard } from '../../shared/use-unsaved-guard.ts';
import css from './record-form.module.css';

export interface RecordFormProps {
  readonly name: SectionName;
  readonly heading: string;
  readonly draft: Draft;
  /** The fields that the form asks for, in order. */
  readonly fields: readonly string[];
  /** The record being edited; absent while one is added. */
  readonly id?: string;
  readonly isDirty: boolean;
  /** Counts the saves, those of others too, so that the preview reads the records around this one anew. */
  readonly saves: number;
  readonly saveLabel: string;
  readonly onSubmit: () => Promise<void>;
  /** The form is what the screen is for: Ctrl/Cmd+S saves it wherever the focus is. */
  readonly isMain?: boolean;
  /** Stands above the fields. */
  readonly children?: ReactNode;
  /** Further buttons beside Save. */
  readonly actions?: ReactNode;
}

export function RecordForm(props: RecordFormProps) {
  const { name, heading, draft, fields, id, isDirty, saves, saveLabel, onSubmit, isMain, children } = props;
  const { values, errors, failure, isBusy, refusals, setValue } = draft;
  const section = sectionNamed(name);
  const form = useRef<HTMLFormElement>(null);
  const headingId = useId();
  useUnsavedGuard(isDirty);

  useEffect(() => {
    const saveByKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || event.altKey || event.ctrlKey === event.metaKey) return;
      if (!isMain && !form.current?.contains(document.activeElement)) return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    addEventListener('keydown', saveByKey);
    return () => removeEventListener('keydown', saveByKey);
  }, [isMain]);

  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refusals]);

  const wrong = fields.filter((field) => errors[field] !== undefined);
  const others = Object.entries(errors).filter(([field]) => !fields.includes(field));
  return (
    <div className={css['editor']} data-preview={isShown(name) || undefined}>
      <form
        ref={form}
        className={css['form']}
        data-main={isMain || undefined}
        aria-labelledby={headingId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        <h2 id={headingId} className={css['heading']}>
          {heading}
        </h2>
        {children}
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
        {wrong.length > 0 && (
          <Alert
            title={wrong.length === 1 ? 'One field needs another look' : 'Some fields need another look'}
          >
            <ul className={css['wrong']}>
              {wrong.map((field) => (
                <li key={field}>
                  <a href={`#${fieldId(name, field)}`}>{section.fields[field]?.label ?? field}</a>:{' '}
                  {errors[field]}
                </li>
              ))}
            </ul>
          </Alert>
        )}
        {failure && (wrong.length === 0 || failure.status !== 422) && (
          <Failure error={failure}>
            {others.length > 0 && (
              <ul className={css['wrong']}>
                {others.map(([field, sentence]) => (
                  <li key={field}>
                    {field}: {sentence}
                  </li>
                ))}
              </ul>
            )}
          </Failure>
        )}
        <div className={css['actions']}>
          <Button type="submit" busy={isBusy} aria-keyshortcuts="Control+S Meta+S">
            {saveLabel}
          </Button>
          {props.actions}
          {isDirty && <span className={css['unsaved']}>Not saved yet</span>}
        </div>
      </form>
      {isShown(name) && <PreviewFrame section={name} id={id} values={values} generation={saves} />}
    </div>
  );
}
