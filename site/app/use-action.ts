/** An action that a person starts with a button: whether it is running, and how it ended. */
import { useRef, useState } from 'react';
import type { ShowToast } from '#site/ui/toast.tsx';
import { callErrorOf, MissingPart } from './call-error.ts';
import type { CallError } from './call.ts';
import { reloadPage } from '../ui/reload-button.tsx';

export interface Action {
  /**
   * Does the work.
   * @param done the toast once it has succeeded
   * @returns whether it succeeded
   */
  readonly act: (work: () => Promise<unknown>, done?: string) => Promise<boolean>;
  readonly isBusy: boolean;
  /** How the last try failed. */
  readonly error: CallError | undefined;
}

/**
 * @param showToast shows how the work ended; without it the screen shows `error` itself
 * @param onConflict called when it was refused because something has changed since it was shown
 */
export function useAction(showToast?: ShowToast, onConflict?: (error: CallError) => void): Action {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  /** Takes away the toast of the last try, where that failed. */
  const forgetFailure = useRef<() => void>(undefined);

  async function act(work: () => Promise<unknown>, done?: string): Promise<boolean> {
    setIsBusy(true);
    setError(undefined);
    forgetFailure.current?.();
    const failure = await work().then(() => undefined, callErrorOf);
    setError(failure);
    setIsBusy(false);
    const reload = failure instanceof MissingPart ? { label: 'Reload', onPress: reloadPage } : undefined;
    if (failure) forgetFailure.current = showToast?.(failure.message, 'danger', reload);
    else if (done !== undefined) showToast?.(done);
    if (failure?.status === 409) onConflict?.(failure);
    return !failure;
  }

  return { act, isBusy, error };
}
