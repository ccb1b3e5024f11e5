/** Which section and record the address names. Within the editor another one is opened in place, and Back leads back. */
import { useEffect, useState } from 'react';
import { findScreen, type SectionScreen } from '#contract/all-screens.ts';
import type { SectionName } from '#contract/sections/index.ts';

export interface SectionAddress {
  readonly path: string;
  readonly name: SectionScreen['name'];
  /** The id in the address; empty where the route has none. */
  readonly id: string;
  /** The sections that stand on the screen. */
  readonly sections: readonly SectionName[];
}

/** Undefined for every address that is no screen of a section. */
export function sectionAddress(path: string): SectionAddress | undefined {
  const found = findScreen(path);
  const { screen, id = '' } = found ?? {};
  if (screen?.name !== 'sections' && screen?.name !== 'editRecord') return undefined;
  return { path, name: screen.name, id, sections: screen.sections };
}

/** That of the document. */
export function currentAddress(): SectionAddress {
  const address = sectionAddress(location.pathname);
  if (!address) throw new Error('The editor is shown at the address of a section.');
  return address;
}

/** @param onMove is told of each address that follows the first */
export function useSectionAddress(
  onMove: (address: SectionAddress) => void,
): readonly [SectionAddress, (path: string) => void] {
  const [address, setAddress] = useState(currentAddress);
  const go = () => {
    const next = currentAddress();
    setAddress(next);
    onMove(next);
  };
  useEffect(() => {
    addEventListener('popstate', go);
    return () => removeEventListener('popstate', go);
  });
  return [
    address,
    (path) => {
      history.pushState(null, '', path);
      go();
    },
  ];
}
