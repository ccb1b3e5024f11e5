/** Completes a step of a plan, or reopens it. */
import { and, eq } from 'drizzle-orm';
import { isCustomerDeleted } from '#contract/orders.ts';
import type { PlanStep, StepChange } from '#contract/plans.calls.ts';
import { isSameDelivery } from './deliver.ts';
import { orderFiles } from './conversation-schema.ts';
import type { Caller } from '../http/app.ts';
import { conflict, invalid } from '../http/errors.ts';
import { retryOnConflict } from '../orders/changes.ts';
import { notifyCustomer } from '../orders/notify.ts';
import type { OrderRecord } from '../orders/schema.ts';
import { stepDoneMail } from './plan-mails.ts';
import type { StepRecord } from './plan-schema.ts';
import { findAnyStep, postFiles, readStep, refuseStopped, writeStep, type Found } from './plan-step.ts';

type StepResult = Pick<StepChange, 'note' | 'files'>;

/** @returns undefined if another change of the order came first */
async function completeStep(
  caller: Caller,
  found: Found,
  { note, files }: StepResult,
): Promise<OrderRecord | undefined> {
  const { db, env } = caller;
  const { order, step } = found;
  const { title } = step;
  const isDeleted = isCustomerDeleted(order);
  // The customer's account was deleted, so no one can approve the step.
  const asks = step.wantsApproval && !isDeleted;
  if (files.length > 0 && isDeleted)
    throw conflict("This customer's account was deleted, so nobody can receive files.");
  const posted = await postFiles(caller, found, 'staff', note, files);
  const mail = notifyCustomer(
    { db, env },
    order,
    asks ? 'approval-wanted' : 'step-done',
    (siteUrl, mailed, isTheirs) => stepDoneMail(siteUrl, mailed, { title, note: isTheirs ? note : '', asks }),
  );
  return writeStep(caller, found, {
    kind: 'stepDone',
    set: {
      state: asks ? 'waiting' : 'done',
      note,
      request: '',
      requestedAt: null,
      messageId: posted.id,
      doneAt: Date.now(),
    },
    note,
    others: [...posted.statements, ...mail],
  });
}

/**
 * @throws ApiError 409 the step was already completed with a different note or files, and the customer would not be
 *   notified of the new ones
 */
async function refuseOtherResult(
  { db }: Caller,
  step: StepRecord,
  { note, files }: StepResult,
): Promise<true> {
  const given =
    files.length > 0 && step.messageId !== ''
      ? await db
          .select()
          .from(orderFiles)
          .where(and(eq(orderFiles.orderId, step.orderId), eq(orderFiles.messageId, step.messageId)))
      : [];
  if (isSameDelivery({ note, files }, { note: step.note, files: given })) return true;
  throw conflict(
    'This step is already done or waiting for approval, with a different note or different files. The customer did not get your new note and files. Send them as a message, or reopen the step and send them again.',
  );
}

/** @throws ApiError 409 the step has changed since it was seen, 422 `seen` is missing */
function refuseUnseen({ state, doneAt }: StepRecord, seen: StepChange['seen']): void {
  if (!seen) throw invalid({ seen: 'Send the state of the step, and when it was done, as you saw them.' });
  if (seen.state === state && Date.parse(seen.doneAt) === doneAt) return;
  throw conflict(
    state === 'done' && seen.state === 'waiting'
      ? 'The customer has approved this step since you saw it, so it was not reopened. Look at it now, and reopen it if you still need to.'
      : 'This step has changed since you saw it, so it was not reopened. Please look at it now.',
  );
}

/**
 * @throws ApiError 409 the customer wants a change that the caller has not seen. Completing the step would drop that
 *   request.
 */
function refuseUnreadRequest({ request }: StepRecord, seenRequest: string): void {
  if (request === '' || request === seenRequest) return;
  throw conflict(
    'The customer has asked for a change since you saw this step, so your note was not sent. Please read what they want, then send it.',
  );
}

/**
 * Completes a step with a note and files, and emails the customer. Or reopens it, which undoes that.
 * @throws ApiError 404, 409 the order is not Paid or is delivered, or the step was completed with something else or has
 *   changed since it was seen, 422 a file does not exist
 */
export async function changeStep(
  caller: Caller,
  id: string,
  { state, seen, seenRequest, ...result }: StepChange,
): Promise<PlanStep> {
  await retryOnConflict(async () => {
    const found = await findAnyStep(caller, id);
    // A repeated request changes nothing, whatever has happened to the order since.
    if (state === 'done' && found.step.state !== 'open') return refuseOtherResult(caller, found.step, result);
    refuseStopped(found.order);
    if (state === 'open' && found.step.state === 'open') return true;
    if (state === 'done') {
      refuseUnreadRequest(found.step, seenRequest);
      return completeStep(caller, found, result);
    }
    refuseUnseen(found.step, seen);
    return writeStep(caller, found, { kind: 'stepReopened', set: { state, doneAt: null } });
  });
  return readStep(caller, id);
}
