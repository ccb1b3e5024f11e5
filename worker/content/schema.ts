/** Tables of the content's past: every save is a publication with its history. The records are in `db/content-tables.ts`. */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { changeActions } from '#contract/history.ts';

/** One row a save of content; the primary key is what makes savers at once take turns. */
export const publications = sqliteTable('publications', {
  revision: integer().primaryKey(),
  /** Time in ms. */
  at: integer().notNull(),
  /** The account that saved; empty for the seed. */
  by: text().notNull(),
  /** JSON array of the paths whose bytes changed. */
  changedPages: text().notNull(),
  /** What reading the content, rendering and writing took, in ms; null where it was not measured. */
  readMs: integer(),
  renderMs: integer(),
  /** Known only once all is written, and noted a moment later. */
  writeMs: integer(),
});

/** What a save did to one record: values before and after as JSON, null where there were none. */
export const contentHistory = sqliteTable(
  'content_history',
  {
    id: text().primaryKey(),
    revision: integer().notNull(),
    section: text().notNull(),
    recordId: text().notNull(),
    version: integer().notNull(),
    action: text({ enum: changeActions }).notNull(),
    at: integer().notNull(),
    by: text().notNull(),
    before: text(),
    after: text(),
    /** Places in the display order before and after. */
    positionBefore: integer(),
    positionAfter: integer(),
  },
  (table) => [
    index('content_history_record').on(table.recordId, table.version),
    index('content_history_revision').on(table.revision),
    index('content_history_removed')
      .on(table.at)
      .where(sql`action = 'removed'`),
  ],
);
