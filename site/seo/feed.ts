/** The newest articles as an RSS 2.0 feed. https://www.rssboard.org/rss-specification */
import { articlePath, isListed, tagsOf, type Article } from '#contract/articles.ts';
import { firmNameIn } from '#contract/brand.ts';
import { feedPath, linkTo } from '#contract/screens.ts';
import { only, type PublicContent } from '#contract/sections/index.ts';
import { escapeXml } from './xml.ts';

/** The number of articles in the feed. */
const newestCount = 30;

/** Formats a day by RFC 822, at noon, which is the same day almost everywhere. */
const dateOf = (day: string) => new Date(`${day}T12:00:00Z`).toUTCString();

function itemOf(article: Article, siteUrl: string): string {
  const link = escapeXml(siteUrl + articlePath(article));
  const categories = tagsOf(article).map((tag) => `<category>${escapeXml(tag)}</category>`);
  return `<item><title>${escapeXml(article.title)}</title><link>${link}</link><guid isPermaLink="false">${article._id}</guid><pubDate>${dateOf(article.publishedOn)}</pubDate><description>${escapeXml(article.summary)}</description>${categories.join('')}</item>`;
}

/** Returns the feed without its XML declaration. @param siteUrl such as `https://firm.example` */
export function feedOf(content: PublicContent, siteUrl: string): string {
  const text = only(content.articlesText);
  const title = [text?.articlesHeading || 'Articles', firmNameIn(content)].filter(Boolean).join(' | ');
  const items = content.article
    .filter(isListed)
    .slice(0, newestCount)
    .map((article) => itemOf(article, siteUrl));
  return `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${escapeXml(title)}</title><link>${escapeXml(siteUrl + linkTo('articles'))}</link><description>${escapeXml(text?.articlesIntro || title)}</description><language>en-us</language><atom:link href="${escapeXml(siteUrl + feedPath)}" rel="self" type="application/rss+xml"/>${items.join('')}</channel></rss>`;
}
