/** Tables of publishing: the pages that a publication rendered. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Rendered pages of each build, so that pages and assets of two builds never mix. */
export const pages = sqliteTable(
  'pages',
  {
    buildId: text().notNull(),
    path: text().notNull(),
    html: text().notNull(),
    etag: text().notNull(),
    /** The Content-Security-Policy with the hashes of the page's own scripts and styles. */
    csp: text().notNull(),
    /** The revision at which the page's bytes last changed. */
    revision: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.buildId, table.path] })],
);

/** The revision up to which a build's pages are rendered. */
export const pageSets = sqliteTable('page_sets', {
  buildId: text().primaryKey(),
  revision: integer().notNull(),
  /** When the build last stored a page, in ms. */
  renderedAt: integer().notNull(),
  /**
   * When the publication in the build's fallback copy was created, in ms, as last seen in the bucket; null before
   * that.
   */
  copiedAt: integer(),
});
