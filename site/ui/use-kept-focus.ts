/** Keeps the focus near where it was when the focused element disappears, such as a button that has done its work. */
import { useEffect } from 'react';
import { headingAround } from './focus-heading.ts';

/** Returns an element and its ancestors, from the inside out. */
function pathOf(target: EventTarget | null): Element[] {
  const path: Element[] = [];
  for (let at = target instanceof Element ? target : null; at; at = at.parentElement) path.push(at);
  return path;
}

/** Call it once around all screens. Without it, the focus is lost when the focused element disappears. */
export function useKeptFocus(): void {
  useEffect(() => {
    let path: Element[] = [];
    const note = ({ target }: FocusEvent) => {
      path = pathOf(target);
    };
    // If the user clicked the background, nothing should be focused. A removed element loses the focus in the same
    // way, so we check whether the element still exists.
    const forget = () =>
      queueMicrotask(() => {
        if (path[0]?.isConnected && !path[0].contains(document.activeElement)) path = [];
      });
    const observer = new MutationObserver(() => {
      if (!path[0] || path[0].isConnected || document.activeElement !== document.body) return;
      const heading = headingAround(path.find(({ isConnected }) => isConnected));
      path = [];
      heading?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', note);
    document.addEventListener('focusout', forget);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      document.removeEventListener('focusout', forget);
      observer.disconnect();
    };
  }, []);
}
