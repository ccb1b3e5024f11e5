import type { APIRoute } from 'astro';
import { contentFor, siteUrl } from '#site/content.ts';
import { feedOf } from '#site/seo/feed.ts';
import { xmlResponse } from '#site/seo/xml.ts';

export const GET: APIRoute = async (context) => xmlResponse(feedOf(await contentFor(context), siteUrl));
