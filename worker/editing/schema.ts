/** Tables for preview links and drafts. Times are in ms. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Values } from '../content/stored.ts';

/** Anyone who has the secret of a link can see the release. The database stores only the secret's hash. */
export const previewLinks = sqliteTable(
  'preview_links',
  {
    tokenHash: text().primaryKey(),
    releaseId: text().notNull(),
    expiresAt: integer().notNull(),
  },
  (table) => [index('preview_links_release').on(table.releaseId)],
);

/** Text that an account typed into a record's form but did not save. */
export const drafts = sqliteTable(
  'drafts',
  {
    accountId: text().notNull(),
    section: text().notNull(),
    /** Empty for the form that adds a record to the section. */
    recordId: text().notNull(),
    /** Tells the drafts of one form apart; empty for a draft without an id. */
    draftId: text().notNull().default(''),
    /**
     * The version of the record that the draft is based on. Negative if a release adds the record: the version of that
     * change.
     */
    version: integer(),
    /** Only the changed fields. */
    values: text({ mode: 'json' }).$type<Values>().notNull(),
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.section, table.recordId, table.draftId] })],
);
