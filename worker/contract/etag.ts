/** Entity tags (RFC 9110, 8.8.3): from the version of a record, or from a name that is unique to some bytes. */

/** The strong ETag for a tag. @param tag a version, or a name that no other bytes have */
export const etagOf = (tag: string | number): string => `"${tag}"`;

/** The version that a record's ETag names; NaN without one. */
export const versionOf = (etag: string | undefined): number => Number(etag?.replaceAll('"', ''));
