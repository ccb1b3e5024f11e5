/** Tables for the audit log and the history of settings. Times are in ms. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { auditActions } from '#contract/audit.ts';
import { changeActions } from '#contract/history.ts';

/**
 * The audit log. It contains no emails or names. Accounts are stored as ids, and network addresses without their
 * last part.
 */
export const auditEvents = sqliteTable(
  'audit_events',
  {
    sequence: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    action: text({ enum: auditActions }).notNull(),
    /** Empty if there is no account. */
    accountId: text().notNull(),
    recordId: text().notNull(),
    network: text().notNull(),
    /** Details without personal data; empty if the action is clear without them. */
    details: text().notNull().default(''),
    /** For actions on users: the account that was changed; empty if the user had no account then. */
    subjectId: text().notNull().default(''),
  },
  (table) => [index('audit_events_at').on(table.at)],
);

/** One change of the payment key or a release: the values before and after as JSON, or null if there were none. */
export const settingEvents = sqliteTable(
  'setting_events',
  {
    id: text().primaryKey(),
    setting: text({ enum: ['paymentKey', 'release'] }).notNull(),
    recordId: text().notNull(),
    version: integer().notNull(),
    action: text({ enum: changeActions }).notNull(),
    at: integer().notNull(),
    /** Id of the account; empty for setup and for a deleted account. */
    by: text().notNull(),
    before: text(),
    after: text(),
  },
  (table) => [index('setting_events_record').on(table.recordId)],
);
