/** Versions of records: the ETag of what was read, and the `If-Match` of a change that was made from it (RFC 9110, 13.1.1). */
import { ApiError } from './errors.ts';

/** The ETag of a record: its version. */
export const etagOf = ({ version }: { readonly version: number }): string => `"${String(version)}"`;

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
  const etag = etagOf({ version });
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === etag) return;
  throw new ApiError(412, detail, { current }, { ETag: etag });
}
