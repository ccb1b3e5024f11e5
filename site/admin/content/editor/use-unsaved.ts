/** The forms with unsaved changes, in this tab or elsewhere. */
import { useEffect } from 'react';
import { isUnsaved, useTypedForms } from './form-store.ts';
import { loadServerDrafts, useServerDrafts, type FormKey } from './server-drafts.ts';

export function useUnsaved(): readonly FormKey[] {
  const typed = useTypedForms();
  const kept = useServerDrafts();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const read = () => {
      // The forms of this tab are known without the request.
      if (!document.hidden) loadServerDrafts(signal).catch(() => undefined);
    };
    read();
    document.addEventListener('visibilitychange', read, { signal });
    return () => controller.abort();
  }, []);
  return [...[...typed.values()].filter(isUnsaved), ...kept];
}
