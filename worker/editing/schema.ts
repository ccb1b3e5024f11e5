/** Tables of the editor: links to previews of releases. Times are in ms. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Whoever holds the secret of one looks at a release. The database has its hash. */
export const previewLinks = sqliteTable(
  'preview_links',
  {
    tokenHash: text().primaryKey(),
    releaseId: text().notNull(),
    expiresAt: integer().notNull(),
  },
  (table) => [index('preview_links_release').on(table.releaseId)],
);
