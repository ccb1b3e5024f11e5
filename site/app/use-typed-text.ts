/**
 * The state of a form with one text field: the text survives a reload, the browser warns before unsent text is
 * lost, and the text is sent only once.
 */
import { useState, type RefObject } from 'react';
import { useIdempotencyKey } from './use-idempotency-key.ts';
import { useSessionFields } from './use-session-fields.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

/** @param form distinguishes the forms of a screen */
export function useTypedText(ref: RefObject<HTMLFormElement | null>, form: string) {
  const [text, setText] = useState('');
  const forget = useSessionFields(ref, form);
  const { keyFor, renew } = useIdempotencyKey(form);
  useUnsavedGuard(text.trim() !== '');
  return {
    /** The value of the form's field with the name `text`. */
    text,
    setText,
    /** Returns the idempotency key for the sent values. */
    keyFor,
    /** Clears the sent text. Text that was typed in the meantime stays. */
    clearSent() {
      renew();
      forget({ text });
      setText((now) => (now === text ? '' : now));
    },
  };
}
