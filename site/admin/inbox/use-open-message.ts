/** The message in the URL. On a wide screen, every link to a message opens it next to the list. */
import { useState } from 'react';
import { findScreen } from '#contract/all-screens.ts';
import { openInPlace, staysInDocument, useNavigations } from '#site/app/in-place-navigation.ts';

/**
 * Returns the id of the message, an empty string for the list without a message, or undefined for any other screen.
 */
function messageAt(href: string): string | undefined {
  const { screen, id } = findScreen(new URL(href).pathname) ?? {};
  if (screen?.name === 'messages') return '';
  return screen?.name === 'message' ? id : undefined;
}

/**
 * Browsers without the Navigation API and narrow screens load each message as a new document.
 * @param first the id in the document's URL; empty for the list
 * @param isInPlace whether the message fits next to the list
 * @param onMove called after the URL has changed
 * @returns the id of the open message; empty if none is open
 */
export function useOpenMessage(first: string, isInPlace: boolean, onMove: () => void): string {
  const [id, setId] = useState(first);
  useNavigations((event) => {
    const { destination, navigationType } = event;
    // Filters and pages change the URL too, but do not open another message.
    if (navigationType === 'replace' && destination.sameDocument) return;
    const next = messageAt(destination.url);
    // Going back within the document also works after the window has become narrow.
    if (next === undefined || !staysInDocument(event) || !(isInPlace || destination.sameDocument)) return;
    openInPlace(event, () => {
      setId(next);
      onMove();
    });
  });
  return id;
}
