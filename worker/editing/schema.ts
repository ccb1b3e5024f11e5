/** Tables of the editor: links to previews of releases, and drafts. Times are in ms. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Anyone who holds the secret of one looks at a release. The database has its hash. */
export const previewLinks = sqliteTable(
  'preview_links',
  {
    tokenHash: text().primaryKey(),
    releaseId: text().notNull(),
    expiresAt: integer().notNull(),
  },
  (table) => [index('preview_links_release').on(table.releaseId)],
);

/** What an account typed into the form of a record and did not save. */
export const drafts = sqliteTable(
  'drafts',
  {
    accountId: text().notNull(),
    section: text().notNull(),
    /** Empty for the form that adds to the section. */
    recordId: text().notNull(),
    /** Tells those of one form apart; empty where it was given no id. */
    draftId: text().notNull().default(''),
    /** The version of the record from which it was typed; below zero, that of the change of a release that adds the record. */
    version: integer(),
    /** The changed fields. */
    values: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.section, table.recordId, table.draftId] })],
);
