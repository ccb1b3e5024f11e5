/**
 * Keeps what is typed into a form while its tab is open, in the tab's session storage, so that an accidental reload loses
 * none of it. It goes when the form is sent and at sign-out. Passwords, hidden fields and files are never kept, and what
 * stands in a card provider's frame is out of reach.
 */
import { useEffect, type RefObject } from 'react';

/** Beginning of the key of all that a tab keeps until its person signs out. */
export const keptPrefix = 'typed:';

/** An input, a text area or a select. */
interface Field extends Element {
  readonly name: string;
  readonly value: string;
}

const keptFields =
  'input:is([type=text], [type=email], [type=tel], :not([type])):not([readonly]), textarea, select';

const fieldsOf = (form: HTMLFormElement): readonly Field[] =>
  Array.from(form.querySelectorAll<Field>(keptFields)).filter(({ name }) => name !== '');

const typedInto = (form: HTMLFormElement): Readonly<Record<string, unknown>> =>
  Object.fromEntries(fieldsOf(form).map(({ name, value }) => [name, value]));

/** Types a value into a field, as React learns of it too where the field's value is in its hands. */
function type(field: Field, value: string): void {
  const prototype: unknown = Object.getPrototypeOf(field);
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(field.matches('select') ? 'change' : 'input', { bubbles: true }));
}

/** What is kept by a key; another release may have written it, or somebody in the browser's console. */
export function readKept(key: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(sessionStorage.getItem(key) ?? '{}')) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/**
 * @param ref the form, which is there from the first
 * @param owner whose it is, so that nobody else who signs in in this tab sees it; or which of several forms of a screen that shows
 *   the same to everybody who may open it
 * @returns forgets what is kept: it has been sent, unless something else was typed into the fields that are named with what was sent of them
 */
export function useKeptFields(
  ref: RefObject<HTMLFormElement | null>,
  owner = '',
): (sent?: Readonly<Record<string, string>>) => void {
  const key = `${keptPrefix}${location.pathname}:${owner}`;
  useEffect(() => {
    const form = ref.current;
    if (!form) return undefined;
    const kept = readKept(key);
    for (const field of fieldsOf(form)) {
      const value = kept[field.name];
      if (typeof value === 'string' && value !== field.value) type(field, value);
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

/** Forgets all that is kept: the person who typed it leaves. */
export function forgetTyped(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(keptPrefix)) sessionStorage.removeItem(key);
}
