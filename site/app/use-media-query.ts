/** Whether a media query matches, for cases that a style sheet cannot handle. */
import { useCallback, useSyncExternalStore } from 'react';

/** @param query such as `(min-width: 75rem)` */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
