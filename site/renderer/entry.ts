/** What the Worker imports: renders one public page from the content that is handed in. */
import { createApp } from 'astro/app/entrypoint';
import type { PublicContent } from '#contract/sections/index.ts';

const app = createApp({ streaming: false });

/**
 * The page's HTML, byte for byte what the static build writes at the same content.
 * @param path of a content page or a frame, such as `/pricing/` or `/404`
 * @throws when the page does not render
 */
export async function renderPage(path: string, content: PublicContent): Promise<string> {
  const response = await app.render(new Request(new URL(path, 'http://render.invalid')), {
    locals: { content },
  });
  // Astro gives the page of this name its status, and answers with it for any path that it does not know.
  if (response.status !== (path === '/404' ? 404 : 200))
    throw new Error(`${path} rendered with status ${String(response.status)}.`);
  return response.text();
}
