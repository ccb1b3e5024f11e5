/** The text of a form that sends one text: kept for a reload, guarded until it is sent, and sent only once. */
import { useState, type RefObject } from 'react';
import { useIdempotencyKey } from './use-idempotency-key.ts';
import { useSessionFields } from './use-session-fields.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

interface TypedText {
  /** The value of the form's field with the name `text`. */
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The idempotency key for what is sent. */
  readonly keyFor: (values: unknown) => string;
  /** Clears the text that was sent. What was typed in the meantime stays. */
  readonly clearSent: () => void;
}

/** @param form separates the forms of a screen */
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
