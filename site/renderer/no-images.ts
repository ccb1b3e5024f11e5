/** Stands in for Astro's endpoint that resizes images, whose code would be a fortieth of the Worker. Nobody asks for it. */
export const GET = (): Response => new Response(null, { status: 404 });
