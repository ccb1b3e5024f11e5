/** Title, description and picture of a public page for search engines and shared links, as administrators set them. */
import { firmNameIn } from '#contract/brand.ts';
import { jpegPath } from '#contract/media.ts';
import { linkTo, type ScreenName } from '#contract/screens.ts';
import { only, type PublicContent, type RecordOf } from '#contract/sections/index.ts';
import { safeSrc } from '../ui/safe-link.tsx';

/** Pages whose texts can be edited, and the title of each until then. */
const fallbackTitles = {
  home: 'SEO packages for loan agencies',
  pricing: 'Pricing Plan',
  service: 'Services',
  contact: 'Contact',
} as const satisfies Partial<Record<ScreenName, string>>;
export type SearchPage = keyof typeof fallbackTitles;

/** A title with the name of the firm, if it has one. */
export function withFirm(title: string, content: PublicContent): string {
  const name = firmNameIn(content);
  return name === '' ? title : `${title} | ${name}`;
}

const textOf = (content: PublicContent, path: string): RecordOf<'searchText'> | undefined =>
  content.searchText.find(({ page }) => page === path);

export function searchTextFor(
  content: PublicContent,
  page: SearchPage,
): { title: string; description: string } {
  const text = textOf(content, linkTo(page));
  return { title: text?.pageTitle || fallbackTitles[page], description: text?.pageDescription ?? '' };
}

/** What shows links to a page reads no vector graphics. */
const isRaster = (address: string) => !/\.svg$/i.test(address);

/**
 * The picture of a page in shared links: the cover of its article, its own, then that of the brand, then the landing
 * page's. The landing page itself falls back to its banner's picture.
 * @returns the address with the library's description and size; undefined when no picture is a raster image
 */
export function sharedPicture(content: PublicContent, path: string | undefined, cover?: string) {
  const home = linkTo('home');
  const [own, ofHome] = [path ?? '', home].map((page) => textOf(content, page)?.pageImage);
  const ofBrand = only(content.brand)?.sharedPicture;
  const src = [cover, own, ofBrand, ofHome, path === home ? content.banner[0]?.imageOne : undefined]
    .map(safeSrc)
    .find((address) => address !== undefined && isRaster(address));
  const known = content.media.find((one) => one.path === src);
  return src === undefined ? undefined : { src: jpegPath(src), known };
}
