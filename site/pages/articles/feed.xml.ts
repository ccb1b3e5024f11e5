/** The newest articles for readers of feeds. https://www.rssboard.org/rss-specification */
import type { APIRoute } from 'astro';
import { articlePath, isListed, tagsOf, type Article } from '#contract/articles.ts';
import { feedPath, linkTo } from '#contract/screens.ts';
import { firmNameIn } from '#contract/brand.ts';
import { only } from '#contract/sections/index.ts';
import { contentFor, siteUrl } from '#site/content.ts';
import { escapeXml, xmlResponse } from '#site/seo/xml.ts';

/** How many articles the feed holds. */
const newestCount = 30;

/** A day as RFC 822 writes it, at noon, which is the same day almost everywhere. */
const dateOf = (day: string) => new Date(`${day}T12:00:00Z`).toUTCString();

function itemOf(article: Article): string {
  const link = escapeXml(siteUrl + articlePath(article));
  const categories = tagsOf(article).map((tag) => `<category>${escapeXml(tag)}</category>`);
  return `<item><title>${escapeXml(article.title)}</title><link>${link}</link><guid isPermaLink="false">${article._id}</guid><pubDate>${dateOf(article.publishedOn)}</pubDate><description>${escapeXml(article.summary)}</description>${categories.join('')}</item>`;
}

export const GET: APIRoute = async (context) => {
  const content = await contentFor(context);
  const text = only(content.articlesText);
  const firm = firmNameIn(content);
  const title = [text?.articlesHeading || 'Articles', firm].filter(Boolean).join(' | ');
  const items = content.article.filter(isListed).slice(0, newestCount).map(itemOf);
  return xmlResponse(
    `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${escapeXml(title)}</title><link>${escapeXml(siteUrl + linkTo('articles'))}</link><description>${escapeXml(text?.articlesIntro || title)}</description><language>en-us</language><atom:link href="${escapeXml(siteUrl + feedPath)}" rel="self" type="application/rss+xml"/>${items.join('')}</channel></rss>`,
  );
};
