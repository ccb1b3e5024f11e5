/** What the Worker imports: renders one public page from the content that is handed in. */
import { FetchState, pages } from 'astro/fetch';
import type { PublicContent } from '#contract/sections/index.ts';

/**
 * The page's HTML, byte for byte what the static build writes at the same content. Astro's pages alone are used: with its
 * whole app the Worker would carry actions, sessions, redirects and languages too.
 * @param path of a content page or a frame, such as `/pricing/` or `/404`
 * @throws when the page does not render
 */
export async function renderPage(path: string, content: PublicContent): Promise<string> {
  const state = new FetchState(new Request(new URL(path, 'http://render.invalid')));
  state.locals = { content };
  const response = await pages(state);
  // Astro gives the page of this name its status, and answers with it for any path that it does not know.
  if (response.status !== (path === '/404' ? 404 : 200))
    throw new Error(`${path} rendered with status ${String(response.status)}.`);
  return response.text();
}
