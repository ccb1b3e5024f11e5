import { fillName } from '#contract/fill-name.ts';

/** The firm's name from the document's metadata (site/layouts/BrandHead.astro); '' on a page without it. */
export const firmName = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? '';

/** A text of the content with the firm's name filled in. */
export const named = (text: string): string => fillName(text, firmName());
