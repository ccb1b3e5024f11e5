/**
 * Reads the whole content as one consistent snapshot, with all sections in one batch. The Worker and the static build
 * both use this module, so they render the same records in the same order.
 */
import { desc, getTableColumns } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import {
  isShown,
  sectionNames,
  type PublicContent,
  type RecordOf,
  type SectionName,
} from '#contract/sections/index.ts';
import { contentTables, inDisplayOrder } from '../db/content-tables.ts';
import { idsWithLongTexts, isWhole, longFieldOf, longTextOf, withLongTexts } from './long-texts.ts';
import { readTogether, type Database } from '../db/client.ts';
import { filterValues, type StoredContent, type StoredRecord } from './stored.ts';
import { noPublication, publicationColumns, type PublicationId } from './publication.ts';
import { publications } from './schema.ts';

export interface Snapshot extends PublicationId {
  readonly content: StoredContent;
}

const plainRecords = new WeakMap<StoredRecord, RecordOf<SectionName>>();

/**
 * A record in the format of the API and of components: its id and its fields. A long text that was not read is empty.
 */
function toRecord(name: SectionName, stored: StoredRecord): RecordOf<SectionName> {
  const known = plainRecords.get(stored);
  if (known) return known;
  const unread = isWhole(name, stored) ? {} : { [longFieldOf(name) ?? '']: '' };
  const record = { _id: stored._id, ...unread, ...stored.values } as RecordOf<SectionName>;
  plainRecords.set(stored, record);
  return record;
}

/**
 * The queries for the content. Run them in one batch, and pass the results to `contentFrom`.
 * @param whole ids of the records to read with their long texts; none by default
 */
export const contentQueries = (db: Database, whole: readonly string[] = []): BatchItem<'sqlite'>[] =>
  sectionNames.map((name) => {
    const table = contentTables[name];
    const columns = { ...getTableColumns(table), ...longTextOf(name, table._id, whole) };
    return db
      .select(columns)
      .from(table)
      .orderBy(...inDisplayOrder(name));
  });

/** A row of a section: the record and its fields. A long text that was not read is null. */
type ContentRow = Omit<StoredRecord, 'values'>;

export function contentFrom(lists: readonly unknown[]): StoredContent {
  const recordOf = ({ _id, version, position, ...fields }: ContentRow): StoredRecord => {
    const values = filterValues(fields, (_, value: string | null) => value !== null);
    return { _id, version, position, values };
  };
  return Object.fromEntries(
    sectionNames.map((name, index) => [name, (lists[index] as readonly ContentRow[]).map(recordOf)]),
  ) as unknown as StoredContent;
}

/** Reads all sections and the publication in one read transaction. */
export async function readSnapshot(db: Database): Promise<Snapshot> {
  const newest = db
    .select(publicationColumns)
    .from(publications)
    .orderBy(desc(publications.revision))
    .limit(1);
  const [[last], ...lists] = await readTogether(db, [newest, ...contentQueries(db)]);
  return { ...(last ?? noPublication), content: contentFrom(lists) };
}

/**
 * How many long texts one query reads. They have at most 50,000 characters each, and a database response has at most 10
 * MB.
 */
const textsAtOnce = 50;

/** Reads all content with all long texts. If a text changes in the meantime, it reads everything again. */
export async function readWholeContent(db: Database): Promise<StoredContent> {
  const { content } = await readSnapshot(db);
  const ids = idsWithLongTexts(content);
  let whole: StoredContent | undefined = content;
  for (let at = 0; at < ids.length && whole; at += textsAtOnce)
    whole = await withLongTexts(db, whole, ids.slice(at, at + textsAtOnce));
  return whole ?? readWholeContent(db);
}

/** Caches plain records by the stored list that they come from. */
const plainLists = new WeakMap<readonly StoredRecord[], readonly RecordOf<SectionName>[]>();

/**
 * The content that pages are rendered from, as plain records. The same stored list always gives the same plain list, so
 * that `recordPages` computes a list's pages only once.
 */
export function publicContentOf(content: StoredContent): PublicContent {
  const plainList = (name: SectionName) => {
    const stored = content[name];
    const list = plainLists.get(stored) ?? stored.map((record) => toRecord(name, record));
    plainLists.set(stored, list);
    return list;
  };
  return Object.fromEntries(
    sectionNames.filter(isShown).map((name) => [name, plainList(name)]),
  ) as unknown as PublicContent;
}
