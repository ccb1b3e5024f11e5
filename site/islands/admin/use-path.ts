/** The path of the document, also where the editor opens another one in place. */
import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void) {
  if (!('navigation' in window)) return () => undefined;
  const { navigation } = window;
  navigation.addEventListener('currententrychange', listener);
  return () => navigation.removeEventListener('currententrychange', listener);
}

export const usePath = (): string => useSyncExternalStore(subscribe, () => location.pathname);
