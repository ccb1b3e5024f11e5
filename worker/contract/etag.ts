/** Entity tags (RFC 9110, 8.8.3): the one text of them, for a record its version and for bytes a name of them. */

/** The strong ETag of something. @param tag its version, or a name that no other bytes have */
export const etagOf = (tag: string | number): string => `"${tag}"`;

/** The version that a record's ETag names; NaN without one. */
export const versionOf = (etag: string | undefined): number => Number(etag?.replaceAll('"', ''));
