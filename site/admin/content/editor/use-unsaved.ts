/** The forms with unsaved changes, in this tab or elsewhere. */
import { useEffect } from 'react';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { isUnsaved, useTypedForms } from './form-store.ts';
import { loadServerDrafts, useServerDrafts, type FormKey } from './server-drafts.ts';

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
