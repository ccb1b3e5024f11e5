/** The forms in which something was typed and not saved, in this tab or elsewhere. */
import { useEffect } from 'react';
import { isUnsaved, useTypedForms } from './form-store.ts';
import { readKeptDrafts, useKeptDrafts, type FormKey } from './server-drafts.ts';

export function useUnsaved(): readonly FormKey[] {
  const typed = useTypedForms();
  const kept = useKeptDrafts();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const read = () => {
      // The marks of this tab are there without it.
      if (!document.hidden) readKeptDrafts(signal).catch(() => undefined);
    };
    read();
    document.addEventListener('visibilitychange', read, { signal });
    return () => controller.abort();
  }, []);
  return [...[...typed.values()].filter(isUnsaved), ...kept];
}
