/** Inserts the firm's name into content that is used outside the pages, such as brief questions, plans and receipts. */
import { getTableColumns, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { isNamedField } from '#contract/brand.ts';
import { placeholder } from '#contract/fill-name.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { contentTables } from './content-tables.ts';

const { brand } = contentTables;

/** Replaces `{name}` in a text with the firm's name. */
export const withName = (text: SQLWrapper): SQL<string> =>
  sql<string>`replace(${text}, ${placeholder}, coalesce((SELECT ${brand.name} FROM ${brand} LIMIT 1), ''))`;

/** The columns of a section, for a `select` that reads its texts with the firm's name inserted. */
export function columnsWithName<N extends SectionName>(section: N) {
  const { fields } = sectionNamed(section);
  const columns = getTableColumns<(typeof contentTables)[N]>(contentTables[section]);
  return Object.fromEntries(
    Object.entries<SQLWrapper>(columns).map(([name, column]) => {
      const field = fields[name];
      return [name, field && isNamedField(field) ? withName(column) : column];
    }),
  ) as unknown as typeof columns;
}
