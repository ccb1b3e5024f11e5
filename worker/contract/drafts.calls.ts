/** The calls for drafts, which store text that an editor typed but did not save. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { largestBodyBytes, sectionName } from './content.calls.ts';
import { id, moment, values } from './schemas.ts';

/** Absent for the form that adds a record. */
const recordId = id.optional();

/** Tells the drafts of one form apart; empty for a draft without an id. */
const draftId = z.union([id, z.literal('')]);

export const draft = z.strictObject({
  draftId,
  section: sectionName,
  /** Null for the form that adds a record. */
  recordId: id.nullable(),
  /**
   * The version of the record that the draft is based on. If a release adds the record, the negative version of that
   * change.
   */
  version: z.int().nullable(),
  /** Only the changed fields. */
  values,
  at: moment,
});
export type Draft = Output<typeof draft>;

/** The form that a draft belongs to, without the text. */
const draftMark = draft.pick({ draftId: true, section: true, recordId: true });
export type DraftMark = Output<typeof draftMark>;

export const draftCalls = {
  'GET /drafts': {
    about: "Lists the caller's drafts, newest first: all, or those of one form.",
    who: 'content',
    query: z.strictObject({ section: sectionName.optional(), recordId }),
    answer: z.array(draft),
  },
  'GET /drafts/marks': {
    about: "Lists the forms of the caller's drafts, newest first, without their text.",
    who: 'content',
    answer: z.array(draftMark),
  },
  'PUT /drafts': {
    about:
      'Stores the text of a form for its author only, and replaces the draft with the same id. A save deletes the draft that its `Draft` header names. Without the header, it deletes the draft without an id.',
    who: 'content',
    body: z.strictObject({
      section: sectionName,
      recordId,
      draftId: draftId.optional(),
      version: z.int().optional(),
      values,
    }),
    maxBodyBytes: largestBodyBytes,
  },
  'DELETE /drafts': {
    about: 'Deletes one draft of a form, or all of them.',
    who: 'content',
    body: z.strictObject({ section: sectionName, recordId, draftId: draftId.optional() }),
  },
} as const satisfies CallTable;
