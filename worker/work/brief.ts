/**
 * The brief: what an order's customer is asked before the work begins. Answers are kept as they are typed, each by
 * itself, so that two windows of one person lose nothing; sending it writes down the questions as they read then.
 */
import { eq, isNull, sql } from 'drizzle-orm';
import { ownerId } from '../accounts/owner.ts';
import type { Account } from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import { briefProblems, type Brief } from '#contract/work.ts';
import { isEnded } from '#contract/orders.ts';
import { readTogether, type Database, type Statement } from '../db/client.ts';
import type { Caller } from '../http/app.ts';
import { conflict, invalid, notAllowed } from '../http/errors.ts';
import { queueMail } from '../mail/outbox.ts';
import { actorFor, changeOrder, retryOnConflict } from '../orders/changes.ts';
import { tellCustomer } from '../orders/notify.ts';
import { orderQuery, visibleTo } from '../orders/read.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import { briefReopenedMail, briefSentMail } from './mails.ts';
import { asksAnything, questionsQuery, toAsked } from './questions.ts';
import { orderBriefs, type AskedQuestion, type BriefRecord } from './schema.ts';
import { insertIf } from '../db/insert-if.ts';

interface Found {
  readonly order: OrderRecord;
  readonly stored: BriefRecord | undefined;
  /** As the content asks them now; of a sent brief as they read when it was sent. */
  readonly asked: readonly AskedQuestion[];
}

/** @throws ApiError 404 when the caller may not see all of the order */
async function findBrief({ db, account }: Pick<Caller, 'db' | 'account'>, orderId: string): Promise<Found> {
  const packageName = sql`(${db.select({ name: orders.packageName }).from(orders).where(eq(orders._id, orderId))})`;
  const [[order], [stored], questions] = await readTogether(db, [
    orderQuery(db, orderId),
    db.select().from(orderBriefs).where(eq(orderBriefs.orderId, orderId)),
    questionsQuery(db, packageName),
  ]);
  return { order: visibleTo(account, order), stored, asked: stored?.asked ?? questions.map(toAsked) };
}

const isOwner = (account: Account, order: OrderRecord) => account.id === order.accountId;

const shown = (account: Account, { order, stored, asked }: Found): Brief => ({
  status: stored?.asked ? 'sent' : 'open',
  sentAt: typeof stored?.sentAt === 'number' ? new Date(stored.sentAt).toISOString() : null,
  isEditable: isOwner(account, order) && !stored?.asked && !isEnded(order),
  questions: asked.map((question) => ({
    ...question,
    choices: [...question.choices],
    answer: stored?.answers[question._id] ?? '',
  })),
});

/** The brief of an order, for its owner and for administrators. @throws ApiError 404 */
export async function readBrief(db: Database, orderId: string, account: Account): Promise<Brief> {
  return shown(account, await findBrief({ db, account }, orderId));
}

type Answers = Readonly<Record<string, string>>;

/** Refuses what the customer of an order cannot write to its brief just now. */
function refuseUnlessOpen(account: Account, { order, stored, asked }: Found, answers: Answers): void {
  if (!isOwner(account, order))
    throw notAllowed('The customer answers the brief. You can read it, and open it again once it is sent.');
  if (isEnded(order))
    throw conflict(
      `This order was ${order.paymentStatus.toLowerCase()}, so there is nothing left to answer for it.`,
    );
  if (stored?.asked)
    throw conflict('This brief is sent. If something in it has changed, ask us to open it again.');
  const known = new Set(asked.map(({ _id }) => _id));
  const foreign = Object.keys(answers).filter((question) => !known.has(question));
  if (foreign.length > 0)
    throw invalid(
      Object.fromEntries(
        foreign.map((question) => [question, 'This is not asked any more. Please load the page again.']),
      ),
    );
}

/** The statement that keeps answers, each by itself, unless the brief was sent meanwhile. */
const keepAnswers = (db: Database, orderId: string, accountId: string, answers: Answers) =>
  db
    .insert(orderBriefs)
    .values({ orderId, accountId: ownerId(accountId), answers })
    .onConflictDoUpdate({
      target: orderBriefs.orderId,
      set: {
        accountId: ownerId(accountId),
        answers: sql`json_patch(${orderBriefs.answers}, ${JSON.stringify(answers)})`,
      },
      setWhere: isNull(orderBriefs.sentAt),
    });

/** @returns undefined when another change of the order came first */
async function send({ db, env, account }: Caller, found: Found, answers: Answers): Promise<true | undefined> {
  const { order, asked, stored } = found;
  const all = { ...stored?.answers, ...answers };
  const problems = briefProblems(
    asked.map((question) => ({
      ...question,
      choices: [...question.choices],
      answer: all[question._id] ?? '',
    })),
  );
  if (Object.keys(problems).length > 0) throw invalid(problems);
  if (asked.length === 0) throw conflict('This order asks nothing, so there is nothing to send.');
  const sent = { accountId: ownerId(account.id), answers: all, asked, sentAt: Date.now() };
  const written = await changeOrder(db, order, { kind: 'briefSent', by: actorFor(account, order), set: {} }, [
    db
      .insert(orderBriefs)
      .values({ orderId: order._id, ...sent })
      .onConflictDoUpdate({ target: orderBriefs.orderId, set: sent }),
    queueMail(db, env, {
      to: env.NOTIFY_EMAIL,
      about: order._id,
      kind: 'brief-sent',
      ...briefSentMail(env.SITE_URL, order),
    }),
  ]);
  return written && true;
}

/** @returns undefined when another change of the order came first */
async function reopen({ db, env, account }: Caller, { order, stored }: Found): Promise<true | undefined> {
  if (!stored?.asked) return true;
  if (isEnded(order))
    throw conflict(`This order was ${order.paymentStatus.toLowerCase()}, so nothing is asked any more.`);
  const by = { ...actorFor(account, order), role: 'administrator' } as const;
  const written = await changeOrder(db, order, { kind: 'briefReopened', by, set: {} }, [
    db
      .update(orderBriefs)
      .set({ asked: null, sentAt: null, awaitedSince: Date.now(), remindedAt: null })
      .where(eq(orderBriefs.orderId, order._id)),
    ...tellCustomer({ db, env }, order, 'brief-reopened', briefReopenedMail),
  ]);
  return written && true;
}

/**
 * Keeps answers, sends the brief, or opens a sent one again.
 * @returns the brief as it is now
 * @throws ApiError 403 somebody else's to do, 404, 409 it is sent, or its order cancelled or refunded, 422 an answer that
 *   does not hold when it is sent, or to a question that is not asked
 */
export async function changeBrief(
  caller: Caller,
  orderId: string,
  {
    answers = {},
    status,
  }: { readonly answers?: Answers | undefined; readonly status?: Brief['status'] | undefined },
): Promise<Brief> {
  const { db, account } = caller;
  await retryOnConflict(async () => {
    const found = await findBrief(caller, orderId);
    if (status === 'open') {
      if (!may(account, 'orders')) throw notAllowed('Only we can open a brief again. Please write to us.');
      return reopen(caller, found);
    }
    if (status === 'sent' && found.stored?.asked && Object.keys(answers).length === 0) return true;
    refuseUnlessOpen(account, found, answers);
    if (status === 'sent') return send(caller, found, answers);
    const { rowsAffected } = await keepAnswers(db, orderId, account.id, answers);
    return rowsAffected > 0 || undefined;
  });
  return readBrief(db, orderId, account);
}

/**
 * The statement with which an order that has just been paid begins to wait for its brief, if its package asks anything.
 * @param now time in ms
 */
export const awaitBrief = (
  db: Database,
  { _id, packageName }: Pick<OrderRecord, '_id' | 'packageName'>,
  now: number,
): Statement =>
  insertIf(
    db,
    orderBriefs,
    {
      orderId: _id,
      accountId: '',
      answers: {},
      asked: null,
      sentAt: null,
      awaitedSince: now,
      remindedAt: null,
    },
    sql`${asksAnything(packageName)}`,
  ).onConflictDoUpdate({
    target: orderBriefs.orderId,
    set: { awaitedSince: now, remindedAt: null },
    setWhere: isNull(orderBriefs.sentAt),
  });
