/**
 * The plan: the steps of the work on an order, copied from the content in the batch that makes it Paid, so that a change
 * of the template never changes an order that runs. We tick a step off; where it wants that, its customer approves it or
 * says what to change.
 */
import { and, asc, eq, ne, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { actorId } from '../accounts/owner.ts';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import type { PlanStep } from '#contract/work.ts';
import { contentTables } from '../db/content-tables.ts';
import { readTogether, type Database, type Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import { queueMail } from '../mail/outbox.ts';
import { actorFor, changeOrder, retryOnConflict, type OrderChange } from '../orders/changes.ts';
import { dayOf } from '../orders/dates.ts';
import { tellCustomer } from '../orders/notify.ts';
import { maySeeAll } from '../orders/read.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import { dueDay } from './due-day.ts';
import { changeWantedMail, stepApprovedMail, stepDoneMail } from './mails.ts';
import { isForPackage } from './questions.ts';
import { orderSteps, type StepRecord } from './schema.ts';

const template = contentTables.planStep;

interface Caller {
  readonly db: Database;
  readonly env: Env;
  readonly account: Account;
}

/**
 * The statements with which an order that has just been paid gets its plan. One that nobody has begun is made anew: the
 * order was set to Paid before, and that was taken back.
 * @param now time in ms
 */
export function copyPlan(
  db: Database,
  env: Env,
  { _id, packageName }: Pick<OrderRecord, '_id' | 'packageName'>,
  now: number,
): Statement[] {
  const begun = alias(orderSteps, 'begun');
  const isBegun = db
    .select({ _id: begun._id })
    .from(begun)
    .where(and(eq(begun.orderId, _id), ne(begun.state, 'open')));
  const days = sql`CAST(${template.dueDays} AS INTEGER)`;
  return [
    db.delete(orderSteps).where(and(eq(orderSteps.orderId, _id), notExists(isBegun))),
    db.insert(orderSteps).select(
      db
        .select({
          // A UUIDv7 as newId makes it, its last bits drawn for each row.
          _id: sql<string>`${newId(now).slice(0, 24)} || lower(hex(randomblob(6)))`.as('_id'),
          orderId: sql<string>`${_id}`.as('orderId'),
          position: sql<number>`row_number() OVER (ORDER BY ${template.position}, ${template._id})`.as(
            'position',
          ),
          title: template.title,
          details: template.details,
          dueDay: dueDay(dayOf(env, now), days, env.PLAN_DAYS === 'working').as('dueDay'),
          wantsApproval: sql<boolean>`${template.approval} = 'yes'`.as('wantsApproval'),
          state: sql<'open'>`'open'`.as('state'),
          note: sql<string>`''`.as('note'),
          request: sql<string>`''`.as('request'),
          doneAt: sql<null>`NULL`.as('doneAt'),
          doneBy: sql<string>`''`.as('doneBy'),
        })
        .from(template)
        .where(
          and(
            isForPackage(template.packages, packageName),
            sql`NOT EXISTS (SELECT 1 FROM ${orderSteps} WHERE ${orderSteps.orderId} = ${_id})`,
          ),
        ),
    ),
  ];
}

/** A step as both sides see it. @param today in the site's time zone */
export const shownStep = (env: Env, step: StepRecord, today: string): PlanStep => ({
  _id: step._id,
  title: step.title,
  details: step.details,
  dueDay: step.dueDay,
  wantsApproval: step.wantsApproval,
  state: step.state,
  note: step.note,
  request: step.request,
  doneDay: step.doneAt === null ? null : dayOf(env, step.doneAt),
  isOverdue: step.state !== 'done' && step.dueDay < today,
});

/** The query for the steps of an order, in their order. */
export const stepsQuery = (db: Database, orderId: string) =>
  db.select().from(orderSteps).where(eq(orderSteps.orderId, orderId)).orderBy(asc(orderSteps.position));

interface Found {
  readonly order: OrderRecord;
  readonly step: StepRecord;
}

/** @throws ApiError 404 when the caller may not see all of its order, 409 while that is not Paid */
async function findStep({ db, account }: Caller, id: string): Promise<Found> {
  const [[found]] = await readTogether(db, [
    db
      .select({ step: orderSteps, order: orders })
      .from(orderSteps)
      .innerJoin(orders, eq(orders._id, orderSteps.orderId))
      .where(eq(orderSteps._id, id)),
  ]);
  if (!found || !maySeeAll(account, found.order)) throw notFound('There is no such step.');
  const { paymentStatus } = found.order;
  if (paymentStatus !== 'Paid')
    throw conflict(
      paymentStatus === 'UnPaid'
        ? 'This order is not paid, so its plan waits.'
        : `This order was ${paymentStatus.toLowerCase()}, so its plan has stopped.`,
      { paymentStatus },
    );
  return found;
}

type StepChange = Partial<Pick<StepRecord, 'state' | 'note' | 'request' | 'doneAt'>>;

interface Written extends Pick<OrderChange, 'kind'> {
  readonly set: StepChange;
  /** What somebody said with it. */
  readonly note: string;
  readonly others: readonly Statement[];
}

/** Writes a step's change with its event. @returns undefined when another change of the order came first */
async function writeStep(
  { db, env, account }: Caller,
  { order, step }: Found,
  { kind, set, note, others }: Written,
): Promise<PlanStep | undefined> {
  const isOurs = kind === 'stepDone' || kind === 'stepReopened';
  const by = { ...actorFor(account, order), ...(isOurs && { role: 'administrator' as const }) };
  const today = dayOf(env, Date.now());
  const details = {
    step: step.title,
    ...(kind === 'stepDone' && { dueDay: step.dueDay, doneDay: today }),
    ...(note !== '' && { note }),
  };
  const written = await changeOrder(db, order, { kind, by, set: {}, details }, [
    db
      .update(orderSteps)
      .set({ ...set, ...(kind === 'stepDone' && { doneBy: actorId(account.id) }) })
      .where(eq(orderSteps._id, step._id)),
    ...others,
  ]);
  return written && shownStep(env, { ...step, ...set }, today);
}

/**
 * Ticks a step off, with a note to the customer, who is told by mail; or opens it again, which takes that back.
 * @throws ApiError 404, 409 its order is not Paid
 */
export function changeStep(
  caller: Caller,
  id: string,
  { state, note }: { readonly state: 'open' | 'done'; readonly note: string },
): Promise<PlanStep> {
  const { db, env } = caller;
  return retryOnConflict(async () => {
    const found = await findStep(caller, id);
    const { order, step } = found;
    const asks = step.wantsApproval;
    // What is there already is not done twice, however often it is sent.
    if ((state === 'open') === (step.state === 'open')) return shownStep(env, step, dayOf(env, Date.now()));
    if (state === 'open')
      return writeStep(caller, found, {
        kind: 'stepReopened',
        set: { state, doneAt: null },
        note: '',
        others: [],
      });
    return writeStep(caller, found, {
      kind: 'stepDone',
      set: { state: asks ? 'waiting' : 'done', note, request: '', doneAt: Date.now() },
      note,
      others: tellCustomer(
        { db, env },
        order,
        asks ? 'approval-wanted' : 'step-done',
        (siteUrl, told, isTheirs) =>
          stepDoneMail(siteUrl, told, { title: step.title, note: isTheirs ? note : '', asks }),
      ),
    });
  });
}

/**
 * Approves a step, or sends it back with what is to change; the business is told by mail.
 * @throws ApiError 404, 409 it does not wait for approval, or its order is not Paid, 422 sent back without a word
 */
export async function answerStep(
  caller: Caller,
  id: string,
  { isApproved, request }: { readonly isApproved: boolean; readonly request: string },
): Promise<PlanStep> {
  const { db, env } = caller;
  if (!isApproved && request === '') throw invalid({ request: 'Please say what we should change.' });
  return retryOnConflict(async () => {
    const found = await findStep(caller, id);
    const { order, step } = found;
    if (step.state === 'done' && isApproved) return shownStep(env, step, dayOf(env, Date.now()));
    if (step.state !== 'waiting') throw conflict('This step does not wait for approval just now.');
    const mail = isApproved
      ? stepApprovedMail(env.SITE_URL, order, step.title)
      : changeWantedMail(env.SITE_URL, order, { title: step.title, request });
    return writeStep(caller, found, {
      kind: isApproved ? 'stepApproved' : 'stepSentBack',
      set: isApproved ? { state: 'done' } : { state: 'open', request, doneAt: null },
      note: isApproved ? '' : request,
      others: [queueMail(db, env, { to: env.NOTIFY_EMAIL, kind: 'step-answered', ...mail })],
    });
  });
}
