/** Makes the browser ask before it leaves a page with unsaved text. */
import { useEffect } from 'react';

let isLeaving = false;

/** Opens another page without asking, after an action that makes all typed text unusable. */
export function leaveFor(path: string): void {
  isLeaving = true;
  location.assign(path);
}

export function useUnsavedGuard(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeaving) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty]);
}
