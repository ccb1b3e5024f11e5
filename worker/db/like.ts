/** Substring searches in which `%` and `_` have no special meaning. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/**
 * The uppercase and lowercase spellings of a text that people are likely to type. SQLite's `LIKE` ignores case only for
 * ASCII letters.
 */
function spellings(text: string): readonly string[] {
  if (/^[ -~]*$/.test(text)) return [text];
  const lower = text.toLowerCase();
  const capitalized = lower.replace(/(^|[^\p{L}\p{M}])(\p{L})/gu, (letter) => letter.toUpperCase());
  return [...new Set([text, lower, text.toUpperCase(), capitalized])];
}

/** The condition that a column contains a text, ignoring case. */
export const containsText = (column: SQLWrapper, text: string): SQL => {
  const matches = spellings(text).map((typed) => sql`${column} LIKE ${`%${escaped(typed)}%`} ESCAPE '\\'`);
  return sql`(${sql.join(matches, sql` OR `)})`;
};
