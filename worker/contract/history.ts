/** Past saves as browser and server agree on them: the versions of a record, and the publications of the site. */
import type { Shape } from './call.ts';
import type * as calls from './calls/content.ts';

export const changeActions = ['added', 'updated', 'removed', 'restored', 'reordered'] as const;
export type ChangeAction = (typeof changeActions)[number];

export type HistoryEntry = Shape<typeof calls.historyEntry>;
export type PublishedChange = Shape<typeof calls.publishedChange>;
export type Publication = Shape<typeof calls.publication>;
export type Timings = Shape<typeof calls.timings>;
