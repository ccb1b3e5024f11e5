/**
 * The long texts of articles. Two thousand of them would exceed an isolate's memory and the database's response limit,
 * so the content in memory does not contain them. An edit lists the records that it needs with their long texts
 * (`Edit.reads`).
 */
import { inArray, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { contentTableOf } from '../db/content-tables.ts';
import type { Database } from '../db/client.ts';
import type { StoredContent, StoredRecord } from './stored.ts';

export const longFieldOf = (name: SectionName): string | undefined =>
  Object.entries(sectionNamed(name).fields).find(([, { long }]) => long)?.[0];

const longSections = sectionNames.filter((name) => longFieldOf(name) !== undefined);

export const idsWithLongTexts = (content: StoredContent): readonly string[] =>
  longSections.flatMap((name) => content[name].map(({ _id }) => _id));

/** Whether a record has all of its fields. */
export function isWhole(name: SectionName, { values }: StoredRecord): boolean {
  const field = longFieldOf(name);
  return field === undefined || values[field] !== undefined;
}

/** The long field of a section as a column that is null, except for the records with these ids. */
export function longTextOf(
  name: SectionName,
  id: SQLWrapper,
  whole: readonly string[],
): Readonly<Record<string, SQL.Aliased>> {
  const field = longFieldOf(name);
  if (field === undefined) return {};
  const text = sql`${sql.identifier(field)}`;
  // The ids are one parameter, because a statement can have only a limited number of them.
  const isWanted = sql`${id} in (select value from json_each(${JSON.stringify(whole)}))`;
  return {
    [field]: (whole.length === 0 ? sql`null` : sql`case when ${isWanted} then ${text} end`).as(field),
  };
}

const withRecords = (
  content: StoredContent,
  name: SectionName,
  change: (record: StoredRecord) => StoredRecord,
): StoredContent => ({ ...content, [name]: content[name].map(change) });

/**
 * Adds the long texts of some records to the content.
 * @returns undefined if one of them has changed since the content was read
 */
export async function withLongTexts(
  db: Database,
  content: StoredContent,
  ids: readonly string[] = [],
): Promise<StoredContent | undefined> {
  let next = content;
  for (const name of longSections) {
    const field = longFieldOf(name) ?? '';
    const missing = new Set(
      content[name].filter((one) => ids.includes(one._id) && !isWhole(name, one)).map(({ _id }) => _id),
    );
    if (missing.size === 0) continue;
    const table = contentTableOf(name);
    const { _id, version } = table;
    const rows = await db
      .select({ _id, version, text: sql<string>`${sql.identifier(field)}` })
      .from(table)
      .where(inArray(_id, [...missing]));
    const read = new Map(rows.map((row) => [row._id, row]));
    const isChanged = content[name].some(
      (one) => missing.has(one._id) && read.get(one._id)?.version !== one.version,
    );
    if (isChanged) return undefined;
    next = withRecords(next, name, (record) => {
      const text = missing.has(record._id) ? read.get(record._id)?.text : undefined;
      return text === undefined ? record : { ...record, values: { ...record.values, [field]: text } };
    });
  }
  return next;
}

/** How many records of a section keep their long texts in memory: enough for those that are being edited. */
const maxKept = 20;

/** The content to keep in memory: without long texts, unless there are few. */
export function withoutLongTexts(content: StoredContent): StoredContent {
  let next = content;
  for (const name of longSections) {
    const field = longFieldOf(name) ?? '';
    if (content[name].filter((one) => isWhole(name, one)).length <= maxKept) continue;
    next = withRecords(next, name, (record) => {
      const { [field]: text, ...values } = record.values;
      return text === undefined ? record : { ...record, values };
    });
  }
  return next;
}
