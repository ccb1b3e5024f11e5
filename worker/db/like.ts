/** Texts that hold another, as typed: `%` and `_` in it stand for themselves. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The condition that a column holds a text somewhere. */
export const holdsText = (column: SQLWrapper, text: string): SQL =>
  sql`${column} LIKE ${`%${escaped(text)}%`} ESCAPE '\\'`;

/** The condition that a column begins with a text. */
export const beginsWith = (column: SQLWrapper, text: string): SQL =>
  sql`${column} LIKE ${`${escaped(text)}%`} ESCAPE '\\'`;
