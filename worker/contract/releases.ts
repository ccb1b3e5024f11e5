/** Releases: named sets of changes that are published together. */

export const releaseActions = ['add', 'update', 'remove', 'reorder'] as const;
export type ReleaseAction = (typeof releaseActions)[number];

/** The maximum number of changes in a release. Nobody would review more. */
export const mostInRelease = 500;
