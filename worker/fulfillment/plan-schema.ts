/** Tables for the work after the sale: the customer's answers and the steps of the plan. */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { stepStates, type QuestionKind } from '#contract/plans.ts';

/**
 * Whether the work on the order is over: delivered, cancelled or refunded. The trigger `orders_end_work` keeps it
 * current, so queries for work in progress never read finished rows.
 */
const isOver = () => integer({ mode: 'boolean' }).notNull().default(false);

/** A question as it was when the brief was sent. */
export interface AskedQuestion {
  readonly _id: string;
  readonly question: string;
  readonly help: string;
  readonly kind: QuestionKind;
  readonly choices: readonly string[];
  readonly isRequired: boolean;
}

/** A customer's answers, one row per order. Deleted with their account. */
export const orderBriefs = sqliteTable(
  'order_briefs',
  {
    orderId: text().primaryKey(),
    /** The customer's account; empty until there are answers. */
    accountId: text().notNull().default(''),
    /** Answers as typed, by question id. */
    answers: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** The questions of the brief when it was last sent; null before that. */
    asked: text({ mode: 'json' }).$type<readonly AskedQuestion[]>(),
    /** When it was sent, in ms; null until then. */
    sentAt: integer(),
    /**
     * Since when we have been waiting for the brief, in ms: since the payment, since its work resumed (the same trigger
     * sets it), or since it was reopened. Null before that.
     */
    awaitedSince: integer(),
    /** When we reminded the customer, in ms; null if we have not. */
    remindedAt: integer(),
    isOver: isOver(),
  },
  (table) => [
    index('order_briefs_account').on(table.accountId),
    index('order_briefs_awaited')
      .on(table.awaitedSince)
      .where(sql`${table.sentAt} IS NULL AND ${table.isOver} = 0`),
  ],
);

export type BriefRecord = typeof orderBriefs.$inferSelect;

/** The steps of an order's plan, copied from the template when the order was paid. */
export const orderSteps = sqliteTable(
  'order_steps',
  {
    _id: text().primaryKey(),
    orderId: text().notNull(),
    /** Position in the plan, from 1. */
    position: integer().notNull(),
    title: text().notNull(),
    details: text().notNull(),
    /** YYYY-MM-DD in the site's time zone. */
    dueDay: text().notNull(),
    /** The original due day if the step was moved; empty if it was not. */
    plannedDay: text().notNull().default(''),
    /** Whether the customer must approve the step after we complete it. */
    wantsApproval: integer({ mode: 'boolean' }).notNull(),
    state: text({ enum: stepStates }).notNull(),
    /** Our note to the customer. */
    note: text().notNull(),
    /** The change that the customer asks for. */
    request: text().notNull(),
    /** When the customer asked for it, in ms; null if there is no request. */
    requestedAt: integer(),
    /** The message with the step's files; empty if it has none. */
    messageId: text().notNull().default(''),
    /** When we completed it, in ms; null while it is open. */
    doneAt: integer(),
    /** The account that completed it; empty if it is not completed, or if that account was deleted. */
    doneBy: text().notNull(),
    isOver: isOver(),
  },
  (table) => [
    index('order_steps_order').on(table.orderId, table.position),
    index('order_steps_due')
      .on(table.dueDay)
      .where(sql`${table.state} <> 'done' AND ${table.isOver} = 0`),
    index('order_steps_change')
      .on(table.requestedAt)
      .where(sql`${table.request} <> '' AND ${table.isOver} = 0`),
  ],
);

export type StepRecord = typeof orderSteps.$inferSelect;
