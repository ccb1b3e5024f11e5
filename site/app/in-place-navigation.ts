/** Navigations that a screen handles without loading another document. */
import { useEffect, useEffectEvent } from 'react';

/** Whether the document can stay. It cannot for a reload, a download or a jump within the page. */
export const staysInDocument = ({
  canIntercept,
  hashChange,
  downloadRequest,
  navigationType,
}: NavigateEvent): boolean =>
  canIntercept && !hashChange && downloadRequest === null && navigationType !== 'reload';

/** Browsers without the Navigation API load each URL as a document, and never call `follow`. */
export function useNavigations(follow: (event: NavigateEvent) => void): void {
  const onNavigate = useEffectEvent(follow);
  useEffect(() => {
    if (!('navigation' in window)) return undefined;
    const { navigation } = window;
    navigation.addEventListener('navigate', onNavigate);
    return () => navigation.removeEventListener('navigate', onNavigate);
  }, []);
}

/** Opens the URL of a navigation in this document. @param open shows it */
export const openInPlace = (event: NavigateEvent, open: () => void): void =>
  event.intercept({
    focusReset: 'manual',
    scroll: 'manual',
    handler() {
      open();
      return Promise.resolve();
    },
  });
