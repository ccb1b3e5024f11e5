/** The customer's answer to a step that waits for approval. */
import { and, inArray } from 'drizzle-orm';
import type { PlanStep, StepAnswer } from '#contract/plans.calls.ts';
import { isUnsentOf } from './post-message.ts';
import { sideOf } from './read-conversation.ts';
import { orderFiles } from './conversation-schema.ts';
import { dayOf, type Env } from '../env.ts';
import type { Caller } from '../http/app.ts';
import { conflict, invalid } from '../http/errors.ts';
import { queueMail } from '../mail/outbox.ts';
import { retryOnConflict } from '../orders/changes.ts';
import type { OrderRecord } from '../orders/schema.ts';
import { answerDayFrom } from './due-day.ts';
import { changeWantedMail, stepApprovedMail } from './plan-mails.ts';
import type { StepRecord } from './plan-schema.ts';
import { findStep, postFiles, readStep, writeStep } from './plan-step.ts';

/** @throws ApiError 409 some files were not sent with the request that we have */
async function refuseUnsentFiles(
  { db, account }: Caller,
  { _id }: OrderRecord,
  files: readonly string[],
): Promise<true> {
  const unsent = and(inArray(orderFiles._id, [...files]), isUnsentOf(_id, account.id));
  if ((await db.$count(orderFiles, unsent)) === 0) return true;
  throw conflict('We have your request, but not all of these files. Please send them as a message.');
}

/** The values that a request for a change writes. */
function sentBack(env: Env, step: StepRecord, request: string) {
  const changeBy = answerDayFrom(env, dayOf(env, Date.now()));
  return {
    kind: 'stepSentBack',
    set: {
      state: 'open',
      request,
      requestedAt: Date.now(),
      doneAt: null,
      // We get the full time for the change, even if the customer answers late.
      ...(changeBy > step.dueDay && { dueDay: changeBy, plannedDay: step.plannedDay || step.dueDay }),
    },
    note: request,
  } as const;
}

const approved = { kind: 'stepApproved', set: { state: 'done' } } as const;

/**
 * Approves a step or sends it back with a request, and emails the business. Files of a request go into the
 * conversation, with the request as their message.
 * @throws ApiError 404, 409 the step does not wait for approval, was completed again since, was sent back without some
 *   of the files, or the order is not Paid or is delivered, 422 sent back without a request, or a file does not exist
 */
export async function answerStep(
  caller: Caller,
  id: string,
  { isApproved, request, files, doneAt }: StepAnswer,
): Promise<PlanStep> {
  const { db, env, account } = caller;
  if (!isApproved && request === '') throw invalid({ request: 'Please say what we should change.' });
  await retryOnConflict(async () => {
    const found = await findStep(caller, id);
    const { order, step } = found;
    // Apply a repeated request only once.
    if (!isApproved && step.state === 'open' && step.request === request)
      return refuseUnsentFiles(caller, order, files);
    if (step.doneAt !== null && step.doneAt !== Date.parse(doneAt))
      throw conflict(
        'There is a newer version of this step than the one you saw, so your answer was not recorded. Please look at it, then answer again.',
      );
    if (step.state === 'done' && isApproved) return true;
    if (step.state !== 'waiting') throw conflict('This step is not waiting for approval right now.');
    const side = sideOf(account, order);
    const posted = await postFiles(caller, found, side, request, isApproved ? [] : files);
    const answer = { title: step.title, ...(side === 'staff' && { recordedBy: account.email }) };
    const content = isApproved
      ? stepApprovedMail(env.SITE_URL, order, answer)
      : changeWantedMail(env.SITE_URL, order, { ...answer, request });
    return writeStep(caller, found, {
      ...(isApproved ? approved : sentBack(env, step, request)),
      others: [
        ...posted.statements,
        queueMail(db, env, { to: env.NOTIFY_EMAIL, about: order._id, kind: 'step-answered', content }),
      ],
    });
  });
  return readStep(caller, id);
}
