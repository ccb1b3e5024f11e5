/**
 * The frame of an edit form: an error summary besides the field errors, Ctrl/Cmd+S, and a warning before unsaved text
 * is lost.
 */
import { useEffect, useId, type ReactNode, type RefObject } from 'react';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { Form } from '#site/ui/form.tsx';
import { Failure } from '#site/app/failure.tsx';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import { undoMark } from '#site/admin/shell/use-clear-undo.ts';
import type { Labels } from './record-changes.ts';
import type { Draft } from './use-draft.ts';
import type { VersionedDraft } from './use-versioned-draft.ts';
import { row, stack, surface } from '#site/ui/layout.ts';
import css from './record-form.module.css';

/** The id of a field's input. @param form a prefix, because two forms on a screen may use the same names */
export const fieldId = (form: string, name: string) => `${form}-${name}`;

export interface EditFormProps {
  /** The prefix of the inputs' ids. */
  readonly name: string;
  readonly heading: string;
  readonly draft: Draft;
  /** The labels of the form's fields, in order. */
  readonly labels: Labels;
  readonly isDirty: boolean;
  readonly saveLabel: string;
  readonly onSubmit: () => Promise<void>;
  /** Whether the form is the main purpose of the screen. Ctrl/Cmd+S then saves it from anywhere. */
  readonly isMain?: boolean | undefined;
  /** Shown above the fields. */
  readonly notice?: ReactNode;
  /** More buttons next to Save. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Whether a key press asks to save: Ctrl+S or Cmd+S. */
export const isSaveKey = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 's' && !altKey && ctrlKey !== metaKey;

/** Saves with Ctrl/Cmd+S: from anywhere if this is the main form of the screen, otherwise only from inside the form. */
function useSaveByKey(form: RefObject<HTMLFormElement | null>, isMain = false) {
  useEffect(() => {
    const saveByKey = (event: KeyboardEvent) => {
      // An area inside the form may be saved separately.
      if (event.defaultPrevented || !isSaveKey(event)) return;
      if (!isMain && !form.current?.contains(document.activeElement)) return;
      event.preventDefault();
      // An open dialog blocks the shortcut.
      if (!document.querySelector('dialog[open]')) form.current?.requestSubmit();
    };
    addEventListener('keydown', saveByKey);
    return () => removeEventListener('keydown', saveByKey);
  }, [form, isMain]);
}

export function EditForm(props: EditFormProps) {
  const { name, heading, draft, labels, isDirty, saveLabel, onSubmit, isMain, notice, actions } = props;
  const { ref, isBusy, errors } = draft;
  const headingId = useId();
  useUnsavedGuard(isDirty);
  useSaveByKey(ref, isMain);

  return (
    <Form
      ref={ref}
      errors={errors}
      className={stack(4, surface(css['form']))}
      data-main={isMain || undefined}
      aria-labelledby={headingId}
      onSend={onSubmit}
    >
      <h2 id={headingId} className="heading">
        {heading}
      </h2>
      {notice}
      {props.children}
      <Refusal name={name} labels={labels} draft={draft} />
      <div className={row([1, 3], css['actions'])}>
        <Button type="submit" busy={isBusy} aria-keyshortcuts="Control+S Meta+S">
          {saveLabel}
        </Button>
        {actions}
        {isDirty && <span className="note warning">Not saved yet</span>}
      </div>
    </Form>
  );
}

/**
 * Shows why the form was not saved: the invalid fields, or an error that does not belong to a field. A form with a
 * single field shows the error only at the field.
 */
function Refusal({ name, labels, draft }: Pick<EditFormProps, 'name' | 'labels' | 'draft'>) {
  const { errors, error, failure } = draft;
  const wrong = Object.entries(labels).filter(([field]) => errors[field] !== undefined);
  const others = Object.entries(errors).filter(([field]) => !(field in labels));
  const shown = others.length > 0 ? error : failure;
  return (
    <>
      {wrong.length > 0 && Object.keys(labels).length > 1 && (
        <Alert title={wrong.length === 1 ? 'One field needs another look' : 'Some fields need another look'}>
          <ul className={css['wrong']}>
            {wrong.map(([field, label]) => (
              <li key={field}>
                <a href={`#${fieldId(name, field)}`}>{label}</a>: {errors[field]}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {shown && (
        <Failure error={shown}>
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
    </>
  );
}

/** Discards changes since the last save, after confirmation. */
export function DiscardButton({ isDirty, discard }: Pick<VersionedDraft, 'isDirty' | 'discard'>) {
  if (!isDirty) return null;
  async function ask() {
    const isSure = await confirm({
      title: 'Discard your changes?',
      text: 'You will lose what you typed since the last save.',
      confirm: 'Discard changes',
      decline: 'Keep editing',
      variant: 'danger',
    });
    if (isSure) discard();
  }
  return (
    <Button variant="quiet" onClick={() => void ask()} {...undoMark}>
      Discard changes
    </Button>
  );
}
