/** The redirects in the form in which the Worker looks them up: stored and kept as every page is (worker/publishing/redirects.ts). */
import type { APIRoute } from 'astro';
import { contentFor } from '#site/content.ts';

export const GET: APIRoute = async (context) => {
  const { redirect } = await contentFor(context);
  return Response.json(redirect.map(({ from, to }) => ({ from, to })));
};
