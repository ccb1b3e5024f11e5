/** The module that the Worker imports. It renders one public page from the given content, and checks long texts. */
import { FetchState, pages } from 'astro/fetch';
import type { PublicContent } from '#contract/sections/index.ts';

export { unsafeLinkIn } from '../sections/markdown.ts';

/**
 * Returns the HTML of a page, byte for byte the same as in the static build. It uses Astro's pages without Astro's app,
 * which would add actions, sessions, redirects and languages to the Worker.
 * @param path the path of a content page or a frame, such as `/pricing/` or `/404`
 * @throws if the page does not render
 */
export async function renderPage(path: string, content: PublicContent): Promise<string> {
  const state = new FetchState(new Request(new URL(path, 'http://render.invalid')));
  state.locals = { content };
  const response = await pages(state);
  // Astro treats `/404` specially: it sets the status, and serves the page for unknown paths.
  if (response.status !== (path === '/404' ? 404 : 200))
    throw new Error(`${path} rendered with status ${String(response.status)}.`);
  return response.text();
}
