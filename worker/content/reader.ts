/**
 * Reads the whole content as one consistent snapshot, every section in one batch. The Worker and the static build both
 * use this module, so that they render the same records in the same order.
 */
import type { ResultSet } from '@libsql/client/http';
import { asc, desc, getTableColumns } from 'drizzle-orm';
import {
  isShown,
  sectionNames,
  type PublicContent,
  type RecordOf,
  type SectionName,
} from '#contract/sections/index.ts';
import { contentTables } from '../db/content-tables.ts';
import { toLibsql, type Database, type Statement } from '../db/client.ts';
import { publicationFrom, type PublicationId } from './publication.ts';
import { publications } from './schema.ts';

/** A stored record: its fields, its version (from 1) and its place in the display order. */
export interface StoredRecord {
  readonly _id: string;
  readonly version: number;
  readonly position: number;
  readonly values: Readonly<Record<string, string>>;
}

export type StoredContent = { readonly [N in SectionName]: readonly StoredRecord[] };

export interface Snapshot extends PublicationId {
  readonly content: StoredContent;
}

/** A record in the format of the API and of components: its id and its fields. */
const toRecord = <N extends SectionName>(_name: N, { _id, values }: StoredRecord): RecordOf<N> =>
  ({ _id, ...values }) as RecordOf<N>;

/** The value of a text column. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The queries for the whole content. Run them in one batch, and pass the results to `contentFrom`. */
export const contentQueries = (db: Database): Statement[] =>
  sectionNames.map((name) => {
    const table = contentTables[name];
    return db.select(getTableColumns(table)).from(table).orderBy(asc(table.position), asc(table._id));
  });

/** Converts the results of `contentQueries`. */
export function contentFrom(lists: readonly ResultSet[]): StoredContent {
  return Object.fromEntries(
    sectionNames.map((name, index) => {
      const result = lists[index];
      const records = (result?.rows ?? []).map((row): StoredRecord => {
        const values: Record<string, string> = {};
        result?.columns.forEach((column, at) => {
          if (!['_id', 'version', 'position'].includes(column)) values[column] = asText(row[at]);
        });
        return {
          _id: asText(row['_id']),
          version: Number(row['version']),
          position: Number(row['position']),
          values,
        };
      });
      return [name, records];
    }),
  ) as unknown as StoredContent;
}

/** Reads all sections and the publication in one read transaction. */
export async function readSnapshot(db: Database): Promise<Snapshot> {
  const newest = db
    .select({ revision: publications.revision, at: publications.at })
    .from(publications)
    .orderBy(desc(publications.revision))
    .limit(1);
  const [last, ...lists] = await db.$client.batch([newest, ...contentQueries(db)].map(toLibsql), 'read');
  return { ...publicationFrom(last?.rows[0]), content: contentFrom(lists) };
}

/** A cache of plain records, by the stored list that they come from. */
const plainLists = new WeakMap<readonly StoredRecord[], readonly RecordOf<SectionName>[]>();

/**
 * The content that pages are rendered from, as plain records. The same stored list always gives the same plain list, so
 * that a renderer can see what has not changed.
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
