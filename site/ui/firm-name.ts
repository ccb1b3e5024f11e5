/** The name of the firm, as the document says it (site/layouts/BrandHead.astro); '' on a page without it. */
export const firmName = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? '';
