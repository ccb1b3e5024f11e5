/** The redirects for the Worker. They are stored and cached like pages (worker/publishing/redirects.ts). */
import type { APIRoute } from 'astro';
import { contentFor } from '#site/content.ts';

export const GET: APIRoute = async (context) => {
  const { redirect } = await contentFor(context);
  return Response.json(redirect.map(({ from, to }) => ({ from, to })));
};
