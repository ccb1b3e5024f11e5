/** A form with one text, which survives a reload, is not lost without a warning, and is sent only once. */
import { useState, type RefObject } from 'react';
import { useIdempotencyKey } from './use-idempotency-key.ts';
import { useSessionFields } from './use-session-fields.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

/**
 * The text is the value of the form's field with the name `text`.
 * @param form distinguishes the forms of a screen
 */
export function useTypedText(ref: RefObject<HTMLFormElement | null>, form: string) {
  const [text, setText] = useState('');
  const forget = useSessionFields(ref, form);
  const { keyFor, renew } = useIdempotencyKey(form);
  useUnsavedGuard(text.trim() !== '');
  return {
    text,
    setText,
    keyFor,
    /** Clears the sent text. Text that was typed in the meantime stays. */
    clearSent: () => {
      renew();
      forget({ text });
      setText((now) => (now === text ? '' : now));
    },
  };
}
