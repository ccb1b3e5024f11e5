/** Tables of the work after the sale: what an order's customer has answered, and the steps of its plan. */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { stepStates, type QuestionKind } from '#contract/plans.ts';

/**
 * Whether the work on the order is over: delivered, cancelled or refunded. The trigger `orders_end_work` maintains it,
 * so that queries for work in progress never read what is over.
 */
const isOver = () => integer({ mode: 'boolean' }).notNull().default(false);

/** A question as it read when its brief was sent. */
export interface AskedQuestion {
  readonly _id: string;
  readonly question: string;
  readonly help: string;
  readonly kind: QuestionKind;
  readonly choices: readonly string[];
  readonly isRequired: boolean;
}

/** What a customer has answered, one row an order; deleted with their account. */
export const orderBriefs = sqliteTable(
  'order_briefs',
  {
    orderId: text().primaryKey(),
    /** Whose answers they are; empty while there are none. */
    accountId: text().notNull().default(''),
    /** By the questions' ids, as typed. */
    answers: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** What it answered when it was sent last; null before. */
    asked: text({ mode: 'json' }).$type<readonly AskedQuestion[]>(),
    /** When it was sent, in ms; null while it is open. */
    sentAt: integer(),
    /**
     * Since when we wait for it, in ms: since the payment, since its work was taken up again (the same trigger), or
     * since it was reopened. Null before.
     */
    awaitedSince: integer(),
    /** When its customer was reminded of it, in ms; null while they were not. */
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

/** The steps of an order's plan, as the template had them when it was paid. */
export const orderSteps = sqliteTable(
  'order_steps',
  {
    _id: text().primaryKey(),
    orderId: text().notNull(),
    /** Place in the plan, from 1. */
    position: integer().notNull(),
    title: text().notNull(),
    details: text().notNull(),
    /** YYYY-MM-DD in the site's time zone. */
    dueDay: text().notNull(),
    /** The day it was due at first, where it was moved; empty where it was not. */
    plannedDay: text().notNull().default(''),
    /** Whether its customer is asked once we have ticked it off. */
    wantsApproval: integer({ mode: 'boolean' }).notNull(),
    state: text({ enum: stepStates }).notNull(),
    /** What we told the customer with it. */
    note: text().notNull(),
    /** What the customer wants changed. */
    request: text().notNull(),
    /** When they asked for it, in ms; null where they ask for nothing. */
    requestedAt: integer(),
    /** The message of the conversation that brought its files; empty where there are none. */
    messageId: text().notNull().default(''),
    /** When we ticked it off, in ms; null while it is open. */
    doneAt: integer(),
    /** Account that ticked it off; empty where nobody has, or that account is deleted. */
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
