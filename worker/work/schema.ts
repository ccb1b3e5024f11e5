/** Tables of the work after the sale: what a customer has answered. One row an order, deleted with its owner's account. */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { QuestionKind } from '#contract/work.ts';

/** A question as it read when its brief was sent. */
export interface AskedQuestion {
  readonly _id: string;
  readonly question: string;
  readonly help: string;
  readonly kind: QuestionKind;
  readonly choices: readonly string[];
  readonly isRequired: boolean;
}

export const orderBriefs = sqliteTable(
  'order_briefs',
  {
    orderId: text().primaryKey(),
    /** Whose answers they are; empty while there are none. */
    accountId: text().notNull().default(''),
    /** By the questions' ids, as typed. */
    answers: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** What it answers; null while it is open. */
    asked: text({ mode: 'json' }).$type<readonly AskedQuestion[]>(),
    /** When it was sent, in ms; null while it is open. */
    sentAt: integer(),
    /** Since when it is waited for, in ms: the order's payment, or its opening again. Null before. */
    awaitedSince: integer(),
    /** When its customer was reminded of it, in ms; null while they were not. */
    remindedAt: integer(),
  },
  (table) => [
    index('order_briefs_account').on(table.accountId),
    index('order_briefs_awaited')
      .on(table.awaitedSince)
      .where(sql`${table.sentAt} IS NULL`),
  ],
);

export type BriefRecord = typeof orderBriefs.$inferSelect;
