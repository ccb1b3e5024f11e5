/**
 * Crawlers may read every page; screens say `noindex` themselves, which they can only say when they may be read. The
 * API is not for them.
 */
import type { APIRoute } from 'astro';
import { siteUrl } from '../content.ts';

export const GET: APIRoute = () =>
  new Response(`User-agent: *\nDisallow: /api/\n\nSitemap: ${siteUrl}/sitemap.xml\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
