/** What is typed into a form of a record, what is wrong with it, and its way to the server. */
import { useState } from 'react';
import type { FieldErrors } from '#contract/problem.ts';
import type { CallError } from '#site/islands/shared/call.ts';
import { useForm, type Form } from '#site/islands/shared/use-form.ts';
import type { Values } from '../content-calls.ts';

export interface Draft extends Omit<Form, 'submit' | 'clear'> {
  readonly values: Values;
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

export function useDraft(initial: Values, check: (values: Values) => FieldErrors): Draft {
  const [values, setValues] = useState(initial);
  const { submit, clear, ...form } = useForm();

  async function saveWith(save: (values: Values) => Promise<Values>) {
    const saved = await save(values);
    setValues((now) =>
      Object.fromEntries(
        Object.keys(now).map((field) => [
          field,
          (now[field] === values[field] ? saved[field] : now[field]) ?? '',
        ]),
      ),
    );
  }

  return {
    ...form,
    values,
    setValue(field, value) {
      setValues((current) => ({ ...current, [field]: value }));
      clear(field);
    },
    replace(next) {
      setValues(next);
      clear();
    },
    submit: (save, recover) =>
      submit({ check: () => check(values), send: () => saveWith(save), ...(recover && { recover }) }),
  };
}

/** Whether two records say something else in any of the fields of the first. */
export const differs = (values: Values, other: Values): boolean =>
  Object.keys(values).some((field) => values[field] !== (other[field] ?? ''));

/** The fields that say something else than before. */
export const changedFields = (values: Values, before: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([field, value]) => value !== before[field]));
