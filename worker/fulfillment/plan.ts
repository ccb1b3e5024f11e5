/**
 * The plan: the steps of the work on an order (copy-plan.ts). We complete a step. If it needs approval, the customer then
 * approves it or asks for a change.
 */
import { and, asc, eq, exists, gte, inArray, ne, not, sql, type SQL } from 'drizzle-orm';
import { actorId } from '../accounts/owner.ts';
import { addDays } from '#contract/days.ts';
import type { Side } from '#contract/conversations.ts';
import { isCustomerDeleted } from '#contract/orders.ts';
import type { PlanStep, StepAnswer, StepChange } from '#contract/plans.calls.ts';
import { isSameDelivery } from './deliver.ts';
import { checkFiles } from './messages.ts';
import { isUnsentOf, postStatements } from './post-message.ts';
import { fileOf, sideOf } from './read-conversation.ts';
import { orderFiles, type FileRecord } from './conversation-schema.ts';
import { readTogether, type Database, type Statement } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import type { Caller } from '../http/app.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import { cancelUntriedMail, isUntried, queueMail } from '../mail/outbox.ts';
import { mails } from '../mail/schema.ts';
import { actorFor, changeOrder, retryOnConflict, type OrderChange } from '../orders/changes.ts';
import { planTopic, notifyCustomer } from '../orders/notify.ts';
import { canSeeWholeOrder } from '../orders/read.ts';
import { orderEvents, orders, type OrderRecord } from '../orders/schema.ts';
import { momentOf } from '../http/clock.ts';
import { answerDay, answerDayFrom } from './due-day.ts';
import { changeWantedMail, planMovedMail, stepApprovedMail, stepDoneMail } from './plan-mails.ts';
import { orderSteps, type StepRecord } from './plan-schema.ts';

/**
 * A step, as both sides see it.
 * @param files of its order
 * @param today YYYY-MM-DD in the site's time zone
 * @param isUntracked whether the order was delivered before it was paid
 */
export const toPlanStep = (
  env: Env,
  step: StepRecord,
  files: readonly FileRecord[],
  today: string,
  isUntracked = false,
): PlanStep => {
  const wanted =
    step.state === 'waiting' && step.doneAt !== null
      ? answerDay(env, { dueDay: step.dueDay, doneAt: step.doneAt })
      : null;
  return {
    _id: step._id,
    title: step.title,
    details: step.details,
    dueDay: step.dueDay,
    plannedDay: step.plannedDay === '' ? null : step.plannedDay,
    wantsApproval: step.wantsApproval,
    state: step.state,
    note: step.note,
    request: step.request,
    files: files.filter(({ messageId }) => step.messageId !== '' && messageId === step.messageId).map(fileOf),
    doneDay: step.doneAt === null ? null : dayOf(env, step.doneAt),
    doneAt: momentOf(step.doneAt),
    answerDay: wanted,
    isOverdue: step.state !== 'done' && !step.isOver && (wanted ?? step.dueDay) < today,
    isUntracked,
  };
};

/** @throws ApiError 404 the order is gone */
async function readStep({ db, env }: Caller, id: string): Promise<PlanStep> {
  const orderOf = db.select({ id: orderSteps.orderId }).from(orderSteps).where(eq(orderSteps._id, id));
  const [[step], files] = await readTogether(db, [
    db.select().from(orderSteps).where(eq(orderSteps._id, id)),
    db.select().from(orderFiles).where(eq(orderFiles.orderId, orderOf)),
  ]);
  if (!step) throw notFound('We could not find this step.');
  return toPlanStep(env, step, files, dayOf(env, Date.now()));
}

interface Found {
  readonly order: OrderRecord;
  readonly step: StepRecord;
}

/** @throws ApiError 404 the caller may not see the whole order */
async function findAnyStep({ db, account }: Caller, id: string): Promise<Found> {
  const [found] = await db
    .select({ step: orderSteps, order: orders })
    .from(orderSteps)
    .innerJoin(orders, eq(orders._id, orderSteps.orderId))
    .where(eq(orderSteps._id, id));
  if (!found || !canSeeWholeOrder(account, found.order)) throw notFound('We could not find this step.');
  return found;
}

/** @throws ApiError 409 the order is not Paid, or is delivered */
function refuseStopped({ paymentStatus, orderStatus }: OrderRecord): void {
  if (paymentStatus === 'Paid' && orderStatus === 'Delivered')
    throw conflict(
      'This order is delivered, so its plan has ended. If something is missing, say so in its messages.',
      {
        orderStatus,
      },
    );
  if (paymentStatus !== 'Paid')
    throw conflict(
      paymentStatus === 'UnPaid'
        ? 'The plan starts when this order is paid.'
        : `This order was ${paymentStatus.toLowerCase()}, so its plan has stopped.`,
      { paymentStatus },
    );
}

/** @throws ApiError 404 the caller may not see the whole order, 409 the order is not Paid, or is delivered */
async function findStep(caller: Caller, id: string): Promise<Found> {
  const found = await findAnyStep(caller, id);
  refuseStopped(found.order);
  return found;
}

interface Written extends Pick<OrderChange, 'kind'> {
  readonly set: Partial<StepRecord>;
  readonly note?: string;
  readonly others?: readonly Statement[];
}

/**
 * Writes a step's change with its event.
 * @returns undefined if another change of the order came first
 */
function writeStep(
  { db, env, account }: Caller,
  { order, step }: Found,
  { kind, set, note = '', others = [] }: Written,
): Promise<OrderRecord | undefined> {
  const isOurs = ['stepDone', 'stepReopened', 'stepMoved'].includes(kind);
  const by = { ...actorFor(account, order), ...(isOurs && { role: 'administrator' as const }) };
  const details = {
    step: step.title,
    ...(kind === 'stepDone' && {
      dueDay: step.dueDay,
      doneDay: dayOf(env, Date.now()),
      ...(step.plannedDay !== '' && { plannedDay: step.plannedDay }),
    }),
    ...(set.dueDay !== undefined && { stepId: step._id, dueDay: set.dueDay, movedFrom: step.dueDay }),
    ...(note !== '' && { note }),
  };
  const statements = [
    db
      .update(orderSteps)
      .set({ ...set, ...(kind === 'stepDone' && { doneBy: actorId(account.id) }) })
      .where(eq(orderSteps._id, step._id)),
    ...others,
  ];
  return changeOrder(db, order, { kind, by, set: {}, details }, statements);
}

/** The message that adds the files of a step to its order's conversation, like all files; none without files. */
async function postFiles(
  { db, account }: Caller,
  { order, step }: Found,
  side: Side,
  note: string,
  files: readonly string[],
): Promise<ReturnType<typeof postStatements>> {
  if (files.length === 0) return { id: '', statements: [] };
  await checkFiles(db, order._id, account.id, files);
  const text = note === '' ? step.title : `${step.title}\n\n${note}`;
  return postStatements(db, { order, side, accountId: account.id, kind: 'message', text, files });
}

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
  // The customer's account was deleted, so no one could approve it.
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

/** @throws ApiError 409 the customer wants a change that the caller has not seen. Completing the step would drop it. */
function refuseUnreadRequest({ request }: StepRecord, seenRequest: string): void {
  if (request === '' || request === seenRequest) return;
  throw conflict(
    'The customer has asked for a change since you saw this step, so your note was not sent. Please read what they want, then send it.',
  );
}

/**
 * Completes a step with a note and files, and emails the customer; or reopens it, which undoes that.
 * @throws ApiError 404, 409 the order is not Paid or is delivered, or the step was completed with something else
 *   or has changed since it was seen, 422 a file does not exist
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

/** How long the email about moved steps waits for more moves, in ms. */
const movingMs = 3 * 60_000;
/** How far ahead a step may be due, in days. */
const maxDaysAhead = 2 * 365;

/**
 * Whether the waiting email about moved steps is still needed: whether any step is due on a different day than
 * before the first of these moves. That move's batch queues the email just before it writes the event.
 */
function hasNewDates(db: Database, orderId: string): SQL {
  const queuedAt = db
    .select({ at: mails.createdAt })
    .from(mails)
    .where(isUntried(planTopic(orderId)));
  const dayBefore = db
    .select({ day: sql`${orderEvents.after} ->> 'movedFrom'` })
    .from(orderEvents)
    .where(
      and(
        eq(orderEvents.orderId, orderId),
        eq(orderEvents.kind, 'stepMoved'),
        sql`${orderEvents.after} ->> 'stepId' = ${orderSteps._id}`,
        gte(orderEvents.at, sql`${queuedAt}`),
      ),
    )
    .orderBy(asc(orderEvents.version))
    .limit(1);
  return exists(
    db
      .select({ _id: orderSteps._id })
      .from(orderSteps)
      .where(and(eq(orderSteps.orderId, orderId), ne(orderSteps.dueDay, sql`${dayBefore}`))),
  );
}

/**
 * Moves a step's due day. The original day is stored and shown to the customer.
 * @param to YYYY-MM-DD in the site's time zone
 * @throws ApiError 404, 409 the step is done, or the order is not Paid or is delivered, 422 the day is in the past
 *   or too far away
 */
export async function moveStep(caller: Caller, id: string, to: string): Promise<PlanStep> {
  const { db, env } = caller;
  const today = dayOf(env, Date.now());
  if (to < today || to > addDays(today, maxDaysAhead))
    throw invalid({ dueDay: 'Choose a date from today to two years from now.' });
  await retryOnConflict(async () => {
    const found = await findStep(caller, id);
    const { order, step } = found;
    if (step.dueDay === to) return true;
    if (step.state === 'done') throw conflict('This step is done. Reopen it to change its due date.');
    const planned = step.plannedDay || step.dueDay;
    const topic = planTopic(order._id);
    return writeStep(caller, found, {
      kind: 'stepMoved',
      set: { dueDay: to, plannedDay: planned === to ? '' : planned },
      others: [
        ...notifyCustomer({ db, env }, order, 'plan-moved', planMovedMail, { topic, delayMs: movingMs }),
        cancelUntriedMail(db, topic, not(hasNewDates(db, order._id))),
      ],
    });
  });
  return readStep(caller, id);
}

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

/**
 * Approves a step or sends it back with a request, and emails the business. Files of a request go into the conversation,
 * with the request as their message.
 * @throws ApiError 404, 409 the step does not wait for approval, was completed again since, was sent back without
 *   some of the files, or the order is not Paid or is delivered, 422 sent back without a request, or a file does not
 *   exist
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
    const changeBy = answerDayFrom(env, dayOf(env, Date.now()));
    const content = isApproved
      ? stepApprovedMail(env.SITE_URL, order, answer)
      : changeWantedMail(env.SITE_URL, order, { ...answer, request });
    return writeStep(caller, found, {
      kind: isApproved ? 'stepApproved' : 'stepSentBack',
      set: isApproved
        ? { state: 'done' }
        : {
            state: 'open',
            request,
            requestedAt: Date.now(),
            doneAt: null,
            // We get the full time for the change, even if the customer answers late.
            ...(changeBy > step.dueDay && { dueDay: changeBy, plannedDay: step.plannedDay || step.dueDay }),
          },
      note: isApproved ? '' : request,
      others: [
        ...posted.statements,
        queueMail(db, env, { to: env.NOTIFY_EMAIL, about: order._id, kind: 'step-answered', content }),
      ],
    });
  });
  return readStep(caller, id);
}
