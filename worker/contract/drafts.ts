/** Drafts as browser and server agree on them. */
import type { Shape } from './call.ts';
import type { draft, draftMark } from './calls/drafts.ts';

/** What somebody typed into a form and did not save. */
export type Draft = Shape<typeof draft>;

/** Where somebody typed something that is not saved. */
export type DraftMark = Shape<typeof draftMark>;
