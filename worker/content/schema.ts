/**
 * Tables for publications, for the history that each save writes, and for releases. The records themselves are in
 * `db/content-tables.ts`. Times are in ms.
 */
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { changeActions } from '#contract/history.ts';
import { releaseActions } from '#contract/releases.ts';
import type { Values } from './stored.ts';

/** One row per save of content. The primary key serializes concurrent saves. */
export const publications = sqliteTable('publications', {
  revision: integer().primaryKey(),
  at: integer().notNull(),
  /** Id of the account that saved; empty for setup. */
  by: text().notNull(),
  /** Paths of the pages whose bytes changed. */
  changedPages: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
  /** How long it took to read the content, render and write, in ms; null if not measured. */
  readMs: integer(),
  renderMs: integer(),
  /** Known only after the write, so it is stored a moment later. */
  writeMs: integer(),
});

/** What a save did to one record: the values before and after; null if there were none. */
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
    before: text({ mode: 'json' }).$type<Values>(),
    after: text({ mode: 'json' }).$type<Values>(),
    /** Positions in the display order before and after. */
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

/** Named sets of changes that stay hidden until they are published together. Accounts are stored by id. */
export const releases = sqliteTable(
  'releases',
  {
    _id: text().primaryKey(),
    title: text().notNull(),
    /**
     * The number of saves of the release. A write succeeds only if this is still the version that the write is based
     * on.
     */
    version: integer().notNull(),
    createdAt: integer().notNull(),
    createdBy: text().notNull(),
    /** When the cron job publishes it; null without a schedule. */
    publishAt: integer(),
    scheduledBy: text(),
    /** A sentence that says why it could not be published on schedule. */
    failure: text(),
    /** Null while it is open. */
    publishedAt: integer(),
    /** Also null if publishing changed nothing, because everything was already live. */
    revision: integer(),
    publishedBy: text(),
  },
  (table) => [
    index('releases_open')
      .on(table.publishAt)
      .where(sql`publishedAt is null`),
  ],
);

/** One row per change in a release: to a record, or to the order of a section. */
export const releaseChanges = sqliteTable(
  'release_changes',
  {
    _id: text().primaryKey(),
    releaseId: text().notNull(),
    section: text().notNull(),
    /** Empty for the order of the section. */
    recordId: text().notNull(),
    action: text({ enum: releaseActions }).notNull(),
    /** The values of the changed fields, or the ids in their new order; null for a removal. */
    value: text({ mode: 'json' }).$type<Values | readonly string[]>(),
    /** Like `value`, but what was live when the change was made. A removal has all fields. Null for a new record. */
    base: text({ mode: 'json' }).$type<Values | readonly string[]>(),
    /** The number of saves of the change. It is the change's ETag. */
    version: integer().notNull(),
    at: integer().notNull(),
    by: text().notNull(),
  },
  (table) => [uniqueIndex('release_changes_record').on(table.releaseId, table.section, table.recordId)],
);
