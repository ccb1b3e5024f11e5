/** The calls for the work after the sale: the brief with the customer's answers, and the plan. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { maxMessageFiles } from './conversations.ts';
import { withoutHidden } from './field-problems.ts';
import { briefStatuses, maxNoteLength, questionKinds, stepStates } from './plans.ts';
import { orderFile } from './conversations.calls.ts';
import { order } from './orders.calls.ts';
import { day, id, moment, optionalText } from './schemas.ts';

/** A question with its answer. The answer is empty at first. */
const briefQuestion = z.strictObject({
  _id: id,
  question: z.string(),
  help: z.string(),
  kind: z.enum(questionKinds),
  /** For the kind `choice`; empty for other kinds. */
  choices: z.array(z.string()),
  isRequired: z.boolean(),
  answer: z.string(),
});

const brief = z.strictObject({
  status: z.enum(briefStatuses),
  sentAt: moment.nullable(),
  /** Whether the caller may answer it now. */
  isEditable: z.boolean(),
  /**
   * The questions of the order's package. A sent brief has the questions that it answered, as they were worded then. A
   * reopened brief has both.
   */
  questions: z.array(briefQuestion),
  /**
   * The caller's answers to the same questions for their newest other order, by the ids of the questions. Null if they
   * answered none of them, or cannot answer this brief.
   */
  earlier: z.strictObject({ number: z.int(), answers: z.record(id, z.string()) }).nullable(),
});
export type Brief = Output<typeof brief>;
export type BriefQuestion = Brief['questions'][number];

/** An answer. Its length is checked separately, so that an overlong answer does not keep others from being saved. */
const answer = z.string({ error: 'An answer must be text.' }).overwrite(withoutHidden);

const briefChange = z.strictObject({
  /**
   * By the ids of the questions. An absent answer is unchanged. After a 422, the answers that the error does not name
   * are saved.
   */
  answers: z.record(id, answer).optional(),
  /** `sent`: the customer sends the brief. `open`: staff reopen it. */
  status: z.enum(briefStatuses, { error: 'Send status open or sent, or leave it out.' }).optional(),
});

export type BriefChange = Output<typeof briefChange>;

export const planStep = z.strictObject({
  _id: id,
  title: z.string(),
  details: z.string(),
  /** In the site's time zone. */
  dueDay: day,
  /** The original due day if the step was moved; otherwise null. */
  plannedDay: day.nullable(),
  wantsApproval: z.boolean(),
  state: z.enum(stepStates),
  /** Our note to the customer. */
  note: z.string(),
  /** What the customer wants changed. */
  request: z.string(),
  /** Our files for the customer. The conversation shows them too. */
  files: z.array(orderFile),
  /** The day we marked it as done; null while it is open. */
  doneDay: day.nullable(),
  /**
   * The exact time of `doneDay`. The customer's answer sends it back to identify the version that the answer is about.
   */
  doneAt: moment.nullable(),
  /**
   * When the customer's answer is due, at least a few days after we asked; null unless the step waits for an answer.
   */
  answerDay: day.nullable(),
  /**
   * Whether the step was due before today and is not done. If it waits for an answer, whether the answer is overdue.
   * False once the order is delivered, cancelled or refunded.
   */
  isOverdue: z.boolean(),
  /** Whether the order was delivered before it was paid. Its steps are then never marked as done. */
  isUntracked: z.boolean(),
});
export type PlanStep = Output<typeof planStep>;

const orderWork = z.strictObject({
  orderId: id,
  /** `none`: the package has no questions. */
  brief: z.enum(['none', ...briefStatuses]),
  /** Whether we reopened a sent brief; for a delivered order, whether that was after the delivery. */
  isBriefReopened: z.boolean(),
  /** The refund of the whole order that is pending or failed; null if there is none. */
  refund: z.enum(['refundStarted', 'refundFailed']).nullable(),
  /** Whether the order's email is verified. Emails to unverified addresses contain no text that a person typed. */
  isEmailVerified: z.boolean(),
  /** The id of the customer; null if their data was deleted. */
  customerId: id.nullable(),
  /** The steps of the plan, in order; empty before the order is paid. */
  steps: z.array(planStep),
  /** The assignee, by the name and phone in their profile; null if there is none, or the name is empty. */
  personInCharge: z.strictObject({ name: z.string(), phone: z.string() }).nullable(),
});
export type OrderWork = Output<typeof orderWork>;

const ownWork = z.strictObject({ order, work: orderWork });
export type OwnWork = Output<typeof ownWork>;

/** Ids of files that the caller has uploaded. */
const files = z.array(id).max(maxMessageFiles, `At most ${maxMessageFiles} files.`).default([]);

const stepChange = z.strictObject({
  state: z.enum(['open', 'done'], { error: 'Send state open or done.' }),
  /**
   * To reopen it: the step that the caller saw, so that they do not undo a newer version or an approval that they have
   * not seen.
   */
  seen: z.strictObject({ state: z.enum(stepStates), doneAt: moment }).optional(),
  /**
   * To mark it as done: the customer's request that the caller saw, so that they do not miss a newer one; empty if none
   * was shown.
   */
  seenRequest: optionalText(maxNoteLength).default(''),
  note: optionalText(maxNoteLength).default(''),
  files,
});
export type StepChange = Output<typeof stepChange>;

const stepAnswer = z.strictObject({
  isApproved: z.boolean({ error: 'Send isApproved true or false.' }),
  /** What to change; empty with an approval. */
  request: optionalText(maxNoteLength).default(''),
  files,
  /** The `doneAt` of the step that the caller saw. */
  doneAt: moment,
});
export type StepAnswer = Output<typeof stepAnswer>;

export const planCalls = {
  'GET /order/:id/brief': {
    about: "Returns the brief of an order: the questions with the customer's answers.",
    who: 'account',
    answer: brief,
  },
  'PUT /order/:id/brief': {
    about:
      'Saves answers as the customer types them, and sends the brief if all required questions are answered. Staff can reopen a sent brief.',
    who: 'account',
    body: briefChange,
    // After a lost connection, the browser sends all answers in one call.
    maxBodyBytes: 512 * 1024,
    answer: brief,
    problems: [403, 404, 409, 422],
  },
  'GET /order/:id/work': {
    about: 'Returns the progress of an order: the status of the brief, and the steps of the plan.',
    who: 'account',
    answer: orderWork,
  },
  'GET /own-work': {
    about:
      "Lists the caller's own orders with their progress: at most 20 orders of any age that wait for the caller, and the newest orders.",
    who: 'account',
    answer: z.array(ownWork),
  },
  'PUT /order-step/:id': {
    about:
      'Checks off a step of a plan, with a note and files for the customer, or reopens it. Returns 409 if the step has changed, or the customer has asked for a change, since the caller saw it.',
    who: 'orders',
    body: stepChange,
    answer: planStep,
    problems: [409, 422],
  },
  'PUT /order-step/:id/due-day': {
    about:
      'Moves the due day of a step, to a day from today up to two years from now. The customer sees both days and gets an email.',
    who: 'orders',
    body: z.strictObject({ dueDay: day }),
    answer: planStep,
    problems: [409, 422],
  },
  'PUT /order-step/:id/answer': {
    about:
      'Approves a step that waits for approval, or sends it back with a request for changes. Returns 409 if the step was done again since the caller saw it.',
    who: 'account',
    body: stepAnswer,
    answer: planStep,
    problems: [409, 422],
  },
} as const satisfies CallTable;
