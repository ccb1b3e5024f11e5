/**
 * Retries loads that failed because of the connection or the server: when the connection or the user returns, and
 * periodically.
 */
import { useEffect, useEffectEvent } from 'react';
import type { CallError } from '#site/app/call.ts';

const retryMs = 15_000;

interface Failed {
  readonly error: CallError | undefined;
  readonly reload: () => void;
}

/** Reloads those `attempts` that got no response. */
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
