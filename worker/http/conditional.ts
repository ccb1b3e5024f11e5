/**
 * Conditional requests: `If-None-Match` of what is read, `If-Match` of what is changed (RFC 9110, section 13.1). Both compare
 * weakly: an ETag that names a version has passed through Cloudflare, which weakens it.
 */
import { etagOf, strengthen } from '#contract/etag.ts';
import { ApiError } from './errors.ts';

/** Whether the browser already has these bytes, by its `If-None-Match` (weak comparison). */
export const isKnown = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch !== null &&
  ifNoneMatch.split(',').some((known) => known.trim() === '*' || strengthen(known) === strengthen(etag));

/**
 * Refuses a change that was made from another version than the present one.
 * @param ifMatch the header; without it any version will do
 * @param current the record as it is now, for the answer
 * @param detail what to say then
 * @throws ApiError 412 with the current record and its ETag
 */
export function checkVersion(
  ifMatch: string | undefined,
  { version }: { readonly version: number },
  current: object,
  detail = 'Somebody else saved this meanwhile. Compare the two versions; nothing you typed is lost.',
): void {
  const etag = etagOf(version);
  if (ifMatch === undefined || ifMatch === '*' || strengthen(ifMatch) === etag) return;
  throw new ApiError(412, detail, { current }, { ETag: etag });
}
