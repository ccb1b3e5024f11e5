/** The firm's name from the document's metadata (site/layouts/BrandHead.astro); '' on a page without it. */
export const firmName = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? '';
