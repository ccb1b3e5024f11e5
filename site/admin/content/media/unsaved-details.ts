/** Unsaved picture details inside a record's form. They are saved with it. */
import { useEffect, type RefObject } from 'react';

interface Unsaved {
  readonly area: RefObject<HTMLElement | null>;
  /** @returns whether it was saved */
  readonly save: () => Promise<boolean>;
}

const unsaved = new Set<Unsaved>();

/** Makes the surrounding form save this area too. */
export function useSavedWithForm(area: Unsaved['area'], isDirty: boolean, save: Unsaved['save']): void {
  // Runs at every render, because the function to call changes with each keystroke.
  useEffect(() => {
    if (!isDirty) return undefined;
    const entry = { area, save };
    unsaved.add(entry);
    return () => void unsaved.delete(entry);
  });
}

/** @returns false if the details of a picture could not be saved; the focus moves to them */
export async function saveDetailsIn(form: HTMLFormElement | null): Promise<boolean> {
  for (const { area, save } of [...unsaved]) {
    if (form?.contains(area.current) !== true || (await save())) continue;
    area.current?.querySelector('input')?.focus();
    return false;
  }
  return true;
}
