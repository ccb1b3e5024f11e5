/**
 * Loads something that a payment needs. Anyone with the link can pay, so the pay page stays small and has no query
 * client.
 */
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { callErrorOf } from '#site/app/call-error.ts';
import type { CallError } from '#site/app/call.ts';

export type Attempt<T> = ReturnType<typeof useAttempt<T>>;

interface Settled<T> {
  readonly key: string;
  readonly wanted: string;
  /** The last data. It stays while newer data loads. */
  readonly data: T | undefined;
  /** Why the last attempt failed. It stays during the next attempt. */
  readonly error: CallError | undefined;
}

/** Loads on mount, when `key` changes, and on `reload`. Drops responses for an earlier key. */
export function useAttempt<T>(key: string, load: (signal: AbortSignal) => Promise<T>) {
  const [attempt, setAttempt] = useState(0);
  const [settled, setSettled] = useState<Settled<T>>();
  const wanted = `${attempt} ${key}`;
  const start = useEffectEvent(load);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    start(signal).then(
      (data) => {
        if (!signal.aborted) setSettled({ key, wanted, data, error: undefined });
      },
      (error: unknown) => {
        if (!signal.aborted)
          setSettled((last) => ({ key, wanted, data: last?.data, error: callErrorOf(error) }));
      },
    );
    return () => controller.abort();
  }, [key, wanted]);

  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const isBusy = settled?.wanted !== wanted;
  return { data: settled?.data, error: settled?.key === key ? settled.error : undefined, isBusy, reload };
}

const retryMs = 15_000;

interface Failed {
  readonly error: CallError | undefined;
  readonly reload: () => void;
}

/** Retries loads that got no response from the server: when the connection or the user returns, and periodically. */
export function useRetry(attempts: readonly Failed[]): void {
  const failed = attempts.filter(({ error }) => error?.isUnanswered);
  const retry = useEffectEvent(() => failed.forEach(({ reload }) => reload()));
  const isFailing = failed.length > 0;
  useEffect(() => {
    if (!isFailing) return undefined;
    const onVisible = () => {
      if (document.visibilityState === 'visible') retry();
    };
    const timer = setInterval(() => retry(), retryMs);
    const onOnline = () => retry();
    addEventListener('online', onOnline);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearInterval(timer);
      removeEventListener('online', onOnline);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [isFailing]);
}
