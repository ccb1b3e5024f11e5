/** Releases: named sets of changes that are published together. */

export const releaseActions = ['add', 'update', 'remove', 'reorder'] as const;
export type ReleaseAction = (typeof releaseActions)[number];
