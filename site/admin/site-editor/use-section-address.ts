/** The section and record in the URL. Within the editor, every link to another one opens it in place. */
import { useState } from 'react';
import { findScreen, type SectionScreen } from '#contract/all-screens.ts';
import { openInPlace, staysInDocument, useNavigations } from '#site/app/in-place-navigation.ts';
import type { SectionScreenProps } from '../shell/screen.tsx';
import { mayLeave } from '../content/editor/use-loss-guard.ts';

export interface SectionAddress extends Required<SectionScreenProps> {
  readonly path: string;
  readonly name: SectionScreen['name'];
}

/** Returns undefined for a URL that is not a section's screen. */
function sectionAddress(href: string): SectionAddress | undefined {
  const { pathname: path, searchParams } = new URL(href);
  const { screen, id = '' } = findScreen(path) ?? {};
  if (screen?.name !== 'sections' && screen?.name !== 'editRecord') return undefined;
  const { name, sections } = screen;
  return { path, name, id, sections, release: searchParams.get('release') ?? '' };
}

/** The URL of the document. */
export function currentAddress(): SectionAddress {
  const address = sectionAddress(location.href);
  if (!address) throw new Error('The editor is shown at the address of a section.');
  return address;
}

export interface Move {
  readonly from: SectionAddress;
  readonly to: SectionAddress;
  /** Whether the user went back or forward. */
  readonly isTraversal: boolean;
}

/**
 * Browsers without the Navigation API load each URL as a document, whose forms continue with the drafts.
 * @param onMove called with each URL after the first
 */
export function useSectionAddress(onMove: (move: Move) => void): SectionAddress {
  const [address, setAddress] = useState(currentAddress);
  useNavigations((event) => {
    const to = sectionAddress(event.destination.url);
    if (!to || !staysInDocument(event)) return;
    const isSame = to.path === address.path && to.release === address.release;
    // Browsers cannot stop Back before the user has interacted with the page.
    if (event.cancelable && !isSame && !mayLeave()) {
      event.preventDefault();
      return;
    }
    openInPlace(event, () => {
      setAddress(to);
      onMove({ from: address, to, isTraversal: event.navigationType === 'traverse' });
    });
  });
  return address;
}
