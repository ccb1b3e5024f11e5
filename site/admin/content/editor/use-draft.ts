/** What is typed into a form of a record, what is wrong with it, and its way to the server. */
import { useRef, useState } from 'react';
import type { FieldErrors } from '#contract/problem.ts';
import { useToast } from '#site/ui/toast.tsx';
import type { CallError } from '#site/app/call.ts';
import { withTypedSince } from '#site/app/with-typed-since.ts';
import { useForm, type Form } from '#site/app/use-form.ts';
import type { Values } from '../content-calls.ts';

export interface Draft extends Omit<Form, 'submit' | 'clear'> {
  readonly values: Values;
  /** The fields at this very moment, for what goes on after an answer: people type while it is awaited. */
  readonly now: () => Values;
  readonly setValue: (field: string, value: string) => void;
  readonly replace: (values: Values) => void;
  /**
   * Checks and saves; what is typed while the save is under way stays.
   * @param save answers the values as the server keeps them
   * @param recover answers whether it has dealt with the failure
   */
  readonly submit: (
    save: (values: Values) => Promise<Values>,
    recover?: (error: CallError) => Promise<boolean>,
  ) => Promise<void>;
}

/** @param title what the form is about, for who has left it when they are told that it was not saved */
export function useDraft(
  initial: Values,
  check: (values: Values) => FieldErrors,
  title = 'The form that you left',
): Draft {
  const [values, setValues] = useState(initial);
  const latest = useRef(initial);
  const showToast = useToast();
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
        check: () => check(values),
        async send() {
          const saved = await save(values);
          put(withTypedSince(values, latest.current, saved));
        },
        ...(recover && { recover }),
      }),
  };
}

/** Whether two records say something else in any of the fields of the first. */
export const differs = (values: Values, other: Values): boolean =>
  Object.keys(values).some((field) => values[field] !== (other[field] ?? ''));

/** The fields that say something else than before. */
export const changedFields = (values: Values, before: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([field, value]) => value !== before[field]));
