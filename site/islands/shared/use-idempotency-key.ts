/** Idempotency keys of forms whose answer may be lost. */
import { useRef } from 'react';

/** The same key for the same values, so that a retry after a failure is applied once; call `renew` after success. */
export function useIdempotencyKey(): { keyFor: (values: unknown) => string; renew: () => void } {
  const used = useRef({ values: '', key: '' });
  return {
    keyFor(values) {
      const text = JSON.stringify(values);
      if (used.current.values !== text) used.current = { values: text, key: crypto.randomUUID() };
      return used.current.key;
    },
    renew() {
      used.current = { values: '', key: '' };
    },
  };
}
