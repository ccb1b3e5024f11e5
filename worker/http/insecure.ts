/** Plain HTTP on a deployed site, which Cloudflare serves unless a switch of the zone says otherwise. */
import type { Env } from '../env.ts';

/**
 * Leads a request by plain HTTP to the same address by HTTPS (RFC 9110, 308).
 * @returns undefined for a request by HTTPS, and on one's own machine
 */
export function answerInsecure(
  { url }: Request,
  { ENVIRONMENT }: Pick<Env, 'ENVIRONMENT'>,
): Response | undefined {
  if (ENVIRONMENT === 'local' || !url.startsWith('http://')) return undefined;
  const headers = { Location: url.replace('http:', 'https:'), 'Cache-Control': 'no-store' };
  return new Response(null, { status: 308, headers });
}
