/** A page's title, description and picture for search engines and shared links, as administrators set them. */
import { firmNameIn } from '#contract/brand.ts';
import { jpegPath } from '#contract/media.ts';
import { linkTo, type ScreenName } from '#contract/screens.ts';
import { only, type PublicContent, type RecordOf } from '#contract/sections/index.ts';
import { safeSrc } from '../ui/safe-link.tsx';

/** The pages whose texts can be edited, with their default titles. */
const fallbackTitles = {
  home: 'SEO packages for loan agencies',
  pricing: 'Pricing Plan',
  service: 'Services',
  contact: 'Contact',
} as const satisfies Partial<Record<ScreenName, string>>;
type SearchPage = keyof typeof fallbackTitles;

/** Adds the firm's name to a title, if there is a name. */
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

/** Programs that show shared links do not support vector graphics. */
const isRaster = (address: string) => !/\.svg$/i.test(address);

/**
 * The picture of a page for shared links: the cover of its article, or otherwise the picture of the page, of the brand,
 * or of the landing page. The landing page itself falls back to the banner's picture.
 * @returns the URL with the library's description and size; undefined if no picture is a raster image
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
