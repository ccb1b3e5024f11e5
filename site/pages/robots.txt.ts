/** Crawlers may read every page except the API. They see a screen's `noindex` only if they may read it. */
import type { APIRoute } from 'astro';
import { siteUrl } from '../content.ts';

export const GET: APIRoute = () =>
  new Response(`User-agent: *\nDisallow: /api/\n\nSitemap: ${siteUrl}/sitemap.xml\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
