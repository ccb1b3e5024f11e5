/** What is typed into a form of a record, what is wrong with it, and its way to the server. */
import { useState } from 'react';
import type { FieldErrors } from '../../../../worker/contract/problem.ts';
import type { CallError } from '../../shared/call.ts';
import { callErrorOf } from '../../shared/call-error.ts';
import type { Values } from '../content-calls.ts';

export interface Draft {
  readonly values: Values;
  readonly errors: FieldErrors;
  /** Why the last save failed, unless it was only for the fields. */
  readonly failure: CallError | undefined;
  readonly isBusy: boolean;
  /** Counts the submits that were refused, so that each of them can lead the eye to what is wrong. */
  readonly refusals: number;
  readonly setValue: (field: string, value: string) => void;
  readonly replace: (values: Values) => void;
  /**
   * Checks and saves; what is typed while the save is under way stays.
   * @param save answers the values as the server keeps them
   * @param onFailure answers whether it has dealt with the failure
   */
  readonly submit: (
    save: (values: Values) => Promise<Values>,
    onFailure?: (error: CallError) => Promise<boolean>,
  ) => Promise<void>;
}

export function useDraft(initial: Values, check: (values: Values) => FieldErrors): Draft {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<CallError>();
  const [isBusy, setIsBusy] = useState(false);
  const [refusals, setRefusals] = useState(0);

  const refuse = (wrong: FieldErrors, error?: CallError) => {
    setErrors(wrong);
    setFailure(error);
    setRefusals((count) => count + 1);
  };

  return {
    values,
    errors,
    failure,
    isBusy,
    refusals,
    setValue(field, value) {
      setValues((current) => ({ ...current, [field]: value }));
      setErrors((current) =>
        field in current
          ? Object.fromEntries(Object.entries(current).filter(([name]) => name !== field))
          : current,
      );
    },
    replace(next) {
      setValues(next);
      setErrors({});
      setFailure(undefined);
    },
    async submit(save, onFailure) {
      if (isBusy) return;
      const wrong = check(values);
      if (Object.keys(wrong).length > 0) {
        refuse(wrong);
        return;
      }
      setIsBusy(true);
      try {
        const saved = await save(values);
        setErrors({});
        setFailure(undefined);
        setValues((now) =>
          Object.fromEntries(
            Object.keys(now).map((field) => [
              field,
              (now[field] === values[field] ? saved[field] : now[field]) ?? '',
            ]),
          ),
        );
      } catch (thrown) {
        const error = callErrorOf(thrown);
        if (!(await onFailure?.(error).catch(() => false))) refuse(error.fieldErrors, error);
      } finally {
        setIsBusy(false);
      }
    },
  };
}

/** Whether two records say something else in any of the fields of the first. */
export const differs = (values: Values, other: Values): boolean =>
  Object.keys(values).some((field) => values[field] !== (other[field] ?? ''));
