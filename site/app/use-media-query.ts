/** Whether a media query matches, for cases that a style sheet cannot handle. */
import { useCallback, useSyncExternalStore } from 'react';

/** Whether the system uses the dark scheme, which can change at any time. */
export const darkScheme = '(prefers-color-scheme: dark)';

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
