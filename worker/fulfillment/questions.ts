/** The questions of the content, as an order asks them. */
import { asc, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { contentTables } from '../db/content-tables.ts';
import type { Database } from '../db/client.ts';
import { orderEvents, orders } from '../orders/schema.ts';
import { orderBriefs, type AskedQuestion } from './plan-schema.ts';

const questions = contentTables.briefQuestion;

/** Whether a record of the content applies to a package: it names it, or names none. */
export const isForPackage = (packages: SQLWrapper, packageName: SQLWrapper | string): SQL =>
  sql`(${packages} = '' OR instr(',' || replace(${packages}, ' ', '') || ',', ',' || ${packageName} || ',') > 0)`;

/** The query for the questions that a package asks, in their order. */
export const questionsQuery = (db: Database, packageName: SQLWrapper | string) =>
  db
    .select()
    .from(questions)
    .where(isForPackage(questions.packages, packageName))
    .orderBy(asc(questions.position), asc(questions._id));

/** Whether a package asks anything. */
export const asksAnything = (packageName: SQLWrapper | string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${questions} WHERE ${isForPackage(questions.packages, packageName)})`;

/** Whether a brief in the surrounding query asks anything: its package does, or did when it was sent. */
export const briefAsks = (packageName: SQLWrapper | string): SQL<number> =>
  sql<number>`(${orderBriefs.asked} IS NOT NULL OR ${asksAnything(packageName)})`;

/**
 * Whether we wait for the brief of a paid order: it was requested when the order was paid, and still asks something.
 * Questions added later are not asked of work in progress.
 */
export const isBriefAwaited = (orderId: SQLWrapper | string, packageName: SQLWrapper | string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${orderBriefs} WHERE ${orderBriefs.orderId} = ${orderId} AND ${orderBriefs.sentAt} IS NULL AND ${orderBriefs.awaitedSince} IS NOT NULL AND ${briefAsks(packageName)})`;

const lastDelivery = sql`(SELECT max(${orderEvents.version}) FROM ${orderEvents} WHERE ${orderEvents.orderId} = ${orders._id} AND ${orderEvents.kind} = 'delivered')`;

/**
 * Whether the brief of an order in the surrounding query was opened again; of a delivered one, since its delivery, which
 * had ended what was asked before.
 */
export const isBriefReopened = sql<number>`EXISTS (
  SELECT 1 FROM ${orderEvents} WHERE ${orderEvents.orderId} = ${orders._id} AND ${orderEvents.kind} = 'briefReopened'
  AND (${orders.orderStatus} <> 'Delivered' OR ${orderEvents.version} > ${lastDelivery}))`;

/** A question as customers are asked it: its choices one per line, or a plain line if there are none. */
export function toAsked({
  _id,
  question,
  help,
  kind,
  choices,
  required,
}: typeof questions.$inferSelect): AskedQuestion {
  const options = choices
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
    isRequired: required === 'yes',
  };
}
