/**
 * The attention list: everything that needs attention, from unpublished releases and returned payments to unread
 * messages. Each kind has its own queries and texts.
 */
import type { Account } from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import { counted } from '#contract/counted.ts';
import { and, asc, desc, eq, gte, isNotNull, isNull, not, or } from 'drizzle-orm';
import { displayPrice } from '#contract/money.ts';
import { maxPageSize } from '#contract/paging.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { attentionKindNames, attentionKinds, type AttentionKind } from '#contract/attention.ts';
import type { AttentionItem } from '#contract/attention.calls.ts';
import { unpublishedReleases } from '../content/unpublished-releases.ts';
import type { Slice, Page } from '../db/paging.ts';
import { readTogether, writeBatch, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { notFound } from '../http/errors.ts';
import { explainFailure } from '../mail/mail-service.ts';
import { deleteFailedMail, isGivenUp } from '../mail/outbox.ts';
import { mails } from '../mail/schema.ts';
import { orders } from '../orders/schema.ts';
import { attentionQueries, ofOrder, type AttentionQueries } from '../operations/attention-line.ts';
import {
  ordersOfDeletedCustomers,
  overdueSteps,
  unreadOrders,
  wantedChanges,
} from '../fulfillment/attention.ts';
import { missingBriefs } from '../fulfillment/awaited-briefs.ts';
import { failedRefunds, hasFailingRefund, markRefundSeen } from '../payments/failed-refunds.ts';
import { failedRenewals } from '../payments/failed-renewals.ts';
import { lostDisputes, openDisputes } from '../payments/open-disputes.ts';
import { fraudWarnings } from '../payments/fraud-warnings.ts';
import { refusedKeys } from '../payments/key-check.ts';
import { paymentIntents, payments, type PaymentRecord } from '../payments/schema.ts';

const refusals: Readonly<Record<NonNullable<PaymentRecord['refusal']>, string>> = {
  cancelled: 'arrived after the order was cancelled',
  paidAlready: 'arrived after the order was already paid',
  refunded: 'arrived after the order was refunded',
  amountDiffers: "differed from the order's price",
};

const refundText = ({ amountCents, refusal, outcome }: PaymentRecord, number: number | null): string =>
  `A card payment of ${displayPrice(amountCents)}${ofOrder(number)} ${refusal === null ? 'arrived' : refusals[refusal]}. ${
    outcome === 'refunded'
      ? 'We returned it in full and emailed the customer.'
      : 'Stripe has not returned it yet, and we will keep trying. If this does not change, refund it in the Stripe dashboard.'
  }`;

/**
 * Payments that no order could accept and no one has marked as seen. If the refund of such a payment fails, the refund
 * is listed instead.
 */
const refusedPayments = (db: Database) =>
  attentionQueries(db, {
    rows: () =>
      db
        .select({ payment: payments, number: orders.number })
        .from(payments)
        .leftJoin(orders, eq(orders._id, payments.orderId))
        .where(
          and(
            isNotNull(payments.refusal),
            isNull(payments.seenAt),
            or(eq(payments.outcome, 'refunded'), not(hasFailingRefund())),
          ),
        ),
    since: payments.at,
    toLine: ({ payment, number }) => ({
      _id: payment._id,
      text: refundText(payment, number),
      orderId: payment.orderId,
      time: payment.at,
    }),
  });

const unsettledIntents = (db: Database) =>
  attentionQueries(db, {
    rows: () =>
      db
        .select({ intent: paymentIntents, number: orders.number })
        .from(paymentIntents)
        .leftJoin(orders, eq(orders._id, paymentIntents.orderId))
        .where(and(isNotNull(paymentIntents.problem), isNull(paymentIntents.seenAt))),
    since: paymentIntents.startedAt,
    toLine: ({ intent, number }) => ({
      _id: intent._id,
      text: `${intent.problem ?? ''} Look up the payment ${intent.paymentIntentId}${ofOrder(number)} in the Stripe dashboard.`,
      ...(intent.orderId && { orderId: intent.orderId }),
      time: intent.startedAt,
    }),
  });

/** An email is listed after this many failed attempts. */
const triesToList = 3;

/** @param isMailed whether the text goes into an email, which may outlive the personal data of the customer */
const unsentText = (
  { kind, subject, recipient, tries, failure, dueAt }: typeof mails.$inferSelect,
  number: number | null,
  isMailed: boolean,
): string =>
  `${isMailed ? `An email (“${kind}”)` : `The email “${subject}” to ${recipient}`}${ofOrder(number)} could not be sent after ${counted(tries, 'attempt')}. ${failure === null ? '' : `${explainFailure(failure)} `}${
    dueAt === null ? 'Send it again when the cause is fixed.' : 'We will keep trying.'
  }`;

/** @param isMailed as in `unsentText` */
const unsentMails = (db: Database, isMailed: boolean) =>
  attentionQueries(db, {
    rows: () =>
      db
        .select({ mail: mails, number: orders.number })
        .from(mails)
        .leftJoin(orders, eq(orders._id, mails.about))
        .where(or(isGivenUp, and(gte(mails.tries, triesToList), isNotNull(mails.failure)))),
    since: mails.createdAt,
    toLine: ({ mail, number }) => ({
      _id: mail._id,
      text: unsentText(mail, mail.number ?? number, isMailed),
      ...(mail.dueAt === null && { isGivenUp: true as const }),
      time: mail.createdAt,
    }),
  });

export type AttentionReader = Pick<Account, 'id' | 'role' | 'lacks'>;

interface KindQueries extends AttentionQueries {
  readonly kind: AttentionKind;
}

type Counts = readonly { readonly count: number }[];

/** Who reads the list. Without a reader, the list contains all kinds. */
interface Reading {
  readonly reader?: AttentionReader | undefined;
  /** Whether the lines must not name any person. */
  readonly isMailed?: boolean;
}

/**
 * The queries of the kinds that the reader sees.
 * @param now time in ms
 */
export function attentionFor(
  db: Database,
  env: Env,
  now: number,
  { reader, isMailed = false }: Reading,
): readonly KindQueries[] {
  const queries: Readonly<Record<AttentionKind, AttentionQueries>> = {
    failedRefund: failedRefunds(db),
    failedRenewal: failedRenewals(db, env),
    refund: refusedPayments(db),
    unsettledIntent: unsettledIntents(db),
    dispute: openDisputes(db, env),
    lostDispute: lostDisputes(db),
    missingBrief: missingBriefs(db, now),
    release: unpublishedReleases(db, now),
    overdueStep: overdueSteps(db, env, now),
    fraudWarning: fraudWarnings(db),
    changeWanted: wantedChanges(db, env, now),
    customerDeleted: ordersOfDeletedCustomers(db),
    unreadMessage: unreadOrders(db, reader?.id),
    paymentKey: refusedKeys(db),
    unsentMail: unsentMails(db, isMailed),
  };
  return attentionKindNames
    .filter((kind) => reader === undefined || may(reader, attentionKinds[kind].who))
    .map((kind) => ({ kind, ...queries[kind] }));
}

/**
 * The number of lines of each kind.
 * @param found starts with the result of each kind's `count`
 */
export const countByKind = (
  kinds: readonly KindQueries[],
  found: readonly Counts[],
): ReadonlyMap<AttentionKind, number> =>
  new Map(kinds.map(({ kind }, index) => [kind, found[index]?.[0]?.count ?? 0]));

export const sumOf = (counts: ReadonlyMap<AttentionKind, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

async function readLines(
  db: Database,
  env: Env,
  now: number,
  { reach, ...reading }: Reading & { readonly reach: Slice },
): Promise<{ readonly total: number; readonly lines: AttentionItem[] }> {
  const kinds = attentionFor(db, env, now, reading);
  const [query, ...others] = [...kinds.map(({ count }) => count), ...kinds.map(({ first }) => first(reach))];
  if (!query) return { total: 0, lines: [] };
  const found: readonly unknown[] = await readTogether(db, [query, ...others]);
  const counts = countByKind(kinds, found as readonly Counts[]);
  const sign = reach.order === asc ? 1 : -1;
  return {
    total: sumOf(counts),
    lines: kinds
      .flatMap(({ kind, toLines }, index) =>
        toLines(found[kinds.length + index]).map((line) => ({ ...line, kind })),
      )
      .sort((one, other) => sign * (one.time - other.time))
      // Some lines have their own date, because the database only returns the column that it sorts by.
      .map(({ time, ...line }) => ({ at: new Date(time).toISOString(), ...line })),
  };
}

/** How many lines of each kind can be paged through. No one works through a longer list. */
const maxPaged = 10_000;

/** Reads a page of the list, longest waiting first, with the total. */
export async function readAttention(
  db: Database,
  env: Env,
  now: number = Date.now(),
  { page, pageSize }: PageQuery = { page: 1, pageSize: maxPageSize },
  reader?: AttentionReader,
): Promise<Page<AttentionItem>> {
  const limit = Math.min(page * pageSize, maxPaged);
  const { total, lines } = await readLines(db, env, now, { reach: { order: asc, limit }, reader });
  return { total, rows: lines.slice((page - 1) * pageSize, page * pageSize) };
}

/** Reads the newest 100 lines of each kind, without personal names, for emails. */
export const readNewestAttention = async (db: Database, env: Env, now: number): Promise<AttentionItem[]> =>
  (await readLines(db, env, now, { reach: { order: desc, limit: maxPageSize }, isMailed: true })).lines;

/**
 * Removes a line from the list because a staff member has handled it. For a payment, this only hides the line:
 * reconciliation keeps asking Stripe and settles the payment. For an email that is no longer retried, this deletes the
 * email.
 * @throws ApiError 404
 */
export async function markSeen(db: Database, id: string, accountId: string): Promise<void> {
  const seen = { seenBy: accountId, seenAt: Date.now() };
  const changed = await writeBatch(db, [
    markRefundSeen(db, id, seen),
    db
      .update(payments)
      .set(seen)
      .where(
        and(
          eq(payments._id, id),
          or(isNotNull(payments.refusal), isNotNull(payments.warnedAt)),
          isNull(payments.seenAt),
        ),
      ),
    db
      .update(paymentIntents)
      .set(seen)
      .where(
        and(eq(paymentIntents._id, id), isNotNull(paymentIntents.problem), isNull(paymentIntents.seenAt)),
      ),
    deleteFailedMail(db, id),
  ]);
  if (changed.every((count) => count === 0)) throw notFound('This is no longer on the list.');
}
