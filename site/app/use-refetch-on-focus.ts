/** Refreshes a screen when the user returns to it, from another tab or with the back button. */
import { useEffect, useEffectEvent } from 'react';

/** Runs when the browser restores the page as the user left it, by Back or Forward. */
export function useRestore(onRestore: () => void): void {
  const run = useEffectEvent(onRestore);
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) run();
    };
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);
}

export function useRefetchOnFocus(onReturn: () => void): void {
  const run = useEffectEvent(onReturn);
  useRestore(onReturn);
  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') run();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, []);
}
