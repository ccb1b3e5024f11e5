/**
 * What is kept nowhere until it is done, such as a file on its way: somebody is asked before they leave it, also where the
 * editor only opens another section in place. What is typed into a form needs no question there: it stays, and is a draft.
 */
import { useEffect } from 'react';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';

const losses = new Set<{ readonly text: string }>();

/** @param loss what would be lost, as a sentence; undefined while there is nothing */
export function useLossGuard(loss: string | undefined): void {
  useUnsavedGuard(loss !== undefined);
  useEffect(() => {
    if (loss === undefined) return undefined;
    const entry = { text: loss };
    losses.add(entry);
    return () => void losses.delete(entry);
  }, [loss]);
}

/** Asks, where something would be lost. @returns whether to leave */
export function mayLeave(): boolean {
  const texts = new Set(Array.from(losses, ({ text }) => text));
  return texts.size === 0 || confirm([...texts, 'Leave anyway?'].join('\n\n'));
}
