/** Keeps the focus near where it was when the element that had it goes, such as a button that has done its work. */
import { useEffect } from 'react';
import { headingAround } from './focus-heading.ts';

/** The elements around one, from the inside out, itself first. */
function pathOf(target: EventTarget | null): Element[] {
  const path: Element[] = [];
  for (let at = target instanceof Element ? target : null; at; at = at.parentElement) path.push(at);
  return path;
}

/** For what stands around every screen: the heading nearest to what went takes the focus, which would be nowhere. */
export function useKeptFocus(): void {
  useEffect(() => {
    let path: Element[] = [];
    const note = ({ target }: FocusEvent) => {
      path = pathOf(target);
    };
    // Whoever presses beside everything wants the focus nowhere. An element that goes loses it in the same way.
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
