/**
 * What is typed into the forms of this tab. The page beside a form shows it at every key, a form that was left unsaved
 * continues with it, and it is saved as a draft on the server (draft-autosave.ts).
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { makeStore } from '#site/app/store.ts';
import type { Values } from '../content-calls.ts';
import { autosave } from './draft-autosave.ts';
import type { FormKey } from './server-drafts.ts';

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
/** How many forms of a key are on the screen: a picture may stand in two fields. */
const onScreen = new Map<string, number>();
const isOnScreen = (key: FormKey) => (onScreen.get(keyOf(key)) ?? 0) > 0;
const count = (key: FormKey, by: number) => onScreen.set(keyOf(key), (onScreen.get(keyOf(key)) ?? 0) + by);

export const isUnsaved = ({ changed }: TypedForm): boolean => Object.keys(changed).length > 0;

/** What was typed into a form of this tab and not saved. */
export function typedForm(key: FormKey): TypedForm | undefined {
  const form = forms.get().get(keyOf(key));
  return form && isUnsaved(form) ? form : undefined;
}

export function showTyped(form: TypedForm): void {
  forms.set(new Map(forms.get()).set(keyOf(form), form));
  autosave({ ...form, values: form.changed });
}

/** A form without anything that is not saved goes. */
function dropSaved(key: FormKey): void {
  if (typedForm(key)) return;
  const others = new Map(forms.get());
  if (others.delete(keyOf(key))) forms.set(others);
}

/**
 * What was sent from a form has arrived. One that is on the screen shows by itself what is left; of one that was left
 * meanwhile, what was typed after it was sent stays.
 * @param version the record's version since then, where it has another one
 */
export function markSent(key: FormKey, sent: Values, version?: number): void {
  const form = typedForm(key);
  if (!form || isOnScreen(key)) return;
  const later = Object.entries(form.changed).filter(([field, value]) => value !== sent[field]);
  showTyped({ ...form, changed: Object.fromEntries(later), ...(version !== undefined && { version }) });
  dropSaved(key);
}

/** All forms in which something stands; the same map until one of them changes. */
export const useTypedForms = forms.useValue;

/**
 * Lets the page beside a form show what stands in it, and lets the form go on with what was typed into it before it was left.
 * @param resumeDraft takes that as the form appears, with the version from which it was typed; null for a new record
 */
export function useTypedForm(
  form: TypedForm,
  resumeDraft: (typed: Values, version: number | null) => void,
): void {
  const { section, recordId } = form;
  const [left] = useState(() => typedForm(form));
  const appear = useEffectEvent(() => {
    if (left) resumeDraft(left.changed, left.version ?? null);
  });
  // Once: the screen shows another form for another record.
  useEffect(() => {
    const key = { section, recordId };
    count(key, 1);
    appear();
    return () => {
      count(key, -1);
      // What is not saved stays.
      dropSaved(key);
    };
  }, [section, recordId]);
  const shown = JSON.stringify(form);
  useEffect(() => showTyped(JSON.parse(shown) as TypedForm), [shown]);
}
