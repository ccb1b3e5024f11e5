/**
 * Asks for confirmation before the user leaves data that is not stored anywhere yet, such as a file during its upload.
 * Also asks when the editor opens another section in place. Form values need no confirmation, because they become
 * drafts.
 */
import { useEffect } from 'react';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';

const losses = new Set<{ readonly text: string }>();

/** @param loss a sentence about what would be lost; undefined if nothing */
export function useLossGuard(loss: string | undefined): void {
  useUnsavedGuard(loss !== undefined);
  useEffect(() => {
    if (loss === undefined) return undefined;
    const entry = { text: loss };
    losses.add(entry);
    return () => void losses.delete(entry);
  }, [loss]);
}

/** Asks for confirmation if something would be lost. @returns whether to leave */
export function mayLeave(): boolean {
  const texts = new Set(Array.from(losses, ({ text }) => text));
  return texts.size === 0 || confirm([...texts, 'Leave anyway?'].join('\n\n'));
}
