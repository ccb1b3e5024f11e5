/** The calls that keep what an administrator typed and did not save. */
import * as z from 'zod';
import type { CallTable } from '../call.ts';
import { sectionNames } from '../sections/index.ts';
import { largestBodyBytes } from './content.ts';
import { id, moment, values } from './schemas.ts';

const section = z.enum(sectionNames);
/** Absent for the form that adds to the section. */
const recordId = id.optional();

export const draft = z.strictObject({
  section,
  /** Null for the form that adds to the section. */
  recordId: id.nullable(),
  /** The version of the record from which it was typed. */
  version: z.int().nullable(),
  /** The fields that were changed. */
  values,
  at: moment,
});

export const draftCalls = {
  'GET /drafts': {
    about: "The caller's drafts: that of one form, or all.",
    who: 'content',
    query: z.strictObject({ section: section.optional(), recordId }),
    answer: z.array(draft),
  },
  'PUT /drafts': {
    about: 'Keeps what stands in a form for its author alone; a save of the form forgets it.',
    who: 'content',
    body: z.strictObject({ section, recordId, version: z.int().optional(), values }),
    maxBodyBytes: largestBodyBytes,
  },
  'DELETE /drafts': {
    about: 'Forgets the draft of a form.',
    who: 'content',
    body: z.strictObject({ section, recordId }),
  },
} as const satisfies CallTable;
