/** The calls that keep what an administrator typed and did not save. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { sectionNames } from './sections/index.ts';
import { largestBodyBytes } from './content.calls.ts';
import { id, moment, values } from './schemas.ts';

const section = z.enum(sectionNames);
/** Absent for the form that adds to the section. */
const recordId = id.optional();

/** Tells the drafts of one form apart; empty for one that was given no id. */
const draftId = z.union([id, z.literal('')]);

export const draft = z.strictObject({
  draftId,
  section,
  /** Null for the form that adds to the section. */
  recordId: id.nullable(),
  /** The version of the record from which it was typed; below zero, that of the change of a release that adds the record. */
  version: z.int().nullable(),
  /** The fields that were changed. */
  values,
  at: moment,
});
/** What somebody typed into a form and did not save. */
export type Draft = Output<typeof draft>;

/** Where a draft is, without what was typed. */
export const draftMark = draft.pick({ draftId: true, section: true, recordId: true });
/** Where somebody typed something that is not saved. */
export type DraftMark = Output<typeof draftMark>;

export const draftCalls = {
  'GET /drafts': {
    about: "The caller's drafts, newest first: those of one form, or all.",
    who: 'content',
    query: z.strictObject({ section: section.optional(), recordId }),
    answer: z.array(draft),
  },
  'GET /drafts/marks': {
    about: "Where the caller's drafts are, newest first, without what was typed.",
    who: 'content',
    answer: z.array(draftMark),
  },
  'PUT /drafts': {
    about:
      'Keeps what stands in a form for its author alone, in the place of what was kept under the same id. A save forgets the draft that its header `Draft` names, and without it one that was given no id.',
    who: 'content',
    body: z.strictObject({
      section,
      recordId,
      draftId: draftId.optional(),
      version: z.int().optional(),
      values,
    }),
    maxBodyBytes: largestBodyBytes,
  },
  'DELETE /drafts': {
    about: 'Forgets a draft of a form, or all of them.',
    who: 'content',
    body: z.strictObject({ section, recordId, draftId: draftId.optional() }),
  },
} as const satisfies CallTable;
