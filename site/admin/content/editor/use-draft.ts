/** The values of a record's form, their errors, and the save. */
import { useRef, useState } from 'react';
import type { FieldErrors } from '#contract/problem.ts';
import { showToast } from '#site/app/toasts.tsx';
import { CallError } from '#site/app/call.ts';
import { withTypedSince } from '#site/app/with-typed-since.ts';
import { useForm, type Form } from '#site/app/use-form.ts';
import type { Values } from '../content-calls.ts';

export interface Draft extends Omit<Form, 'submit' | 'clear'> {
  readonly values: Values;
  /** Returns the current values. A save needs them after the response, because users type in the meantime. */
  readonly now: () => Values;
  readonly setValue: (field: string, value: string) => void;
  readonly replace: (values: Values) => void;
  /**
   * Validates and saves. Text typed during the save is kept.
   * @param save returns the values that the server has stored
   * @param recover returns whether it has handled the error
   */
  readonly submit: (
    save: (values: Values) => Promise<Values>,
    recover?: (error: CallError) => Promise<boolean>,
  ) => Promise<void>;
}

/** Without this check, a form that is saved during an upload would seem saved with the picture. */
function refuseDuringUpload(form: HTMLFormElement | null): void {
  if (form?.querySelector('[data-uploading]'))
    throw new CallError({
      title: 'Wait for the picture',
      status: 422,
      detail: 'A picture is still uploading. Try again once it has finished.',
    });
}

/** @param title the name of the record, for the message if a save fails after the form was closed */
export function useDraft(
  initial: Values,
  check: (values: Values) => FieldErrors,
  title = 'The form that you left',
): Draft {
  const [values, setValues] = useState(initial);
  const latest = useRef(initial);
  const { submit, clear, ...form } = useForm(({ message }) =>
    showToast(`${title}: what you typed was not saved. ${message}`, 'danger'),
  );

  function put(next: Values) {
    latest.current = next;
    setValues(next);
  }

  return {
    ...form,
    values,
    now: () => latest.current,
    setValue(field, value) {
      put({ ...latest.current, [field]: value });
      clear(field);
    },
    replace(next) {
      put(next);
      clear();
    },
    submit: (save, recover) =>
      submit({
        check() {
          refuseDuringUpload(form.ref.current);
          return check(values);
        },
        async send() {
          const saved = await save(values);
          put(withTypedSince(values, latest.current, saved));
        },
        ...(recover && { recover }),
      }),
  };
}

/** Whether two records differ in any field of the first. */
export const differs = (values: Values, other: Values): boolean =>
  Object.keys(values).some((field) => values[field] !== (other[field] ?? ''));

export const changedFields = (values: Values, before: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([field, value]) => value !== before[field]));
