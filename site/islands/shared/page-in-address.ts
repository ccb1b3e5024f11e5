/** The page of a list in the address, so that the back button and a reload lead to the same page. */

import type { PageAddress } from './use-page.ts';

/** The page that `?page=` names; 1 when it names none. */
export function pageInAddress(search: string): number {
  const page = Number(new URLSearchParams(search).get('page') ?? '1');
  return Number.isSafeInteger(page) && page >= 1 ? page : 1;
}

/** Puts the page into the address without adding to the history. */
export function putPageInAddress(page: number): void {
  history.replaceState(history.state, '', page === 1 ? location.pathname : `?page=${page}`);
}

/** For a screen with one list. */
export const pageAddress: PageAddress = {
  read: () => pageInAddress(location.search),
  write: putPageInAddress,
};
