/** Entity tags (RFC 9110, 8.8.3): from the version of a record, or from a name that is unique to some bytes. */

/** The strong ETag for a tag. @param tag a version, or a name that no other bytes have */
export const etagOf = (tag: string | number): string => `"${tag}"`;

/**
 * An ETag without the `W/` that Cloudflare puts before it when it compresses an answer
 * (https://developers.cloudflare.com/cache/reference/etag-headers/): it still names the same version, or the same bytes
 * before they were compressed.
 */
export const strengthen = (etag: string): string => etag.trim().replace(/^W\//, '');

/** The version that a record's ETag names; NaN without one. */
export const versionOf = (etag: string | undefined): number =>
  etag === undefined ? Number.NaN : Number(strengthen(etag).replaceAll('"', ''));
