/**
 * Crawlers may read every page except the API. Screens have `noindex`, which crawlers see only on pages that they
 * may read.
 */
import type { APIRoute } from 'astro';
import { siteUrl } from '../content.ts';

export const GET: APIRoute = () =>
  new Response(`User-agent: *\nDisallow: /api/\n\nSitemap: ${siteUrl}/sitemap.xml\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
