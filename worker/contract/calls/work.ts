/** The calls on the work after the sale: what an order's customer is asked. */
import { z } from 'zod';
import type { CallTable } from '../call.ts';
import { hasHiddenCharacter } from '../fields.ts';
import { briefStatuses, maxAnswerLength, questionKinds } from '../work.ts';
import { id, moment } from './schemas.ts';

/** A question with its answer, empty where there is none yet. */
const briefQuestion = z.strictObject({
  _id: id,
  question: z.string(),
  help: z.string(),
  kind: z.enum(questionKinds),
  /** Of the kind `choice`; empty for the others. */
  choices: z.array(z.string()),
  isRequired: z.boolean(),
  answer: z.string(),
});

export const brief = z.strictObject({
  status: z.enum(briefStatuses),
  sentAt: moment.nullable(),
  /** Whether the caller may answer it just now. */
  isEditable: z.boolean(),
  /** Those that the order's package asks; of a sent brief those that it answers, as they read then. */
  questions: z.array(briefQuestion),
});

const answer = z
  .string({ error: 'An answer is a text.' })
  .max(maxAnswerLength, `At most ${maxAnswerLength.toLocaleString('en-US')} characters.`)
  .refine(
    (text) => !hasHiddenCharacter(text),
    'This contains a character that cannot be shown. Please remove it.',
  );

export const briefChange = z.strictObject({
  /** By the questions' ids; one that is left out keeps its answer. */
  answers: z.record(id, answer).optional(),
  /** `sent`: the customer has answered all. `open`: an administrator lets them go on. */
  status: z.enum(briefStatuses, { error: 'Send status open or sent, or leave it out.' }).optional(),
});

export const workCalls = {
  'GET /order/:id/brief': {
    about: "The brief of an order: the questions that it asks, with its customer's answers.",
    who: 'account',
    answer: brief,
  },
  'PUT /order/:id/brief': {
    about:
      'Keeps answers as its customer types them, and sends the brief once all that must be answered is. An administrator opens a sent one again.',
    who: 'account',
    body: briefChange,
    // All answers at once, after the connection was away for a while.
    maxBodyBytes: 512 * 1024,
    answer: brief,
    problems: [403, 404, 409, 422],
  },
} as const satisfies CallTable;
