/** Conditions on texts that contain another, in which `%` and `_` have no special meaning. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The condition that a column contains a text. */
export const holdsText = (column: SQLWrapper, text: string): SQL =>
  sql`${column} LIKE ${`%${escaped(text)}%`} ESCAPE '\\'`;

/** The condition that a column begins with a text. */
export const beginsWith = (column: SQLWrapper, text: string): SQL =>
  sql`${column} LIKE ${`${escaped(text)}%`} ESCAPE '\\'`;
