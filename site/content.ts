/**
 * The only source of content for public pages when they are rendered. In the Worker, the renderer passes it in. The
 * static build reads the database. `SITE_URL` is the only setting that affects a page's bytes.
 */
import { recordPages, type RecordPage } from '#contract/articles.ts';
import type { PublicContent } from '#contract/sections/index.ts';

/** The public address of the site, without a trailing slash. */
export const siteUrl: string = import.meta.env.SITE_URL;

/** Returns the content for a page. */
export function contentFor({ locals }: { locals: App.Locals }): PublicContent | Promise<PublicContent> {
  if (!import.meta.env.STATIC_BUILD) return locals.content;
  return import('./build-content.ts').then(({ readBuildContent }) => readBuildContent());
}

/** Returns the content, and the record page at a path. @throws if there is none */
export async function recordPageFor(
  astro: { locals: App.Locals },
  path: string,
): Promise<{ content: PublicContent; page: RecordPage }> {
  const content = await contentFor(astro);
  const page = recordPages(content.article).get(path);
  if (!page) throw new Error(`No record has a page at ${path}.`);
  return { content, page };
}
