/**
 * Submits a form. It validates the form and sends it only once, however often the button is pressed. It shows each
 * error next to its field until the field changes, and focuses the first invalid field, or the message if there is
 * none. It works for forms that keep their values in the document or in state: `check` and `send` read them from
 * there.
 */
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import type { FieldErrors } from '#contract/problem.ts';
import { callErrorOf } from './call-error.ts';
import { CallError } from './call.ts';

interface Sending {
  /** Validates the form before it is sent. It may first load the code that does. */
  readonly check?: () => FieldErrors | Promise<FieldErrors>;
  readonly send: () => Promise<unknown>;
  /** Called on a 409, when someone else has changed the record, to reload it. The error is shown too. */
  readonly onConflict?: () => void;
  /** Handles an error that needs more than a message. @returns whether it did */
  readonly recover?: (error: CallError) => Promise<boolean>;
}

export type Form = ReturnType<typeof useForm>;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const without =
  (field: string) =>
  (errors: FieldErrors): FieldErrors =>
    Object.fromEntries(Object.entries(errors).filter(([name]) => name !== field));

const isEmpty = (errors: FieldErrors) => Object.keys(errors).length === 0;

/** Errors of fields that the form does not have, as one message. The page is probably from an earlier deployment. */
const asSentences = ({ problem, fieldErrors }: CallError) =>
  new CallError({
    ...problem,
    detail: `${Object.entries(fieldErrors)
      .map(([field, sentence]) => `${field}: ${sentence}`)
      .join(
        ' ',
      )} The site may have been updated since you opened this page. Copy what you typed, reload the page and send it again.`,
    errors: {},
  });

/** Returns the typed values of a form's fields; empty for fields that it does not have. */
export function textsIn<N extends string>(
  form: HTMLFormElement,
  names: readonly N[],
): Readonly<Record<N, string>> {
  const data = new FormData(form);
  const textOf = (name: N): [N, string] => {
    const value = data.get(name);
    return [name, typeof value === 'string' ? value : ''];
  };
  return Object.fromEntries(names.map(textOf)) as Record<N, string>;
}

/** Clears the error of a field when the user changes its value, because the error is about the previous value. */
function useClearOnInput(
  ref: RefObject<HTMLFormElement | null>,
  errors: FieldErrors,
  setErrors: (update: (current: FieldErrors) => FieldErrors) => void,
): void {
  const clearChanged = useEffectEvent(({ target }: Event) => {
    const { form, name } = target as Control;
    if (form && form === ref.current && name in errors) setErrors(without(name));
  });
  const hasErrors = !isEmpty(errors);
  useEffect(() => {
    if (!hasErrors) return undefined;
    document.addEventListener('input', clearChanged);
    return () => document.removeEventListener('input', clearChanged);
  }, [hasErrors]);
}

/** @param onLost handles an error after the user has left the form */
export function useForm(onLost?: (error: CallError) => void) {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  /** Why the last submission failed. */
  const [error, setError] = useState<CallError>();
  const [isBusy, setIsBusy] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const isSending = useRef(false);
  const isLeft = useRef(false);

  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  useEffect(() => {
    if (refusals === 0) return;
    const at = (selector: string) => ref.current?.querySelector<HTMLElement>(selector);
    (at('[aria-invalid]') ?? at('[role="alert"]'))?.focus();
  }, [refusals]);
  useClearOnInput(ref, errors, setErrors);

  function show(wrong: FieldErrors, thrown?: CallError) {
    const isInForm = (field: string) => ref.current?.elements.namedItem(field) != null;
    const isElsewhere = thrown && !isEmpty(wrong) && !Object.keys(wrong).some(isInForm);
    setErrors(isElsewhere ? {} : wrong);
    setError(isElsewhere ? asSentences(thrown) : thrown);
    if (thrown || !isEmpty(wrong)) setRefusals((count) => count + 1);
  }

  async function submit({ check, send, onConflict, recover }: Sending) {
    if (isSending.current) return;
    isSending.current = true;
    setIsBusy(true);
    try {
      const wrong = (await check?.()) ?? {};
      show(wrong);
      if (isEmpty(wrong)) await send();
    } catch (thrown) {
      const failed = callErrorOf(thrown);
      if (!isLeft.current && failed.status === 409) onConflict?.();
      const isDone = !isLeft.current && (await recover?.(failed).catch(() => false));
      if (isLeft.current) onLost?.(failed);
      else if (!isDone) show(failed.fieldErrors, failed);
    }
    isSending.current = false;
    setIsBusy(false);
  }

  /** Clears the errors of one field, or all of them. */
  const clear = (field?: string) => {
    setErrors(field === undefined ? {} : without(field));
    if (field === undefined) setError(undefined);
  };

  /** The error, unless it is already shown next to a field. */
  const failure = error && isEmpty(error.fieldErrors) ? error : undefined;
  return { ref, errors, error, failure, isBusy, submit, clear };
}
