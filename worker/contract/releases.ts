/** Releases: named sets of changes that are published together. */

export const releaseActions = ['add', 'update', 'remove', 'reorder'] as const;
export type ReleaseAction = (typeof releaseActions)[number];

/** The maximum number of changes in a release. No one would review more. */
const maxChanges = 500;

/**
 * The maximum number of characters in the values of a release. One database response contains a whole release. A
 * response has at most 10 MB (https://docs.turso.tech/cloud/limits), and a character may take four bytes.
 */
const maxCharacters = 2_000_000;

interface ReleaseSize {
  readonly changes: number;
  /** The total length of the values, as JSON. */
  readonly characters: number;
}

export const isReleaseFull = ({ changes, characters }: ReleaseSize): boolean =>
  changes >= maxChanges || characters >= maxCharacters;
