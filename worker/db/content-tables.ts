/** The tables for content sections, derived from the registry: one table per section, one text column per field. */
import { asc, desc, sql, type SQL } from 'drizzle-orm';
import { integer, sqliteTable, text, uniqueIndex, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Section } from '#contract/section.ts';
import {
  sectionNamed,
  sections,
  sectionNames,
  type SectionName,
  type Sections,
} from '#contract/sections/index.ts';

const fieldColumn = () => text().notNull().default('');
const commonColumns = () => ({
  _id: text().primaryKey(),
  /** The number of saves of the record. It is the record's ETag. */
  version: integer().notNull().default(1),
  /** Position in the display order. A singleton is always at 0, and a unique index allows only one record there. */
  position: integer().notNull().default(0),
});

function contentTable<const S extends Section>(section: S) {
  const fieldColumns = Object.fromEntries(
    Object.keys(section.fields).map((field) => [field, fieldColumn()]),
  ) as {
    [F in keyof S['fields'] & string]: ReturnType<typeof fieldColumn>;
  };
  return sqliteTable(section.table, { ...commonColumns(), ...fieldColumns }, (table) => {
    const columns: Record<string, typeof table._id> = table as never;
    const unique = Object.entries(section.fields).flatMap(([field, { unique }]) => {
      const column = columns[field];
      return unique && column
        ? [uniqueIndex(`${section.table}_${field}_unique`).on(sql`lower(${column})`)]
        : [];
    });
    return section.kind === 'singleton'
      ? [...unique, uniqueIndex(`${section.table}_singleton`).on(table.position)]
      : unique;
  });
}

type ContentTable<S extends Section> = ReturnType<typeof contentTable<S>>;

export const contentTables = Object.fromEntries(
  sectionNames.map((name) => [name, contentTable(sections[name])]),
) as unknown as { readonly [N in SectionName]: ContentTable<Sections[N]> };

/**
 * The table of any section, for code that treats all sections alike. It is typed as the table of one section, so use
 * only columns that all sections have.
 */
export const contentTableOf = (name: SectionName): ContentTable<Sections['copyright']> =>
  contentTables[name] as ContentTable<Sections['copyright']>;

const columnOf = (table: object, field: string): SQLiteColumn | undefined =>
  (table as Readonly<Record<string, SQLiteColumn | undefined>>)[field];

/** The columns that sort a section's records in display order. */
export function inDisplayOrder(name: SectionName): readonly SQL[] {
  const table = contentTableOf(name);
  const { newestBy } = sectionNamed(name);
  const day = newestBy === undefined ? undefined : columnOf(table, newestBy);
  return day ? [desc(day), desc(table._id)] : [asc(table.position), asc(table._id)];
}
