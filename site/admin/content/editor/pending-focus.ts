/** Which field of a form somebody asked for before the form was there: the form puts the focus there as it appears. */
import { useEffect, useEffectEvent, useState } from 'react';
import { fieldId } from './edit-form.tsx';

let wanted: { readonly path: string; readonly field: string | undefined } | undefined;

/** @param path of the screen that has the form @param field the first one, where none is named */
export function requestFocus(path: string, field: string | undefined): void {
  wanted = { path, field };
}

/** Focuses a field of a form that stands on the screen already. */
export const focusField = (form: string, field: string): void =>
  document.getElementById(fieldId(form, field))?.focus();

/** @param fields of the form, in order */
export function usePendingFocus(form: string, fields: readonly string[]): void {
  // A form of the screen that is being left may only now be there.
  const [path] = useState(() => location.pathname);
  const appear = useEffectEvent(() => {
    const wish = wanted;
    if (wish?.path !== path) return;
    wanted = undefined;
    focusField(form, fields.find((field) => field === wish.field) ?? fields[0] ?? '');
  });
  useEffect(() => appear(), []);
}
