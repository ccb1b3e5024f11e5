/**
 * What stands in the forms of this tab: the page beside them shows it with every key, and a form that was left before it was
 * saved goes on with it.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import type { SectionName } from '#contract/sections/index.ts';
import { makeStore } from '#site/islands/shared/store.ts';
import type { Values } from '../content-calls.ts';

/** A form: that of a record, or, without one, the form that adds to the section. */
export interface FormKey {
  readonly section: SectionName;
  readonly recordId?: string | undefined;
}

export interface TypedForm extends FormKey {
  /** The version of the record from which it is typed; none of a new one. */
  readonly version?: number | undefined;
  /** The draft that the form writes on the server. */
  readonly draftId: string;
  /** Every field as it stands in the form. */
  readonly values: Values;
  /** Those that were changed and are not saved. */
  readonly changed: Values;
}

const keyOf = ({ section, recordId = '' }: FormKey) => `${section} ${recordId}`;

const forms = makeStore<ReadonlyMap<string, TypedForm>>(new Map());

export const isUnsaved = ({ changed }: TypedForm): boolean => Object.keys(changed).length > 0;

/** What was typed into a form of this tab and not saved. */
export function typedIn(key: FormKey): TypedForm | undefined {
  const form = forms.get().get(keyOf(key));
  return form && isUnsaved(form) ? form : undefined;
}

const showTyped = (form: TypedForm): void => forms.set(new Map(forms.get()).set(keyOf(form), form));

/** What stands in a form is saved; it is shown until the content is read anew. */
export function markSaved(key: FormKey): void {
  const form = forms.get().get(keyOf(key));
  if (form) showTyped({ ...form, changed: {} });
}

/** The form goes from the screen: what is not saved stays. */
function leaveForm(key: FormKey): void {
  if (typedIn(key)) return;
  const others = new Map(forms.get());
  if (others.delete(keyOf(key))) forms.set(others);
}

/** All forms in which something stands; the same map until one of them changes. */
export const useTypedForms = forms.useValue;

/**
 * Lets the page beside a form show what stands in it, and lets the form go on with what was typed into it before it was left.
 * @param goOnWith takes that as the form appears, with the version from which it was typed; null for a new record
 */
export function useTypedForm(
  form: TypedForm,
  goOnWith: (typed: Values, version: number | null) => void,
): void {
  const { section, recordId } = form;
  const [left] = useState(() => typedIn(form));
  const appear = useEffectEvent(() => {
    if (left) goOnWith(left.changed, left.version ?? null);
  });
  // Once: the screen shows another form for another record.
  useEffect(() => {
    appear();
    return () => leaveForm({ section, recordId });
  }, [section, recordId]);
  const shown = JSON.stringify(form);
  useEffect(() => showTyped(JSON.parse(shown) as TypedForm), [shown]);
}
