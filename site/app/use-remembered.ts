/** A choice that is remembered in this browser. */
import { useState } from 'react';

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // The browser stores nothing for this site.
  }
}

export function useRemembered<T extends string>(
  key: string,
  choices: readonly T[],
  start: T,
): readonly [T, (choice: T) => void] {
  const [choice, setChoice] = useState(() => choices.find((one) => one === read(key)) ?? start);
  return [
    choice,
    (next) => {
      setChoice(next);
      try {
        localStorage.setItem(key, next);
      } catch {
        // The choice still applies while this screen is open.
      }
    },
  ];
}
