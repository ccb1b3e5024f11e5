/** Remembers the field that a form should focus when it appears. */
import { useEffect, useEffectEvent, useState } from 'react';
import { fieldId } from './edit-form.tsx';

let wanted: { readonly path: string; readonly field: string | undefined } | undefined;

/** @param path the path of the screen with the form @param field the first field if undefined */
export function requestFocus(path: string, field: string | undefined): void {
  wanted = { path, field };
}

/** Focuses a field of a visible form. */
export const focusField = (form: string, field: string): void =>
  document.getElementById(fieldId(form, field))?.focus();

/** @param fields the fields of the form, in order */
export function usePendingFocus(form: string, fields: readonly string[]): void {
  // The previous screen's form may still appear after the path has changed.
  const [path] = useState(() => location.pathname);
  const appear = useEffectEvent(() => {
    const requested = wanted;
    if (requested?.path !== path) return;
    wanted = undefined;
    focusField(form, fields.find((field) => field === requested.field) ?? fields[0] ?? '');
  });
  useEffect(() => appear(), []);
}
