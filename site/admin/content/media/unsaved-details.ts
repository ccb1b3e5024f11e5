/** What is typed about pictures inside the form of a record, and saved with it. */
import { useEffect, type RefObject } from 'react';

interface Unsaved {
  readonly area: RefObject<HTMLElement | null>;
  /** @returns whether it is saved */
  readonly save: () => Promise<boolean>;
}

const unsaved = new Set<Unsaved>();

/** Has the form around an area save what is typed there too. */
export function useSavedWithForm(area: Unsaved['area'], isDirty: boolean, save: Unsaved['save']): void {
  // With each rendering, because what is saved changes with each key.
  useEffect(() => {
    if (!isDirty) return undefined;
    const entry = { area, save };
    unsaved.add(entry);
    return () => void unsaved.delete(entry);
  });
}

/** Saves what is typed about the pictures of a form. @returns false once one of them could not be saved; it has the focus */
export async function saveDetailsIn(form: HTMLFormElement | null): Promise<boolean> {
  for (const { area, save } of [...unsaved]) {
    if (form?.contains(area.current) !== true || (await save())) continue;
    area.current?.querySelector('input')?.focus();
    return false;
  }
  return true;
}
