/** Idempotency keys for forms whose response may be lost. */
import { useRef } from 'react';
import { newId } from '#contract/ids.ts';
import { keptPrefix, readKept } from './use-session-fields.ts';

const nameOf = (form: string) => `${keptPrefix}key ${location.pathname}:${form}`;

/**
 * The same key for the same values, even after a reload, so that a retry after a failure is applied only once. Call
 * `renew` after success.
 * @param form distinguishes the forms of a screen
 */
export function useIdempotencyKey(form = ''): { keyFor: (values: unknown) => string; renew: () => void } {
  // Forms are rendered on the server too, where there is no storage to read.
  const used = useRef<Readonly<Record<string, unknown>>>(undefined);
  const keep = (now: Readonly<Record<string, unknown>>) => {
    used.current = now;
    try {
      sessionStorage.setItem(nameOf(form), JSON.stringify(now));
    } catch {
      // Storage is disabled for this site. The key lasts as long as the screen.
    }
  };
  return {
    keyFor(values) {
      const text = JSON.stringify(values);
      used.current ??= readKept(nameOf(form));
      if (used.current['values'] !== text) keep({ values: text, key: newId() });
      return String(used.current['key']);
    },
    renew: () => keep({}),
  };
}
