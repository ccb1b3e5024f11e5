/** Which message the address names. On a wide screen another one is opened beside the list, whatever leads to it. */
import { useEffect, useEffectEvent, useState } from 'react';
import { findScreen } from '#contract/all-screens.ts';
import { staysInDocument } from '#site/app/moves-within.ts';

/** The id of the message; empty for the list alone, and undefined for every other screen. */
function messageAt(href: string): string | undefined {
  const { screen, id } = findScreen(new URL(href).pathname) ?? {};
  if (screen?.name === 'messages') return '';
  return screen?.name === 'message' ? id : undefined;
}

/**
 * A browser without the Navigation API, and a narrow screen, loads each message as a document.
 * @param first the id in the address of the document; empty for the list
 * @param isInPlace whether there is room for the message beside the list
 * @param onMove is called once the address has changed
 * @returns the id of the open message; empty for none
 */
export function useOpenMessage(first: string, isInPlace: boolean, onMove: () => void): string {
  const [id, setId] = useState(first);
  const follow = useEffectEvent((event: NavigateEvent) => {
    const { destination, navigationType } = event;
    // The lists keep their filters and pages in the address: that is no move.
    if (navigationType === 'replace' && destination.sameDocument) return;
    const next = messageAt(destination.url);
    // Back within the document works on a screen that was made narrow, too.
    if (next === undefined || !staysInDocument(event) || !(isInPlace || destination.sameDocument)) return;
    event.intercept({
      focusReset: 'manual',
      scroll: 'manual',
      handler() {
        setId(next);
        onMove();
        return Promise.resolve();
      },
    });
  });
  useEffect(() => {
    if (!('navigation' in window)) return undefined;
    const { navigation } = window;
    navigation.addEventListener('navigate', follow);
    return () => navigation.removeEventListener('navigate', follow);
  }, []);
  return id;
}
