/** Refreshes a screen when somebody returns to it, from another tab or by the back button. */
import { useEffect, useEffectEvent } from 'react';

/** Runs when the browser restores the page as it was left, by Back or Forward. */
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
