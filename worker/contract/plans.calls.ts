/** The calls on the work after the sale: what an order's customer is asked, and the plan of the work. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { maxMessageFiles } from './conversations.ts';
import { withoutHidden } from './field-problems.ts';
import { briefStatuses, maxNoteLength, questionKinds, stepStates } from './plans.ts';
import { orderFile } from './conversations.calls.ts';
import { order } from './orders.calls.ts';
import { day, id, moment, optionalLine } from './schemas.ts';

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
  /** Those that the order's package asks; of a sent brief those that it answers, as they read then; of one that was opened again both. */
  questions: z.array(briefQuestion),
});
export type Brief = Output<typeof brief>;
export type BriefQuestion = Brief['questions'][number];

/** Its length is looked at by itself, so that one that is too long keeps no other from being saved. */
const answer = z.string({ error: 'An answer is a text.' }).overwrite(withoutHidden);

const briefChange = z.strictObject({
  /** By the questions' ids; one that is left out keeps its answer. Of an error 422 those that it does not name are kept. */
  answers: z.record(id, answer).optional(),
  /** `sent`: the customer has answered all. `open`: an administrator lets them go on. */
  status: z.enum(briefStatuses, { error: 'Send status open or sent, or leave it out.' }).optional(),
});

export const planStep = z.strictObject({
  _id: id,
  title: z.string(),
  details: z.string(),
  /** In the site's time zone. */
  dueDay: day,
  /** The day it was due at first, where it was moved; null where it was not. */
  plannedDay: day.nullable(),
  wantsApproval: z.boolean(),
  state: z.enum(stepStates),
  /** What we told the customer with it. */
  note: z.string(),
  /** What the customer wants changed. */
  request: z.string(),
  /** What we gave the customer with it; they stand in the conversation too. */
  files: z.array(orderFile),
  /** When we ticked it off; null while it is open. */
  doneDay: day.nullable(),
  /** The same to the millisecond: an answer names what it answers by it. */
  doneAt: moment.nullable(),
  /** By when its customer's answer is wanted, which is never less than a few days after we asked; null unless it waits for one. */
  answerDay: day.nullable(),
  /** Not done, and due before today; while it waits for an answer, that is. */
  isOverdue: z.boolean(),
  /** Its order was delivered before it was paid, so nobody ticks off the step. */
  isUntracked: z.boolean(),
});
export type PlanStep = Output<typeof planStep>;

export const orderWork = z.strictObject({
  orderId: id,
  /** `none`: its package asks nothing. */
  brief: z.enum(['none', ...briefStatuses]),
  /** Its brief was sent, and we opened it again; of a delivered order, after the delivery. */
  isBriefReopened: z.boolean(),
  /** Whether its customer has verified the order's email: mails to any other address contain nothing that was typed. */
  isEmailVerified: z.boolean(),
  /** Its customer among the customers; null where their data are deleted. */
  customerId: id.nullable(),
  /** Of its plan, in their order; none before it is paid. */
  steps: z.array(planStep),
});
export type OrderWork = Output<typeof orderWork>;

export const ownWork = z.strictObject({ order, work: orderWork });
export type OwnWork = Output<typeof ownWork>;

export const planCalls = {
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
  'GET /order/:id/work': {
    about:
      'How far the work on an order has got: whether its questions are answered, and the steps of its plan.',
    who: 'account',
    answer: orderWork,
  },
  'GET /own-work': {
    about:
      "The caller's own orders that wait for them, however old, at most 20, and their newest ones, with how far the work on each has got.",
    who: 'account',
    answer: z.array(ownWork),
  },
  'PUT /order-step/:id': {
    about:
      'Ticks a step of a plan off, with a note and files for its customer, or opens it again; 409 once it has changed, or its customer has asked for a change, since it was seen.',
    who: 'orders',
    body: z.strictObject({
      state: z.enum(['open', 'done'], { error: 'Send state open or done.' }),
      /** To open it again: as it was seen, so that no newer version and no approval is taken back unseen. */
      seen: z.strictObject({ state: z.enum(stepStates), doneAt: moment }).optional(),
      /** To tick it off: the change that its customer wants, as it was seen, so that no request is passed over unread. Empty where none was shown. */
      seenRequest: optionalLine(maxNoteLength).default(''),
      note: optionalLine(maxNoteLength).default(''),
      files: z.array(id).max(maxMessageFiles, `At most ${maxMessageFiles} files.`).default([]),
    }),
    answer: planStep,
    problems: [404, 409, 422],
  },
  'PUT /order-step/:id/due-day': {
    about:
      'Moves the day a step is due, from today to two years on; its customer sees both days, and is told by mail.',
    who: 'orders',
    body: z.strictObject({ dueDay: day }),
    answer: planStep,
    problems: [404, 409, 422],
  },
  'PUT /order-step/:id/answer': {
    about:
      'Approves a step that waits for it, or sends it back with what is to change; 409 once it was done again since it was looked at.',
    who: 'account',
    body: z.strictObject({
      isApproved: z.boolean({ error: 'Send isApproved true or false.' }),
      request: optionalLine(maxNoteLength).default(''),
      /** As the step said that was looked at. */
      doneAt: moment,
    }),
    answer: planStep,
    problems: [404, 409, 422],
  },
} as const satisfies CallTable;
