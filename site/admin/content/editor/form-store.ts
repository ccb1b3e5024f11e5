/**
 * The unsaved values of all forms in this tab. The preview shows them while the user types, a reopened form continues
 * with them, and they are saved as drafts on the server (draft-autosave.ts).
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { makeStore } from '#site/app/store.ts';
import type { Values } from '../content-calls.ts';
import { autosave } from './draft-autosave.ts';
import { type FormKey, loadServerDrafts, useServerDrafts } from './server-drafts.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';

export interface TypedForm extends FormKey {
  /** The version of the record that is edited; undefined for a new record. */
  readonly version?: number | undefined;
  /** The id of the draft on the server. */
  readonly draftId: string;
  /** The values of all fields. */
  readonly values: Values;
  /** The fields with unsaved changes. */
  readonly changed: Values;
}

const keyOf = ({ section, recordId = '' }: FormKey) => `${section} ${recordId}`;

const forms = makeStore<ReadonlyMap<string, TypedForm>>(new Map());
/** The number of visible forms per key. A picture can be in two fields. */
const onScreen = new Map<string, number>();
const isOnScreen = (key: FormKey) => (onScreen.get(keyOf(key)) ?? 0) > 0;
const count = (key: FormKey, by: number) => onScreen.set(keyOf(key), (onScreen.get(keyOf(key)) ?? 0) + by);

const isUnsaved = ({ changed }: TypedForm): boolean => Object.keys(changed).length > 0;

/** Returns the unsaved values of a form. */
export function typedForm(key: FormKey): TypedForm | undefined {
  const form = forms.get().get(keyOf(key));
  return form && isUnsaved(form) ? form : undefined;
}

export function showTyped(form: TypedForm): void {
  forms.set(new Map(forms.get()).set(keyOf(form), form));
  autosave({ ...form, values: form.changed });
}

/** Deletes a form without unsaved changes. */
function dropSaved(key: FormKey): void {
  if (typedForm(key)) return;
  const others = new Map(forms.get());
  if (others.delete(keyOf(key))) forms.set(others);
}

/**
 * Marks values of a form as saved. If the form is visible, it updates itself. If the form was closed in the meantime,
 * later changes are kept.
 * @param version the new version of the record, if it has one
 */
export function markSent(key: FormKey, sent: Values, version?: number): void {
  const form = typedForm(key);
  if (!form || isOnScreen(key)) return;
  const later = Object.entries(form.changed).filter(([field, value]) => value !== sent[field]);
  showTyped({ ...form, changed: Object.fromEntries(later), ...(version !== undefined && { version }) });
  dropSaved(key);
}

/** All forms with unsaved values. The map changes only when a form does. */
export const useTypedForms = forms.useValue;

/**
 * Connects a form to the store: the preview shows the form's values, and the form continues with earlier unsaved
 * values.
 * @param resumeDraft receives these values when the form appears, with the version they are based on; null for a new
 *   record
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
  // Runs once, because each record has its own form.
  useEffect(() => {
    const key = { section, recordId };
    count(key, 1);
    appear();
    return () => {
      count(key, -1);
      // Unsaved values are kept.
      dropSaved(key);
    };
  }, [section, recordId]);
  const shown = JSON.stringify(form);
  useEffect(() => showTyped(JSON.parse(shown) as TypedForm), [shown]);
}

/** The forms with unsaved changes, in this tab or elsewhere. */
export function useUnsaved(): readonly FormKey[] {
  const typed = useTypedForms();
  const kept = useServerDrafts();
  return [...[...typed.values()].filter(isUnsaved), ...kept];
}

/** Without a response, the forms in this tab are still known. */
const load = () => void loadServerDrafts().catch(() => undefined);

/** Loads the forms with drafts on the server, now and when the user returns. The editor calls it once. */
export function useLoadServerDrafts(): void {
  useEffect(load, []);
  useRefetchOnFocus(load);
}
