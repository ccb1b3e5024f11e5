/** Opens a dialog over the current screen from a plain function, so that a caller can wait for the answer. */
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/**
 * @param dialog what to show, an open `Dialog`; it calls `answer` once to close
 * @returns the answer
 */
export function openDialog(dialog: (answer: (isYes: boolean) => void) => ReactNode): Promise<boolean> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  return new Promise((resolve) => {
    root.render(
      dialog((isYes) => {
        root.unmount();
        place.remove();
        resolve(isYes);
      }),
    );
  });
}
