/** Moves toasts to the top of the window while they would cover a button that undoes or discards a change. */
import { useEffect } from 'react';

export const undoMark = { 'data-undo': true } as const;

function raiseToasts(): void {
  const toasts = document.querySelector('[aria-label="Notifications"]');
  if (!toasts) return;
  toasts.removeAttribute('data-raised');
  const ours = toasts.getBoundingClientRect();
  const isBeneath = (element: Element) => {
    const theirs = element.getBoundingClientRect();
    return (
      theirs.bottom > ours.top &&
      theirs.top < ours.bottom &&
      theirs.right > ours.left &&
      theirs.left < ours.right
    );
  };
  toasts.toggleAttribute('data-raised', [...document.querySelectorAll('[data-undo]')].some(isBeneath));
}

/** Call this once, in the frame around all screens. */
export function useClearUndo(): void {
  useEffect(() => {
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(raiseToasts);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener('scroll', look, { capture: true, passive: true });
    addEventListener('resize', look);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
    };
  }, []);
}
