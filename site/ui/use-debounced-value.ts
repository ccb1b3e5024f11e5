/** Debounces a typed value, for calls that should not be made at every keystroke. */
import { useEffect, useState } from 'react';

/** How long a value must stay the same, in ms. */
const restMs = 300;

/** The last value that did not change for `restMs`. The first value counts immediately. */
export function useDebouncedValue<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), restMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
