/** A value that people are still typing, once it has rested: for calls that are not worth making at every keystroke. */
import { useEffect, useState } from 'react';

/** How long a value rests before it counts. */
export const restMs = 300;

/** The last value that has stayed the same for `restMs`; the first one counts at once. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), restMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
