/** The browser asks before it leaves a page on which something has been typed and not saved. */
import { useEffect } from 'react';

let isLeaving = false;

/** Goes to another page without a question, after something that cannot be undone: what was typed has nowhere to go any more. */
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
