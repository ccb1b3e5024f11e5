/**
 * Stores the typed values of a form in the tab's session storage, so that an accidental reload loses nothing. They
 * are deleted when the form is sent and when the user signs out. Passwords, hidden fields and files are never
 * stored, and the card field is in an iframe that this code cannot read.
 */
import { useEffect, type RefObject } from 'react';

/** The prefix of all keys that are stored in a tab until its user signs out. */
export const keptPrefix = 'typed:';

/** An input, a text area or a select. */
export interface Field extends Element {
  readonly name: string;
  readonly value: string;
}

// A visible password is an input of type text.
const keptFields =
  'input:is([type=text], [type=email], [type=tel], :not([type])):not([readonly], [autocomplete$=password]), textarea, select';

const fieldsOf = (form: HTMLFormElement): readonly Field[] =>
  Array.from(form.querySelectorAll<Field>(keptFields)).filter(({ name }) => name !== '');

const typedInto = (form: HTMLFormElement): Readonly<Record<string, unknown>> =>
  Object.fromEntries(fieldsOf(form).map(({ name, value }) => [name, value]));

/** Sets the value of a field so that React notices it too, if it controls the field. */
export function typeInto(field: Field, value: string): void {
  const prototype: unknown = Object.getPrototypeOf(field);
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(field.matches('select') ? 'change' : 'input', { bubbles: true }));
}

/** Returns the value stored under a key. It may be from another deployment, or edited by hand. */
export function readKept(key: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(sessionStorage.getItem(key) ?? '{}')) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** The key for the typed values of a form on the current page. @param owner as in `useSessionFields` */
const keyFor = (owner: string): string => `${keptPrefix}${location.pathname}:${owner}`;

/** Assigns text that a visitor typed on the current page before signing in to the account that they signed in to. */
export function assignTyped(owner: string): void {
  const typed = Object.entries(readKept(keyFor(''))).filter(([, value]) => value !== '');
  sessionStorage.removeItem(keyFor(''));
  if (typed.length === 0) return;
  const kept = { ...readKept(keyFor(owner)), ...Object.fromEntries(typed) };
  sessionStorage.setItem(keyFor(owner), JSON.stringify(kept));
}

/**
 * @param ref the form, which must exist from the first render
 * @param owner distinguishes the values of users who sign in in the same tab, or of several forms on a screen
 * @returns a function to call after sending: it deletes the stored values, unless a field has changed since it was
 *   `sent`
 */
export function useSessionFields(
  ref: RefObject<HTMLFormElement | null>,
  owner = '',
): (sent?: Readonly<Record<string, string>>) => void {
  const key = keyFor(owner);
  useEffect(() => {
    const form = ref.current;
    if (!form) return undefined;
    const kept = readKept(key);
    for (const field of fieldsOf(form)) {
      const value = kept[field.name];
      if (typeof value === 'string' && value !== field.value) typeInto(field, value);
    }
    const keep = () => sessionStorage.setItem(key, JSON.stringify(typedInto(form)));
    form.addEventListener('input', keep);
    return () => form.removeEventListener('input', keep);
  }, [ref, key]);
  return (sent = {}) => {
    const kept = readKept(key);
    const isTypedSince = Object.entries(sent).some(([name, value]) => (kept[name] ?? value) !== value);
    if (!isTypedSince) sessionStorage.removeItem(key);
  };
}

/** Deletes all stored values when the user signs out. */
export function forgetTyped(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(keptPrefix)) sessionStorage.removeItem(key);
}
