/** Title and description of a public page, as administrators set them. */
import { linkTo, type ScreenName } from '#contract/screens.ts';
import type { PublicContent, RecordOf } from '#contract/sections/index.ts';

/** Pages whose texts can be edited, and the title of each until then. */
const fallbackTitles = {
  home: 'SEO packages for loan agencies',
  pricing: 'Pricing Plan',
  service: 'Services',
  contact: 'Contact',
} as const satisfies Partial<Record<ScreenName, string>>;
export type SearchPage = keyof typeof fallbackTitles;

export function searchTextFor(
  content: PublicContent,
  page: SearchPage,
): { title: string; description: string } {
  const text: RecordOf<'searchText'> | undefined = content.searchText.find(
    (record) => record.page === linkTo(page),
  );
  return { title: text?.pageTitle || fallbackTitles[page], description: text?.pageDescription ?? '' };
}
