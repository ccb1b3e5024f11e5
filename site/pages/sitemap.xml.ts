/** The addresses that search engines should know: every content page once, by its canonical address. */
import type { APIRoute } from 'astro';
import { contentPages } from '#contract/screens.ts';
import { siteUrl } from '../content.ts';

export const GET: APIRoute = () => {
  const paths = [...new Set(contentPages.map(({ canonical }) => canonical))];
  const escaped = siteUrl.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const urls = paths.map((path) => `<url><loc>${escaped}${path}</loc></url>`).join('');
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`,
    { headers: { 'Content-Type': 'application/xml' } },
  );
};
