/** Tables of the audit log and of the history of settings. Times are in ms. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { auditActions } from '#contract/audit.ts';
import { changeActions } from '#contract/history.ts';

/** The audit log. It holds no email and no name: accounts are ids, addresses networks. */
export const auditEvents = sqliteTable(
  'audit_events',
  {
    sequence: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    action: text({ enum: auditActions }).notNull(),
    /** Empty for nobody. */
    accountId: text().notNull(),
    recordId: text().notNull(),
    network: text().notNull(),
    /** What and how much, without anything about a person; empty where the action says all. */
    details: text().notNull().default(''),
  },
  (table) => [index('audit_events_at').on(table.at)],
);

/** What was done to an admin user or the payment key or a release: values before and after as JSON, null where there were none. */
export const settingEvents = sqliteTable(
  'setting_events',
  {
    id: text().primaryKey(),
    setting: text({ enum: ['member', 'paymentKey', 'release'] }).notNull(),
    recordId: text().notNull(),
    version: integer().notNull(),
    action: text({ enum: changeActions }).notNull(),
    at: integer().notNull(),
    /** Id of the account; empty for the set-up and for an account that is deleted. */
    by: text().notNull(),
    before: text(),
    after: text(),
  },
  (table) => [index('setting_events_record').on(table.recordId)],
);
