/**
 * The brief: questions that a customer answers before the work starts. Each answer is saved separately as it is typed,
 * so a person with two windows loses nothing. Sending the brief saves the questions as they were at that moment.
 */
import { and, desc, eq, isNull, ne, not, sql } from 'drizzle-orm';
import { assertAccount } from '../accounts/owner.ts';
import { assert } from '../db/assert.ts';
import type { Account } from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import { answerProblem, briefProblems } from '#contract/plans.ts';
import type { Brief, BriefChange } from '#contract/plans.calls.ts';
import { isEnded } from '#contract/orders.ts';
import { readTogether, writeBatch, type Database, type Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import type { Caller } from '../http/app.ts';
import { momentOf } from '../http/clock.ts';
import { conflict, invalid, notAllowed } from '../http/errors.ts';
import { queueMail } from '../mail/outbox.ts';
import { actorFor, changeOrder, retryOnConflict } from '../orders/changes.ts';
import { notifyCustomer } from '../orders/notify.ts';
import { orderQuery, visibleTo } from '../orders/read.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import { briefReopenedMail, briefSentMail } from './plan-mails.ts';
import { isDelivered } from './copy-plan.ts';
import { hasQuestions, questionsQuery, toAskedQuestion } from './questions.ts';
import { orderBriefs, type AskedQuestion, type BriefRecord } from './plan-schema.ts';
import { insertIf } from '../db/insert-if.ts';

interface Found {
  readonly order: OrderRecord;
  readonly stored: BriefRecord | undefined;
  /** The stored answers as the database's JSON text; empty if there are none. */
  readonly storedText: string;
  /**
   * The questions to answer. Normally the current ones in the content. A sent brief has those that it was sent with,
   * and a reopened brief has both.
   */
  readonly asked: readonly AskedQuestion[];
  /** The caller's newest other order with answers. */
  readonly other: { readonly number: number; readonly answers: Answers } | undefined;
}

type Answers = Readonly<Record<string, string>>;

const isSent = (stored: BriefRecord | undefined): boolean => typeof stored?.sentAt === 'number';

/** The questions of a brief. Questions that were sent remain, even if the content no longer asks them. */
function askedOf(stored: BriefRecord | undefined, now: readonly AskedQuestion[]): readonly AskedQuestion[] {
  const before = stored?.asked ?? [];
  if (isSent(stored)) return before;
  const gone = before.filter(({ _id }) => now.every((question) => question._id !== _id));
  return [...now, ...gone.map((question) => ({ ...question, isRequired: false }))];
}

/** @throws ApiError 404 the caller may not see the whole order */
async function findBrief({ db, account }: Pick<Caller, 'db' | 'account'>, orderId: string): Promise<Found> {
  const packageName = sql`(${db.select({ name: orders.packageName }).from(orders).where(eq(orders._id, orderId))})`;
  const [[order], [row], questions, [other]] = await readTogether(db, [
    orderQuery(db, orderId),
    db
      .select({ stored: orderBriefs, text: sql<string>`${orderBriefs.answers}` })
      .from(orderBriefs)
      .where(eq(orderBriefs.orderId, orderId)),
    questionsQuery(db, packageName),
    db
      .select({ number: orders.number, answers: orderBriefs.answers })
      .from(orderBriefs)
      .innerJoin(orders, eq(orders._id, orderBriefs.orderId))
      .where(
        and(
          eq(orderBriefs.accountId, account.id),
          ne(orderBriefs.orderId, orderId),
          ne(sql`${orderBriefs.answers}`, '{}'),
        ),
      )
      .orderBy(desc(orders.number))
      .limit(1),
  ]);
  return {
    order: visibleTo(account, order),
    stored: row?.stored,
    storedText: row?.text ?? '',
    asked: askedOf(row?.stored, questions.map(toAskedQuestion)),
    other,
  };
}

const isOwner = (account: Account, order: OrderRecord) => account.id === order.accountId;

/** The questions with their answers. An answer is empty until the customer gives it. */
const withAnswers = (asked: readonly AskedQuestion[], answers: Answers = {}): Brief['questions'] =>
  asked.map((question) => ({ ...question, answer: answers[question._id] ?? '' }));

/** The other order's answers to the questions of this order; null if there are none. */
function earlierOf({ asked, other }: Found): Brief['earlier'] {
  const answers = asked.flatMap(({ _id }) =>
    other?.answers[_id] ? [[_id, other.answers[_id]] as const] : [],
  );
  return other && answers.length > 0 ? { number: other.number, answers: Object.fromEntries(answers) } : null;
}

const isEditable = (account: Account, { order, stored }: Found): boolean =>
  isOwner(account, order) && !isSent(stored) && !isEnded(order);

const shown = (account: Account, found: Found): Brief => ({
  status: isSent(found.stored) ? 'sent' : 'open',
  sentAt: momentOf(found.stored?.sentAt),
  isEditable: isEditable(account, found),
  questions: withAnswers(found.asked, found.stored?.answers),
  earlier: isEditable(account, found) ? earlierOf(found) : null,
});

/** The brief of an order, for its owner and for staff. @throws ApiError 404 */
export async function readBrief(db: Database, orderId: string, account: Account): Promise<Brief> {
  return shown(account, await findBrief({ db, account }, orderId));
}

/** @throws ApiError 403, 409 the caller cannot write to the brief now */
function refuseUnlessOpen(account: Account, { order, stored }: Found): void {
  if (!isOwner(account, order))
    throw notAllowed(
      'The customer answers the brief. You can read the answers, and reopen the questions after the customer sends them.',
    );
  if (isEnded(order))
    throw conflict(
      `This order was ${order.paymentStatus.toLowerCase()}, so there is nothing left to answer for it.`,
    );
  if (isSent(stored))
    throw conflict('Your answers are sent. If something has changed, ask us to reopen the questions.');
}

/** Separates answers that can be stored from problems with the others. */
function splitAnswers(asked: readonly AskedQuestion[], answers: Answers) {
  const known = new Set(asked.map(({ _id }) => _id));
  const kept: Record<string, string> = {};
  const problems: Record<string, string> = {};
  for (const [id, answer] of Object.entries(answers)) {
    const problem = known.has(id)
      ? answerProblem(answer)
      : 'We no longer ask this question. You do not need to answer it.';
    if (problem === undefined) kept[id] = answer;
    else problems[id] = problem;
  }
  return { kept, problems };
}

/**
 * Stores answers, each independently.
 * @returns false if the brief was sent in the meantime; nothing is stored then
 */
async function saveAnswers(
  db: Database,
  orderId: string,
  accountId: string,
  answers: Answers,
): Promise<boolean> {
  const [, stored] = await writeBatch(db, [
    assertAccount(db, accountId),
    db
      .insert(orderBriefs)
      .values({ orderId, accountId, answers })
      .onConflictDoUpdate({
        target: orderBriefs.orderId,
        set: {
          accountId,
          answers: sql`json_patch(${orderBriefs.answers}, ${JSON.stringify(answers)})`,
        },
        setWhere: isNull(orderBriefs.sentAt),
      }),
  ]);
  return stored === 1;
}

/** @returns undefined if another change of the order or its answers came first */
function send(
  { db, env, account }: Caller,
  found: Found,
  answers: Answers,
): Promise<OrderRecord | undefined> {
  const { order, asked, stored, storedText } = found;
  const all = { ...stored?.answers, ...answers };
  const problems = briefProblems(withAnswers(asked, all));
  if (Object.keys(problems).length > 0) throw invalid(problems);
  if (asked.length === 0) throw conflict('This order has no questions, so there is nothing to send.');
  const sent = { accountId: account.id, answers: all, asked, sentAt: Date.now() };
  const statements = [
    assertAccount(db, account.id),
    // Another window may have stored answers in the meantime. They must not be overwritten, or sent unchecked.
    assert(
      db,
      not(
        hasRow(
          orderBriefs,
          sql`${orderBriefs.orderId} = ${order._id} AND ${orderBriefs.answers} <> ${storedText}`,
        ),
      ),
    ),
    db
      .insert(orderBriefs)
      .values({ orderId: order._id, ...sent })
      .onConflictDoUpdate({ target: orderBriefs.orderId, set: sent }),
    queueMail(db, env, {
      to: env.NOTIFY_EMAIL,
      about: order._id,
      kind: 'brief-sent',
      content: briefSentMail(env.SITE_URL, order),
    }),
  ];
  const change = { kind: 'briefSent', by: actorFor(account, order), set: {} } as const;
  return changeOrder(db, order, change, statements);
}

/** @returns undefined if another change of the order came first */
function reopen({ db, env, account }: Caller, { order }: Found): Promise<OrderRecord | undefined> {
  if (isEnded(order))
    throw conflict(`This order was ${order.paymentStatus.toLowerCase()}, so its questions stay closed.`);
  const by = { ...actorFor(account, order), role: 'administrator' } as const;
  return changeOrder(db, order, { kind: 'briefReopened', by, set: {} }, [
    db
      .update(orderBriefs)
      .set({ sentAt: null, awaitedSince: Date.now(), remindedAt: null })
      .where(eq(orderBriefs.orderId, order._id)),
    ...notifyCustomer({ db, env }, order, 'brief-reopened', briefReopenedMail),
  ]);
}

/**
 * Stores answers, sends the brief, or reopens a sent one.
 * @returns the updated brief
 * @throws ApiError 403 the caller may not do this, 404, 409 it was sent, or its order was cancelled or refunded, 422 an
 *   answer is missing or invalid on sending, too long, or answers a question that is not asked. In the last two cases,
 *   the other answers are stored.
 */
export async function changeBrief(
  caller: Caller,
  orderId: string,
  { answers = {}, status }: BriefChange,
): Promise<Brief> {
  const { db, account } = caller;
  await retryOnConflict(async () => {
    const found = await findBrief(caller, orderId);
    if (status === 'open') {
      if (!may(account, 'orders')) throw notAllowed('Only we can reopen the questions. Please write to us.');
      return isSent(found.stored) ? reopen(caller, found) : true;
    }
    if (status === 'sent' && isSent(found.stored) && Object.keys(answers).length === 0) return true;
    refuseUnlessOpen(account, found);
    const { kept, problems } = splitAnswers(found.asked, answers);
    const isWrong = Object.keys(problems).length > 0;
    if (status === 'sent' && !isWrong) return send(caller, found, kept);
    if (Object.keys(kept).length > 0 && !(await saveAnswers(db, orderId, account.id, kept))) return undefined;
    if (isWrong) throw invalid(problems);
    return true;
  });
  return readBrief(db, orderId, account);
}

/**
 * The statement that copies the brief of a subscription's month to the next month: the same answers, and sent if it was
 * sent before. Run it before `requestBrief`.
 */
export const copyBrief = (db: Database, fromOrderId: string, toOrderId: string): Statement =>
  db.insert(orderBriefs).select(
    db
      .select({
        orderId: sql<string>`${toOrderId}`.as('orderId'),
        accountId: orderBriefs.accountId,
        answers: orderBriefs.answers,
        asked: orderBriefs.asked,
        sentAt: orderBriefs.sentAt,
        awaitedSince: sql<number | null>`NULL`.as('awaitedSince'),
        remindedAt: sql<number | null>`NULL`.as('remindedAt'),
        isOver: sql<boolean>`0`.as('isOver'),
      })
      .from(orderBriefs)
      .where(eq(orderBriefs.orderId, fromOrderId)),
  );

/**
 * The statement that makes a newly paid order wait for its brief, if its package has questions.
 * @param now time in ms
 */
export const requestBrief = (
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
      isOver: isDelivered(_id),
    },
    hasQuestions(packageName),
  ).onConflictDoUpdate({
    target: orderBriefs.orderId,
    // `remindedAt` is kept, so a customer gets no second reminder if a payment is withdrawn and recorded again.
    set: { awaitedSince: now },
    setWhere: isNull(orderBriefs.sentAt),
  });
