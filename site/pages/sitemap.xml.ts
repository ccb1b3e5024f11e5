/** The sitemap: every content page by its canonical address, and every article. */
import type { APIRoute } from 'astro';
import { recordPages } from '#contract/articles.ts';
import { contentPages, linkTo } from '#contract/screens.ts';
import { contentFor, siteUrl } from '../content.ts';
import { escapeXml, xmlResponse } from '../seo/xml.ts';

export const GET: APIRoute = async (context) => {
  const { article } = await contentFor(context);
  const records = [...recordPages(article).values()].filter(
    (page) => page.type === 'article' || !page.isThin,
  );
  const fixed = new Set(contentPages.map(({ canonical }) => canonical));
  // An empty list is not worth indexing.
  fixed.delete(linkTo('articles'));
  const days = new Map(
    records.map((page) => [
      page.path,
      page.type === 'article' ? page.article.revisedOn || page.article.publishedOn : '',
    ]),
  );
  const urls = [...fixed, ...days.keys()].map((path) => {
    const day = days.get(path);
    return `<url><loc>${escapeXml(siteUrl + path)}</loc>${day ? `<lastmod>${day}</lastmod>` : ''}</url>`;
  });
  return xmlResponse(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`);
};
