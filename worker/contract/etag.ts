/** Entity tags (RFC 9110, 8.8.3), built from the version of a record or from a unique name of some bytes. */

/** @param tag a version, or a unique name of the bytes */
export const etagOf = (tag: string | number): string => `"${tag}"`;

/**
 * Removes the `W/` that Cloudflare adds when it compresses a response
 * (https://developers.cloudflare.com/cache/reference/etag-headers/). The ETag still identifies the same version, or the
 * same bytes before compression.
 */
export const toStrongEtag = (etag: string): string => etag.trim().replace(/^W\//, '');

/** The version in a record's ETag; NaN without an ETag. */
export const versionOf = (etag: string | undefined): number =>
  etag === undefined ? Number.NaN : Number(toStrongEtag(etag).replaceAll('"', ''));
