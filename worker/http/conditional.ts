/**
 * Conditional requests: `If-None-Match` for reads, `If-Match` for changes (RFC 9110, section 13.1). Both use weak
 * comparison, because Cloudflare weakens the ETags that pass through it.
 */
import { etagOf, toStrongEtag } from '#contract/etag.ts';
import { ApiError } from './errors.ts';

/** Whether the browser already has these bytes, according to `If-None-Match`. */
export const matchesEtag = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch !== null &&
  ifNoneMatch.split(',').some((known) => known.trim() === '*' || toStrongEtag(known) === toStrongEtag(etag));

/**
 * Rejects a change that is based on a stale version.
 * @param ifMatch the header; without it every version is accepted
 * @param current the current record, for the response
 * @param detail the error message
 * @throws ApiError 412 with the current record and its ETag
 */
export function checkVersion(
  ifMatch: string | undefined,
  { version }: { readonly version: number },
  current: object,
  detail = 'Someone else saved this in the meantime. Compare the two versions; nothing you typed is lost.',
): void {
  const etag = etagOf(version);
  if (ifMatch === undefined || ifMatch === '*' || toStrongEtag(ifMatch) === etag) return;
  throw new ApiError(412, detail, { current }, { ETag: etag });
}
