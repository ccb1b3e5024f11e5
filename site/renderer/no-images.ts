/**
 * Replaces Astro's endpoint that resizes images, which nothing uses and which would be a fortieth of the
 * Worker.
 */
export const GET = (): Response => new Response(null, { status: 404 });
