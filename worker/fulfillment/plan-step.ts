/**
 * A step of an order's plan (copy-plan.ts): how both sides see it, and how changes find and write it. We complete a
 * step. If it needs approval, the customer then approves it or asks for a change.
 */
import { eq } from 'drizzle-orm';
import { actorId } from '../accounts/owner.ts';
import type { Side } from '#contract/conversations.ts';
import type { PlanStep } from '#contract/plans.calls.ts';
import { checkFiles } from './messages.ts';
import { postStatements } from './post-message.ts';
import { fileOf } from './read-conversation.ts';
import { orderFiles, type FileRecord } from './conversation-schema.ts';
import { readTogether, type Statement } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import type { Caller } from '../http/app.ts';
import { conflict, notFound } from '../http/errors.ts';
import { actorFor, changeOrder, type OrderChange } from '../orders/changes.ts';
import { canSeeWholeOrder } from '../orders/read.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import { momentOf } from '../http/clock.ts';
import { answerDay } from './due-day.ts';
import { orderSteps, type StepRecord } from './plan-schema.ts';

/**
 * A step as both sides see it.
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
export async function readStep({ db, env }: Caller, id: string): Promise<PlanStep> {
  const orderOf = db.select({ id: orderSteps.orderId }).from(orderSteps).where(eq(orderSteps._id, id));
  const [[step], files] = await readTogether(db, [
    db.select().from(orderSteps).where(eq(orderSteps._id, id)),
    db.select().from(orderFiles).where(eq(orderFiles.orderId, orderOf)),
  ]);
  if (!step) throw notFound('We could not find this step.');
  return toPlanStep(env, step, files, dayOf(env, Date.now()));
}

export interface Found {
  readonly order: OrderRecord;
  readonly step: StepRecord;
}

/** @throws ApiError 404 the caller may not see the whole order */
export async function findAnyStep({ db, account }: Caller, id: string): Promise<Found> {
  const [found] = await db
    .select({ step: orderSteps, order: orders })
    .from(orderSteps)
    .innerJoin(orders, eq(orders._id, orderSteps.orderId))
    .where(eq(orderSteps._id, id));
  if (!found || !canSeeWholeOrder(account, found.order)) throw notFound('We could not find this step.');
  return found;
}

/** @throws ApiError 409 the order is not Paid, or is delivered */
export function refuseStopped({ paymentStatus, orderStatus }: OrderRecord): void {
  if (paymentStatus === 'Paid' && orderStatus === 'Delivered')
    throw conflict(
      'This order is delivered, so its plan has ended. If something is missing, say so in the messages of this order.',
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
export async function findStep(caller: Caller, id: string): Promise<Found> {
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
 * Writes a change to a step with its event.
 * @returns undefined if another change of the order came first
 */
export function writeStep(
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

/** The message that adds the files of a step to its order's conversation; none without files. */
export async function postFiles(
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
