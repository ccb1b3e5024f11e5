/**
 * The one accessor of the public pages to their content, at render time. In the Worker the content is handed in by the
 * renderer; the static build reads the database. `SITE_URL` is the only setting that is part of a page's bytes.
 */
import type { PublicContent } from '#contract/sections/index.ts';

/** Public address of the site, without a trailing slash. */
export const siteUrl: string = import.meta.env.SITE_URL;

let built: Promise<PublicContent> | undefined;

/** The content to render the page from. */
export function contentFor({ locals }: { locals: App.Locals }): PublicContent | Promise<PublicContent> {
  if (!import.meta.env.STATIC_BUILD) return locals.content;
  return (built ??= import('./build-content.ts').then(({ readBuildContent }) => readBuildContent()));
}
