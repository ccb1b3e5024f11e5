/** Refreshes a screen when somebody returns to it, from another tab or by the back button. */
import { useEffect, useEffectEvent } from 'react';

export function useReturn(onReturn: () => void): void {
  const run = useEffectEvent(onReturn);
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) run();
    };
    const onVisible = () => {
      if (document.visibilityState === 'visible') run();
    };
    addEventListener('pageshow', onShow);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      removeEventListener('pageshow', onShow);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, []);
}
