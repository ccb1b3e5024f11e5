/** Reads from the API as React state: what came, what went wrong, whether something is on its way. */
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { callErrorOf } from './call-error.ts';
import type { CallError } from './call.ts';

export interface Loaded<T> {
  /** The last that came; it stays while something newer is on its way. */
  readonly data: T | undefined;
  readonly error: CallError | undefined;
  readonly isBusy: boolean;
  readonly reload: () => void;
}

interface Settled<T> {
  readonly wanted: string;
  readonly data: T | undefined;
  readonly error: CallError | undefined;
}

/**
 * Loads at once, again whenever `key` changes, and on `reload`.
 * @param key says what is loaded; an answer to an earlier key is dropped
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [attempt, setAttempt] = useState(0);
  const [settled, setSettled] = useState<Settled<T>>();
  const wanted = `${attempt} ${key}`;
  const start = useEffectEvent(load);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    start(signal).then(
      (data) => {
        if (!signal.aborted) setSettled({ wanted, data, error: undefined });
      },
      (error: unknown) => {
        if (!signal.aborted) setSettled((last) => ({ wanted, data: last?.data, error: callErrorOf(error) }));
      },
    );
    return () => controller.abort();
  }, [wanted]);

  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const isBusy = settled?.wanted !== wanted;
  return { data: settled?.data, error: isBusy ? undefined : settled.error, isBusy, reload };
}
