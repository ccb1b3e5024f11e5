/** The public pages as Astro compiled them for the Worker (site/renderer/entry.ts); wrangler.toml says where they are. */
declare module '#site-renderer' {
  import type { PublicContent } from '#contract/sections/index.ts';
  export function renderPage(path: string, content: PublicContent): Promise<string>;
  /** The address of the first link in a Markdown text that the pages would not show as a link. */
  export function unsafeLinkIn(text: string): Promise<string | undefined>;
  /** Identifies this build of the pages and their assets. */
  export const buildId: string;
}
