/** The page of a list in the address, so that the back button and a reload lead to the same page. */
import { putInAddress } from './in-address.ts';
import type { PageAddress } from './use-page.ts';

/** The page that the query names; 1 when it names none. */
export function pageInAddress(search: string, name = 'page'): number {
  const page = Number(new URLSearchParams(search).get(name) ?? '1');
  return Number.isSafeInteger(page) && page >= 1 ? page : 1;
}

/** @param name of the page in the query, for one of a screen's several lists */
export const pageNamed = (name: string): PageAddress => ({
  read: () => pageInAddress(location.search, name),
  write: (page) => putInAddress({ [name]: page === 1 ? '' : String(page) }),
});

/** For a screen with one list. */
export const pageAddress = pageNamed('page');
