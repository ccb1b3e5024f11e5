/** Releases as browser and server agree on them: named sets of changes that are published together. */
import type { Shape } from './call.ts';
import type * as calls from './calls/releases.ts';

export const releaseActions = ['add', 'update', 'remove', 'reorder'] as const;
export type ReleaseAction = (typeof releaseActions)[number];

export type ReleaseSummary = Shape<typeof calls.releaseSummary>;
export type Release = Shape<typeof calls.release>;
export type ReleaseChange = Shape<typeof calls.releaseChange>;
export type ReleaseConflict = Shape<typeof calls.releaseConflict>;
