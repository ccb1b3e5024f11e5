/** Title and description of a public page, as administrators set them. */
import type { PublicContent, RecordOf } from '../../worker/contract/sections/index.ts';

/** Pages whose texts can be edited, by canonical path, and the title of each until then. */
const fallbackTitles = {
  '/': 'SEO packages for loan agencies',
  '/pricing/': 'Pricing Plan',
  '/service/': 'Services',
  '/contact': 'Contact',
} as const;
export type SearchPage = keyof typeof fallbackTitles;

export function searchTextFor(
  content: PublicContent,
  page: SearchPage,
): { title: string; description: string } {
  const text: RecordOf<'searchText'> | undefined = content.searchText.find((record) => record.page === page);
  return { title: text?.pageTitle || fallbackTitles[page], description: text?.pageDescription ?? '' };
}
