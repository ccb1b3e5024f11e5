/** A form with one text, which survives a reload, is not lost without a warning, and is sent only once. */
import { useState, type RefObject } from 'react';
import { useIdempotencyKey } from './use-idempotency-key.ts';
import { useSessionFields } from './use-session-fields.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

interface TypedText {
  /** The value of the form's field with the name `text`. */
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly keyFor: (values: unknown) => string;
  /** Clears the sent text. Text that was typed in the meantime stays. */
  readonly clearSent: () => void;
}

/** @param form distinguishes the forms of a screen */
export function useTypedText(ref: RefObject<HTMLFormElement | null>, form: string): TypedText {
  const [text, setText] = useState('');
  const forget = useSessionFields(ref, form);
  const { keyFor, renew } = useIdempotencyKey(form);
  useUnsavedGuard(text.trim() !== '');
  return {
    text,
    setText,
    keyFor,
    clearSent() {
      renew();
      forget({ text });
      setText((now) => (now === text ? '' : now));
    },
  };
}
