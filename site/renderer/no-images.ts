/** Replaces Astro's endpoint that resizes images. It is unused, and would be 2.5% of the Worker's size. */
export const GET = (): Response => new Response(null, { status: 404 });
