/** The questions in the content, as an order asks them. */
import { asc, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { columnsWithName } from '../db/firm-name.ts';
import { contentTables } from '../db/content-tables.ts';
import type { Database } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { orderEvents, orders } from '../orders/schema.ts';
import { orderBriefs, type AskedQuestion } from './plan-schema.ts';

const questions = contentTables.briefQuestion;

/** Whether a content record applies to a package: it names this package, or no package. */
export const isForPackage = (packages: SQLWrapper, packageName: SQLWrapper | string): SQL =>
  sql`(${packages} = '' OR instr(',' || replace(${packages}, ' ', '') || ',', ',' || ${packageName} || ',') > 0)`;

export const questionsQuery = (db: Database, packageName: SQLWrapper | string) =>
  db
    .select(columnsWithName('briefQuestion'))
    .from(questions)
    .where(isForPackage(questions.packages, packageName))
    .orderBy(asc(questions.position), asc(questions._id));

export const hasQuestions = (packageName: SQLWrapper | string): SQL =>
  hasRow(questions, isForPackage(questions.packages, packageName));

/** Whether a brief in the outer query has questions: its package has some now, or had some when it was sent. */
export const briefHasQuestions = (packageName: SQLWrapper | string): SQL<number> =>
  sql<number>`(${orderBriefs.asked} IS NOT NULL OR ${hasQuestions(packageName)})`;

/**
 * Whether we are waiting for the brief of a paid order: the payment requested it, and it still has questions. Orders in
 * progress do not ask questions that were added later.
 */
export const isBriefAwaited = (orderId: SQLWrapper | string, packageName: SQLWrapper | string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${orderBriefs} WHERE ${orderBriefs.orderId} = ${orderId} AND ${orderBriefs.sentAt} IS NULL AND ${orderBriefs.awaitedSince} IS NOT NULL AND ${briefHasQuestions(packageName)})`;

/** The version of the last delivery of an order in the outer query; null if there was none. */
export const lastDelivery = sql`(SELECT max(${orderEvents.version}) FROM ${orderEvents} WHERE ${orderEvents.orderId} = ${orders._id} AND ${orderEvents.kind} = 'delivered')`;

/**
 * Whether the brief of an order in the outer query was reopened. On a delivered order, only a reopening after the
 * delivery counts, because delivery ends earlier questions.
 */
export const isBriefReopened = sql<number>`EXISTS (
  SELECT 1 FROM ${orderEvents} WHERE ${orderEvents.orderId} = ${orders._id} AND ${orderEvents.kind} = 'briefReopened'
  AND (${orders.orderStatus} <> 'Delivered' OR ${orderEvents.version} > ${lastDelivery}))`;

/**
 * The last event about an unfinished full refund of an order in the outer query; null if there was none. A paid order
 * with such an event asks its customer for nothing more.
 */
export const wholeRefund = sql<'refundStarted' | 'refundFailed' | null>`(
  SELECT ${orderEvents.kind} FROM ${orderEvents} WHERE ${orderEvents.orderId} = ${orders._id}
  AND ${orderEvents.kind} IN ('refundStarted', 'refundFailed') AND ${orderEvents.after} ->> 'isWhole' = 'yes'
  ORDER BY ${orderEvents.version} DESC LIMIT 1)`;

/** A question in the format that customers see. A choice without options becomes a one-line text field. */
export function toAskedQuestion(record: typeof questions.$inferSelect): AskedQuestion {
  const { _id, question, help, kind } = record;
  const options = record.choices
    .split('\n')
    .map((choice) => choice.trim())
    .filter((choice, index, all) => choice !== '' && all.indexOf(choice) === index);
  const isChoice = kind === 'choice' && options.length > 0;
  return {
    _id,
    question,
    help,
    kind: isChoice ? 'choice' : kind === 'text' || kind === 'link' ? kind : 'line',
    choices: isChoice ? options : [],
    isRequired: record.required === 'yes',
  };
}
