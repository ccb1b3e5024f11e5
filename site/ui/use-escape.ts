/** Calls a function when the user presses Escape, except in a dialog, which closes itself. */
import { useEffect, useEffectEvent } from 'react';

export function useEscape(onEscape: () => void): void {
  const onKeyDown = useEffectEvent(({ key, target }: KeyboardEvent) => {
    if (key === 'Escape' && !(target instanceof Element && target.closest('dialog'))) onEscape();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
