/** Redirects plain HTTP requests, which Cloudflare passes on unless a setting of the zone turns that off. */
import type { Env } from '../env.ts';

/**
 * Redirects a plain HTTP request to the same address over HTTPS (RFC 9110, 308).
 * @returns undefined for HTTPS, and on a local site
 */
export function answerInsecure(
  { url }: Request,
  { ENVIRONMENT }: Pick<Env, 'ENVIRONMENT'>,
): Response | undefined {
  if (ENVIRONMENT === 'local' || !url.startsWith('http://')) return undefined;
  const headers = { Location: url.replace('http:', 'https:'), 'Cache-Control': 'no-store' };
  return new Response(null, { status: 308, headers });
}
