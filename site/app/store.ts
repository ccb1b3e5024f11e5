/** A value outside the components that show it. When it changes, all of them rerender. */
import { useSyncExternalStore } from 'react';

export function makeStore<T>(start: T) {
  let value = start;
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get,
    set(next: T) {
      value = next;
      for (const listener of listeners) listener();
    },
    useValue: () => useSyncExternalStore(subscribe, get, get),
  };
}
