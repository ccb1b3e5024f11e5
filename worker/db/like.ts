/** Conditions on texts that contain another, in which `%` and `_` have no special meaning. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** A text as it is, and, as SQLite's `LIKE` ignores the case of ASCII letters alone, how others may have typed it. */
function spellings(text: string): readonly string[] {
  if (/^[ -~]*$/.test(text)) return [text];
  const lower = text.toLowerCase();
  const capitalized = lower.replace(/(^|[^\p{L}\p{M}])(\p{L})/gu, (letter) => letter.toUpperCase());
  return [...new Set([text, lower, text.toUpperCase(), capitalized])];
}

/** The condition that a column contains a text, in whatever case. */
export const holdsText = (column: SQLWrapper, text: string): SQL => {
  const held = spellings(text).map((typed) => sql`${column} LIKE ${`%${escaped(typed)}%`} ESCAPE '\\'`);
  return sql`(${sql.join(held, sql` OR `)})`;
};
