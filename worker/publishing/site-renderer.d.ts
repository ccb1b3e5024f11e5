/** The public pages as Astro compiled them for the Worker (site/renderer/entry.ts); wrangler.toml says where they are. */
declare module '#site-renderer' {
  import type { PublicContent } from '#contract/sections/index.ts';
  export function renderPage(path: string, content: PublicContent): Promise<string>;
  /** Identifies this build of the pages and their assets. */
  export const buildId: string;
}
