/** What needs a person: releases that could not be published at their time, payments that went back or are in dispute, refunds that did not go through, payments whose end we cannot learn, mails that do not go out, briefs that do not come. */
import { counted } from '#contract/counted.ts';
import { and, desc, eq, gte, isNotNull, isNull, lt, not, or } from 'drizzle-orm';
import { displayPrice } from '#contract/money.ts';
import { maxPageSize } from '#contract/paging.ts';
import type { AttentionItem } from '#contract/payments.ts';
import { releases } from '../content/schema.ts';
import { readTogether, writeBatch, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { notFound } from '../http/errors.ts';
import { explainFailure } from '../mail/mail-error.ts';
import { mails } from '../mail/schema.ts';
import { overdueStep, overdueStepsQuery } from '../work/overdue-steps.ts';
import { missingBrief, missingBriefsQuery } from '../work/awaited-briefs.ts';
import { failedRefund, failedRefundsQuery, hasFailingRefund, markRefundSeen } from './failed-refunds.ts';
import { disputeToAnswer, openDisputesQuery } from './open-disputes.ts';
import { paymentIntents, payments, type PaymentRecord } from './schema.ts';

const refusals: Readonly<Record<NonNullable<PaymentRecord['refusal']>, string>> = {
  cancelled: 'arrived for an order that was cancelled',
  paidAlready: 'arrived for an order that was paid already',
  refunded: 'arrived for an order that was refunded',
  amountDiffers: "differed from its order's price",
};

const refundText = ({ amountCents, refusal, outcome }: PaymentRecord): string =>
  `A card payment of ${displayPrice(amountCents)} ${refusal === null ? 'arrived' : refusals[refusal]}. ${
    outcome === 'refunded'
      ? 'It was returned in full; the customer was told by email.'
      : 'Stripe has not returned it yet; we keep trying. If this stays, refund it in the Stripe dashboard.'
  }`;

/** The query for payments that no order could take; one whose refund fails is told of by its refund. */
const refusedQuery = (db: Database) =>
  db
    .select()
    .from(payments)
    .where(
      and(
        isNotNull(payments.refusal),
        isNull(payments.seenAt),
        or(eq(payments.outcome, 'refunded'), not(hasFailingRefund(db))),
      ),
    )
    .orderBy(desc(payments.at))
    .limit(maxPageSize);

/** A release may wait for so long after its time before somebody is told, in ms. */
const lateMs = 15 * 60_000;

/** The query for releases that were not published at their time. */
const unpublishedQuery = (db: Database, now: number) =>
  db
    .select()
    .from(releases)
    .where(
      and(
        isNull(releases.publishedAt),
        or(isNotNull(releases.failure), lt(releases.publishAt, now - lateMs)),
      ),
    )
    .orderBy(desc(releases.publishAt))
    .limit(maxPageSize);

const unpublishedRelease = ({ _id, title, failure, publishAt }: typeof releases.$inferSelect) => ({
  _id,
  kind: 'release' as const,
  text: `The release '${title}' could not be published at its time. ${failure ?? 'We keep trying.'} All of its changes are kept.`,
  time: publishAt ?? 0,
  at: '',
});

/** Failed tries from which a mail is shown here. */
const worryingTries = 3;

/** The queries for what needs a person, at most 100 of each kind, of work that waits the longest waiting; each row is a line of the list. @param now time in ms */
export const attentionQueries = (db: Database, env: Env, now: number) =>
  [
    failedRefundsQuery(db),
    refusedQuery(db),
    db
      .select()
      .from(paymentIntents)
      .where(and(isNotNull(paymentIntents.problem), isNull(paymentIntents.seenAt)))
      .orderBy(desc(paymentIntents.startedAt))
      .limit(maxPageSize),
    db
      .select()
      .from(mails)
      .where(or(isNull(mails.dueAt), and(gte(mails.tries, worryingTries), isNotNull(mails.failure))))
      .orderBy(desc(mails.createdAt))
      .limit(maxPageSize),
    openDisputesQuery(db),
    missingBriefsQuery(db, now),
    unpublishedQuery(db, now),
    overdueStepsQuery(db, env, now),
  ] as const;

/** @param isMailed it goes into a mail, which outlives whom it names */
const unsentText = (
  { kind, subject, recipient, tries, failure, dueAt }: typeof mails.$inferSelect,
  isMailed: boolean,
): string =>
  `${isMailed ? `An email ('${kind}')` : `The email '${subject}' to ${recipient}`} could not be sent after ${counted(tries, 'try', 'tries')}. ${failure === null ? '' : `${explainFailure(failure)} `}${
    dueAt === null ? 'Send it again once the cause is gone.' : 'We keep trying.'
  }`;

/**
 * Newest first, at most 100 of each kind: of briefs and steps those that wait longest.
 * @param options `isMailed`: without anything that names a person
 */
export async function readAttention(
  db: Database,
  env: Env,
  now = Date.now(),
  { isMailed = false }: { readonly isMailed?: boolean } = {},
): Promise<AttentionItem[]> {
  const [failedRefunds, refused, unsettled, unsent, disputed, briefs, unpublished, steps] =
    await readTogether(db, attentionQueries(db, env, now));
  const items: (AttentionItem & { readonly time: number })[] = [
    ...failedRefunds.map(failedRefund),
    ...refused.map((payment) => ({
      _id: payment._id,
      kind: 'refund' as const,
      text: refundText(payment),
      orderId: payment.orderId,
      time: payment.at,
      at: '',
    })),
    ...unsettled.map((intent) => ({
      _id: intent._id,
      kind: 'unsettledIntent' as const,
      text: `${intent.problem ?? ''} Look the payment ${intent.paymentIntentId} up in the Stripe dashboard.`,
      orderId: intent.orderId,
      time: intent.startedAt,
      at: '',
    })),
    ...disputed.map((dispute) => disputeToAnswer(env, dispute)),
    ...briefs.map((brief) => missingBrief(brief, now)),
    ...unpublished.map(unpublishedRelease),
    ...steps.map((step) => overdueStep(env, step)),
    ...unsent.map((mail) => ({
      _id: mail._id,
      kind: 'unsentMail' as const,
      text: unsentText(mail, isMailed),
      time: mail.createdAt,
      at: '',
    })),
  ];
  return items
    .sort((one, other) => other.time - one.time)
    .map(({ time, ...item }) => ({ ...item, at: new Date(time).toISOString() }));
}

/**
 * Takes a payment off the list: an administrator has seen to it. It only hides the line: reconciliation goes on asking
 * Stripe about the payment, and settles it.
 * @throws ApiError 404
 */
export async function markSeen(db: Database, id: string, accountId: string): Promise<void> {
  const seen = { seenBy: accountId, seenAt: Date.now() };
  const changed = await writeBatch(db, [
    markRefundSeen(db, id, seen),
    db
      .update(payments)
      .set(seen)
      .where(and(eq(payments._id, id), isNotNull(payments.refusal), isNull(payments.seenAt))),
    db
      .update(paymentIntents)
      .set(seen)
      .where(
        and(eq(paymentIntents._id, id), isNotNull(paymentIntents.problem), isNull(paymentIntents.seenAt)),
      ),
  ]);
  if (changed.every((count) => count === 0)) throw notFound('This is not on the list any more.');
}
