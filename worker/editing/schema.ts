/** Tables of the editor: preview links and drafts. Times are in ms. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Values } from '../content/stored.ts';

/** Anyone who has a link's secret can see the release. The database stores only the secret's hash. */
export const previewLinks = sqliteTable(
  'preview_links',
  {
    tokenHash: text().primaryKey(),
    releaseId: text().notNull(),
    expiresAt: integer().notNull(),
  },
  (table) => [index('preview_links_release').on(table.releaseId)],
);

/** What an account typed into a record's form but did not save. */
export const drafts = sqliteTable(
  'drafts',
  {
    accountId: text().notNull(),
    section: text().notNull(),
    /** Empty for the form that adds to the section. */
    recordId: text().notNull(),
    /** Distinguishes the drafts of one form; empty for a draft without an id. */
    draftId: text().notNull().default(''),
    /**
     * The version of the record that the draft is based on; negative for the version of a release's change that
     * adds the record.
     */
    version: integer(),
    /** The changed fields. */
    values: text({ mode: 'json' }).$type<Values>().notNull(),
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.section, table.recordId, table.draftId] })],
);
