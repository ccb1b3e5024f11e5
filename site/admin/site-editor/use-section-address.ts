/** Which section and record the address names. Within the editor another one is opened in place, whatever leads to it. */
import { useEffect, useEffectEvent, useState } from 'react';
import { findScreen, type SectionScreen } from '#contract/all-screens.ts';
import type { SectionName } from '#contract/sections/index.ts';
import { staysInDocument } from '#site/app/moves-within.ts';
import { mayLeave } from '../content/editor/use-loss-guard.ts';

export interface SectionAddress {
  readonly path: string;
  readonly name: SectionScreen['name'];
  /** The id in the address; empty where the route has none. */
  readonly id: string;
  /** The sections that stand on the screen. */
  readonly sections: readonly SectionName[];
  /** The release in which the record is edited; empty for the one that is live. */
  readonly release: string;
}

/** Undefined for every address that is no screen of a section. */
function sectionAddress(href: string): SectionAddress | undefined {
  const { pathname: path, searchParams } = new URL(href);
  const { screen, id = '' } = findScreen(path) ?? {};
  if (screen?.name !== 'sections' && screen?.name !== 'editRecord') return undefined;
  const { name, sections } = screen;
  return { path, name, id, sections, release: searchParams.get('release') ?? '' };
}

/** That of the document. */
export function currentAddress(): SectionAddress {
  const address = sectionAddress(location.href);
  if (!address) throw new Error('The editor is shown at the address of a section.');
  return address;
}

export interface Move {
  readonly from: SectionAddress;
  readonly to: SectionAddress;
  /** Back or Forward led there. */
  readonly isTraversal: boolean;
}

/**
 * A browser without the Navigation API loads each address as a document, whose forms go on with the drafts.
 * @param onMove is told of each address that follows the first
 */
export function useSectionAddress(onMove: (move: Move) => void): SectionAddress {
  const [address, setAddress] = useState(currentAddress);
  const follow = useEffectEvent((event: NavigateEvent) => {
    const to = sectionAddress(event.destination.url);
    if (!to || !staysInDocument(event)) return;
    const isSame = to.path === address.path && to.release === address.release;
    // Back cannot be held up where nobody has touched the page.
    if (event.cancelable && !isSame && !mayLeave()) {
      event.preventDefault();
      return;
    }
    event.intercept({
      focusReset: 'manual',
      scroll: 'manual',
      handler() {
        setAddress(to);
        onMove({ from: address, to, isTraversal: event.navigationType === 'traverse' });
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
  return address;
}
