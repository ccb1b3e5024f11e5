/** Idempotency keys of forms whose answer may be lost. */
import { useRef } from 'react';

/** The same key for the same values, so that trying again after a failure does the thing once; `renew` when it is done. */
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
