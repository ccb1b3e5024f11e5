/**
 * Tables of the content's past, where every save is a publication with its history, and of what is to come: releases. The
 * records are in `db/content-tables.ts`. Times are in ms.
 */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { changeActions } from '#contract/history.ts';
import { releaseActions } from '#contract/releases.ts';

/** One row a save of content; the primary key is what makes savers at once take turns. */
export const publications = sqliteTable('publications', {
  revision: integer().primaryKey(),
  /** Time in ms. */
  at: integer().notNull(),
  /** Id of the account that saved, as in the history; empty for the set-up. */
  by: text().notNull(),
  /** JSON array of the paths whose bytes changed. */
  changedPages: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
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

/** Named sets of changes that nobody sees until they are published together. Accounts stand by their ids. */
export const releases = sqliteTable(
  'releases',
  {
    _id: text().primaryKey(),
    title: text().notNull(),
    /** Counts the changes to the release, from 1: what is decided on one version is written on that one alone. */
    version: integer().notNull(),
    createdAt: integer().notNull(),
    createdBy: text().notNull(),
    /** When the cron is to publish it; null without a schedule. */
    publishAt: integer(),
    scheduledBy: text(),
    /** Why it could not be published at its time: a sentence. */
    failure: text(),
    /** Null while it is open. */
    publishedAt: integer(),
    /** Null too where nothing differed any more from what was live. */
    revision: integer(),
    publishedBy: text(),
  },
  (table) => [
    index('releases_open')
      .on(table.publishAt)
      .where(sql`publishedAt is null`),
  ],
);

/** What a release does to one record, or to the order of one section; one row each. */
export const releaseChanges = sqliteTable(
  'release_changes',
  {
    _id: text().primaryKey(),
    releaseId: text().notNull(),
    section: text().notNull(),
    /** Empty for the order of the section. */
    recordId: text().notNull(),
    action: text({ enum: releaseActions }).notNull(),
    /** JSON: the values of the changed fields, or the ids in their new order; null for a removal. */
    value: text(),
    /** JSON: what was live as the change was made, of the same kind; of a removal all fields; null for a new record. */
    base: text(),
    /** Counts the times that it was changed, from 1; its ETag. */
    version: integer().notNull(),
    at: integer().notNull(),
    by: text().notNull(),
  },
  (table) => [uniqueIndex('release_changes_record').on(table.releaseId, table.section, table.recordId)],
);
